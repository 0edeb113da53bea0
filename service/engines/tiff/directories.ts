import { type FileHandle, open } from 'node:fs/promises'

/** One image file directory of a TIFF file: what decides whether and by whom it is read. */
export interface TiffDirectory {
  width: number
  height: number
  /** A smaller version of another page, or a transparency mask: not a page of its own. */
  auxiliary: boolean
  /** Has tags only camera RAW files have. */
  raw: boolean
}

/** Directories read at most. */
const DIRECTORY_LIMIT = 10_000

const tags = { subfile: 254, width: 256, height: 257, photometric: 262, dngVersion: 50_706 }

/** Colour filter array, and the linear form of it, in DNG. */
const RAW_PHOTOMETRIC = new Set([32_803, 34_892])

/**
 * The pages of a TIFF or BigTIFF file in order, as far as they can be followed. Empty when it is none, or broken at
 * its start.
 */
export async function readDirectories(path: string): Promise<TiffDirectory[]> {
  const file = await open(path)
  try {
    return await follow(file)
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  } finally {
    await file.close()
  }
}

async function follow(file: FileHandle): Promise<TiffDirectory[]> {
  const head = await bytes(file, 0, 16)
  const little = head.toString('latin1', 0, 2) === 'II'
  const short = (buffer: Buffer, at: number) => (little ? buffer.readUInt16LE(at) : buffer.readUInt16BE(at))
  const long = (buffer: Buffer, at: number) => (little ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at))
  const wide = (buffer: Buffer, at: number) =>
    Number(little ? buffer.readBigUInt64LE(at) : buffer.readBigUInt64BE(at))
  const big = short(head, 2) === 43
  const entryBytes = big ? 20 : 12
  const countBytes = big ? 8 : 2
  // Canon's CR2 names itself here.
  const canon = head.toString('latin1', 8, 10) === 'CR'

  const found: TiffDirectory[] = []
  const seen = new Set<number>()
  let offset = big ? wide(head, 8) : long(head, 4)
  while (offset > 0 && !seen.has(offset) && found.length < DIRECTORY_LIMIT) {
    seen.add(offset)
    const start = await bytes(file, offset, countBytes)
    const count = big ? wide(start, 0) : short(start, 0)
    if (count > 4096) break
    const entries = await bytes(file, offset + countBytes, count * entryBytes)
    const values = new Map<number, number>()
    for (let i = 0; i < count; i++) {
      const at = i * entryBytes
      const type = short(entries, at + 2)
      const value = at + (big ? 12 : 8)
      values.set(short(entries, at), type === 3 ? short(entries, value) : long(entries, value))
    }
    const subfile = values.get(tags.subfile) ?? 0
    found.push({
      width: values.get(tags.width) ?? 0,
      height: values.get(tags.height) ?? 0,
      // Bit 0: reduced resolution. Bit 2: mask.
      auxiliary: (subfile & 5) !== 0,
      raw: canon || values.has(tags.dngVersion) || RAW_PHOTOMETRIC.has(values.get(tags.photometric) ?? 0),
    })
    // Some writers leave the last pointer out.
    const next = await bytes(file, offset + countBytes + entries.length, big ? 8 : 4).catch(() => undefined)
    offset = !next ? 0 : big ? wide(next, 0) : long(next, 0)
  }
  return found
}

async function bytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at)
  if (bytesRead < length) throw new RangeError('the file ends here')
  return buffer
}
