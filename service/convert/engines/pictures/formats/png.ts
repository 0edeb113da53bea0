/** Chunks of PNG files (PNG Specification, Third Edition, 5.3). */
import { type FileHandle, open } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { text, u8, u32 } from '../../common/iso-boxes.ts'
import { readAt } from '../../common/read-at.ts'
import { lightOf } from '../../common/srgb.ts'
import type { Pixels } from '../pixels.ts'
import { namedColours, SRGB_GAMUT } from './code-points.ts'
import { type Gamut, greyProfile, matrixProfile } from './icc-write.ts'

/** The eight bytes every PNG file begins with. */
export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A chunk: length, type, data, checksum over type and data. */
export function chunk(type: string, ...data: Uint8Array[]): Buffer {
  const parts = [text(type), ...data]
  const length = data.reduce((sum, part) => sum + part.length, 0)
  const checksum = parts.reduce((sum, part) => crc32(part, sum), 0)
  return Buffer.concat([u32(length), ...parts, u32(checksum)])
}

interface PngHeader {
  width: number
  height: number
  /** Bits of a sample. */
  depth: number
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. */
  colorType: number
}

/** The data of an IHDR chunk of a picture that is not interlaced. */
export const header = ({ width, height, depth, colorType }: PngHeader): Buffer =>
  Buffer.concat([u32(width, height), u8(depth, colorType, 0, 0, 0)])

/** The chunks of a PNG file up to IEND or its truncated end; the decoder verifies the checksums. */
export function* readChunks(file: Buffer): Generator<{ type: string; data: Buffer; whole: Buffer }> {
  for (let at = SIGNATURE.length; at + 12 <= file.length; ) {
    const type = file.toString('latin1', at + 4, at + 8)
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length) return
    yield { type, data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) }
    if (type === 'IEND') return
    at = end
  }
}

/** Whether the checksum at the end of a chunk is right. */
export const hasRightSum = (whole: Buffer): boolean =>
  crc32(whole.subarray(4, -4)) === whole.readUInt32BE(whole.length - 4)

/** Whether a PNG file is complete. */
export const isWholePng = (file: Buffer): boolean => readChunks(file).some(({ type }) => type === 'IEND')

/** EXIF that programs with exiv2 or old versions of ImageMagick write as a text: its kind, its length, and hexadecimal digits. */
export function exifOfTexts(texts: readonly { keyword: string; text: string }[] = []): Buffer | undefined {
  const profile = texts.find(({ keyword }) => /^Raw profile type (exif|APP1)$/.test(keyword))
  const [, digits = ''] = /^\s*\w+\s+\d+\s+([\s\da-f]+)$/i.exec(profile?.text ?? '') ?? []
  const exif = Buffer.from(digits.replaceAll(/\s/g, ''), 'hex')
  return exif.toString('latin1', 0, 4) === 'Exif' ? exif : undefined
}

/** How much of a file's end is searched for EXIF, which has at most half as much. */
const END_BYTES = 131_072

/** The file with EXIF before its picture data that stand behind them, where ImageMagick 6 writes and libvips ignores them; undefined without. */
export async function withLeadingExif(origin: string | Uint8Array): Promise<Buffer | undefined> {
  await using opened = typeof origin === 'string' ? await open(origin) : undefined
  const size = opened && (await opened.stat()).size
  const end = opened
    ? await readAt(opened, Math.max(0, size! - END_BYTES), END_BYTES)
    : Buffer.from(origin.slice(-END_BYTES))
  if (!end.includes('eXIf', 0, 'latin1')) return undefined
  const chunks = [...readChunks(opened ? await opened.readFile() : Buffer.from(origin))]
  const [data = -1, at = -1] = ['IDAT', 'eXIf'].map(wanted => chunks.findIndex(({ type }) => type === wanted))
  // One that comes first and is not read is empty or damaged.
  if (data < 0 || at < data) return undefined
  chunks.splice(1, 0, ...chunks.splice(at, 1))
  return Buffer.concat([SIGNATURE, ...chunks.map(({ whole }) => whole)])
}

/** The types of the chunks before the picture data of a PNG file, which may be most of it, and where they end. */
async function* leadingChunks(file: FileHandle): AsyncGenerator<{ type: string; end: number }> {
  const { size } = await file.stat()
  for (let end = SIGNATURE.length; end <= size; ) {
    const head = await readAt(file, end, 8)
    const type = head.toString('latin1', 4)
    if (head.length < 8 || type === 'IDAT' || type === 'IEND') return
    end += 12 + head.readUInt32BE(0)
    if (end <= size) yield { type, end }
  }
}

/** A PNG file up to its picture data, or to a chunk that ends beyond it. */
export async function readLeading(path: string): Promise<Buffer> {
  await using file = await open(path)
  let length = SIGNATURE.length
  for await (const { end } of leadingChunks(file)) length = end
  return readAt(file, 0, length)
}

/** Whether a PNG file has a chunk of this type before its picture data; what chunks contain is not read. */
export async function hasChunk(path: string, wanted: string): Promise<boolean> {
  await using file = await open(path)
  for await (const { type } of leadingChunks(file)) if (type === wanted) return true
  return false
}

/**
 * Chunks with colour information (PNG Specification, Third Edition, 11.3.2), of which libvips ignores what is given by numbers; the
 * first one in this order counts.
 */
const ORDER = ['cICP', 'iCCP', 'sRGB'] as const

type Chunks = ReadonlyMap<string, Buffer>

/**
 * What the numbers in a PNG file say of its colours, with a profile that represents them; nothing if they mean sRGB, or a profile or
 * another chunk has priority.
 */
export function coloursOfPng(file: Buffer): Pick<Pixels, 'icc' | 'ownProfile' | 'hdr'> {
  const chunks = new Map<string, Buffer>()
  for (const { type, data } of readChunks(file)) {
    if (type === 'IDAT') break
    if (!chunks.has(type)) chunks.set(type, data)
  }
  const header = chunks.get('IHDR')
  if (!header || header.length < 13) return {}
  const grey = header[9] === 0 || header[9] === 4
  const leading = ORDER.find(type => chunks.has(type))
  if (leading === 'cICP') return namedByChunks(chunks, grey)
  const icc = leading ? undefined : numberedProfile(chunks, grey)
  return icc ? { icc, ownProfile: false } : {}
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
function namedByChunks(chunks: Chunks, grey: boolean): ReturnType<typeof coloursOfPng> {
  const data = chunks.get('cICP')
  if (!data || data.length < 4) return {}
  const [content, screen] = [chunks.get('cLLI'), chunks.get('mDCV')]
  const light = content && content.length >= 8 ? content.readUInt32BE(0) : 0
  const peak = light || (screen && screen.length >= 24 ? screen.readUInt32BE(16) : 0)
  // Both are in ten-thousandths of a nit.
  const codePoints = { primaries: data[0]!, transfer: data[1]! }
  return namedColours({ codePoints, mastering: peak ? { peak: peak / 10_000 } : {} }, grey)
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
