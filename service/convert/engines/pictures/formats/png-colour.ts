/**
 * Colour information in PNG files that is given by numbers (PNG Specification, Third Edition, 11.3.2), which libvips
 * ignores.
 */
import { deflateSync } from 'node:zlib'
import { lightOf } from '../../common/srgb.ts'
import { profileOf, SRGB_GAMUT } from './code-points.ts'
import { type Gamut, greyProfile, matrixProfile } from './icc-write.ts'
import { chunk, readChunks, SIGNATURE } from './png.ts'

/** Chunks with colour information; the first one in this order counts. */
const ORDER = ['cICP', 'iCCP', 'sRGB'] as const

type Chunks = ReadonlyMap<string, Buffer>

/**
 * The profile that represents the numbers in a PNG file; undefined if they mean sRGB, or a profile or another chunk has
 * priority.
 */
export function colourOfPng(file: Buffer): Uint8Array | undefined {
  const chunks = new Map<string, Buffer>()
  for (const { type, data } of readChunks(file)) {
    if (type === 'IDAT') break
    if (!chunks.has(type)) chunks.set(type, data)
  }
  const header = chunks.get('IHDR')
  if (!header || header.length < 13) return undefined
  const grey = header[9] === 0 || header[9] === 4
  const leading = ORDER.find(type => chunks.has(type))
  if (leading === 'cICP') return namedProfile(chunks, grey)
  return leading ? undefined : numberedProfile(chunks, grey)
}

/** The file with this profile instead of its own colour information. */
export function withProfile(file: Buffer, icc: Uint8Array): Buffer {
  const parts: Uint8Array[] = [SIGNATURE]
  for (const { type, whole } of readChunks(file)) {
    if (!ORDER.some(own => own === type)) parts.push(whole)
    if (type === 'IHDR') parts.push(chunk('iCCP', Buffer.from('Picture\0\0', 'latin1'), deflateSync(icc)))
  }
  return Buffer.concat(parts)
}

/** From code points, and the brightest light of the picture or of the screen it was made on. */
function namedProfile(chunks: Chunks, grey: boolean): Uint8Array | undefined {
  const data = chunks.get('cICP')
  if (!data || data.length < 4) return undefined
  const [content, screen] = [chunks.get('cLLI'), chunks.get('mDCV')]
  const light = content && content.length >= 8 ? content.readUInt32BE(0) : 0
  const peak = light || (screen && screen.length >= 24 ? screen.readUInt32BE(16) : 0)
  // Both are in ten-thousandths of a nit.
  return profileOf(
    { primaries: data[0]!, transfer: data[1]! },
    { grey, ...(peak && { peak: peak / 10_000 }) },
  )
}

/** The numbers in `gAMA` and `cHRM` are hundred-thousandths. */
const UNIT = 100_000

/** Deviations that still mean sRGB: of the file's gamma, and of a coordinate. */
const [NEAR_GAMMA, NEAR_PLACE] = [0.006, 0.004]

/** From the file's gamma and its primaries. */
function numberedProfile(chunks: Chunks, grey: boolean): Uint8Array | undefined {
  const gamma = gammaOf(chunks.get('gAMA'))
  const gamut = grey ? undefined : gamutOf(chunks.get('cHRM'))
  const plain = gamma === undefined || Math.abs(gamma - 1 / 2.2) < NEAR_GAMMA
  if (plain && !gamut) return undefined
  const curve = plain ? lightOf : (signal: number) => signal ** (1 / gamma)
  return grey ? greyProfile(curve) : matrixProfile(gamut ?? SRGB_GAMUT, curve)
}

function gammaOf(data: Buffer | undefined): number | undefined {
  const gamma = data && data.length >= 4 ? data.readUInt32BE(0) / UNIT : 0
  return gamma >= 0.05 && gamma <= 20 ? gamma : undefined
}

/** The primaries; undefined if they are sRGB's or invalid. */
function gamutOf(data: Buffer | undefined): Gamut | undefined {
  if (!data || data.length < 32) return undefined
  const value = (index: number) => data.readUInt32BE(4 * index) / UNIT
  // White comes first here.
  const gamut = [2, 3, 4, 5, 6, 7, 0, 1].map(value)
  const possible = gamut.every(
    (coordinate, index) => coordinate <= 1 && (index % 2 === 0 || coordinate > 0.001),
  )
  const [rx = 0, ry = 0, gx = 0, gy = 0, bx = 0, by = 0] = gamut
  const area = Math.abs((gx - rx) * (by - ry) - (bx - rx) * (gy - ry))
  if (!possible || area < 0.01) return undefined
  return gamut.some((coordinate, index) => Math.abs(coordinate - SRGB_GAMUT[index]!) > NEAR_PLACE)
    ? gamut
    : undefined
}
