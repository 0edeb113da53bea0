/**
 * Colour information in PNG files that is given by numbers (PNG specification, third edition, 11.3.2), which libvips
 * ignores.
 */
import { open } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { lightOf } from '../../common/srgb.ts'
import { profileOf, SRGB_GAMUT } from './code-points.ts'
import { type Gamut, greyProfile, matrixProfile } from './icc-write.ts'
import { chunk, SIGNATURE } from './png.ts'

/** Chunks with colour information; the first one in this order counts. */
const ORDER = ['cICP', 'iCCP', 'sRGB'] as const

/** Longest relevant chunk apart from profiles, in bytes. */
const LONGEST = 32

/** Maximum number of chunks examined; real files have some dozens before their data. */
const CHUNK_LIMIT = 1000

/** Where to insert a profile into a file, and which chunks it replaces. */
export interface PngColour {
  icc: Uint8Array
  /** Chunks to leave out, with start and end. */
  without: { start: number; end: number }[]
}

/**
 * The profile that represents the numbers in a PNG file; undefined if they mean sRGB, or a profile or another chunk has
 * priority.
 */
export async function colourOfPng(path: string): Promise<PngColour | undefined> {
  const chunks = await headChunks(path)
  const header = chunks.get('IHDR')?.data
  if (!header || header.length < 13) return undefined
  const grey = header[9] === 0 || header[9] === 4
  const leading = ORDER.find(type => chunks.has(type))
  const icc =
    leading === 'cICP' ? namedProfile(chunks, grey) : leading ? undefined : numberedProfile(chunks, grey)
  const replaced = ORDER.map(type => chunks.get(type)).filter(found => found !== undefined)
  return icc && { icc, without: replaced }
}

/** The file with this profile instead of its own colour information. */
export function withProfile(file: Buffer, { icc, without }: PngColour): Buffer {
  // The header chunk comes first and has 25 bytes.
  const head = SIGNATURE.length + 25
  const parts = [
    file.subarray(0, head),
    chunk('iCCP', Buffer.from('Picture\0\0', 'latin1'), deflateSync(icc)),
  ]
  let at = head
  for (const { start, end } of without.toSorted((a, b) => a.start - b.start)) {
    parts.push(file.subarray(at, start))
    at = end
  }
  return Buffer.concat([...parts, file.subarray(at)])
}

interface Found {
  data: Buffer
  start: number
  end: number
}

/** The first chunk of each type before the picture's data; long ones are only read partly. */
async function headChunks(path: string): Promise<Map<string, Found>> {
  const file = await open(path)
  const found = new Map<string, Found>()
  try {
    const head = Buffer.alloc(8 + LONGEST)
    for (let start = SIGNATURE.length, count = 0; count < CHUNK_LIMIT; count++) {
      const { bytesRead } = await file.read(head, 0, head.length, start)
      const type = head.toString('latin1', 4, 8)
      if (bytesRead < 8 || type === 'IDAT' || type === 'IEND') return found
      const length = head.readUInt32BE(0)
      const end = start + 12 + length
      const data = Buffer.from(head.subarray(8, Math.min(bytesRead, 8 + length)))
      if (!found.has(type)) found.set(type, { data, start, end })
      start = end
    }
    return found
  } finally {
    await file.close()
  }
}

/** From code points, and the brightest light of the picture or of the screen it was made on. */
function namedProfile(chunks: Map<string, Found>, grey: boolean): Uint8Array | undefined {
  const data = chunks.get('cICP')?.data
  if (!data || data.length < 4) return undefined
  const [content, screen] = [chunks.get('cLLI')?.data, chunks.get('mDCV')?.data]
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
function numberedProfile(chunks: Map<string, Found>, grey: boolean): Uint8Array | undefined {
  const gamma = gammaOf(chunks.get('gAMA')?.data)
  const gamut = grey ? undefined : gamutOf(chunks.get('cHRM')?.data)
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
