/** Describes the pages of a TIFF file on disk from its directories. */
import { type FileHandle, open } from 'node:fs/promises'
import { DamagedFile, isDamage } from '../../common/damage.ts'
import { typeBytes } from './tiff.ts'

/** One image file directory of a TIFF file: what determines which engine reads it. */
export interface TiffDirectory {
  width: number
  height: number
  /** A smaller version of another page, or a transparency mask, so not a page of its own. */
  auxiliary: boolean
  /** Whether it has tags that only camera RAW files have. */
  raw: boolean
  /** Belongs to a DNG file. */
  dng: boolean
  /** Its offset in the file, and the position of the offset of the next one. */
  offset: number
  nextAt: number
  /** How samples represent colours (TIFF 6.0, PhotometricInterpretation), and its position in the file. */
  photometric: number
  photometricAt: number
  /** Whether everything it refers to is in the file: values, strips, tiles, and the same for its subdirectories. */
  complete: boolean
}

/** The directories of a file. */
export interface TiffDirectories {
  /** In order, as far as they can be followed. */
  directories: TiffDirectory[]
  /** Whether all of them could be followed. */
  complete: boolean
}

/** Maximum number of directories, and maximum nesting depth. */
const DIRECTORY_LIMIT = 10_000
const DEPTH_LIMIT = 3

/** Maximum number of entries in a directory; real ones have some dozens. */
const ENTRY_LIMIT = 4096

const tags = {
  subfile: 254,
  width: 256,
  height: 257,
  photometric: 262,
  stripOffsets: 273,
  stripBytes: 279,
  tileOffsets: 324,
  tileBytes: 325,
  below: 330,
  jpegOffset: 513,
  jpegBytes: 514,
  dngVersion: 50_706,
}

const wanted = new Set<number>(Object.values(tags))

/** Maximum bytes of values read, since the entries of a forged file may all refer to the same bytes. */
const VALUE_LIMIT = 64_000_000

/** Tags with positions and sizes of data. */
const dataPlaces = [
  [tags.stripOffsets, tags.stripBytes],
  [tags.tileOffsets, tags.tileBytes],
  [tags.jpegOffset, tags.jpegBytes],
] as const

/** DNG's colour filter array, and its linear form. */
const RAW_PHOTOMETRIC = new Set([32_803, 34_892])

/** The pages of a TIFF or BigTIFF file; none if it is not such a file, or damaged at its start. */
export async function readDirectories(path: string): Promise<TiffDirectories> {
  await using file = await open(path)
  try {
    return await new DirectoryReader(file, (await file.stat()).size).read()
  } catch (error) {
    if (isDamage(error)) return { directories: [], complete: false }
    throw error
  }
}

/** A copy of a TIFF file in which this directory is the only one, so that no other can keep it from being read. */
export function alone(file: Buffer, { offset, nextAt }: TiffDirectory): Buffer {
  const copy = Buffer.from(file)
  const little = copy[0] === 0x49
  const big = copy[little ? 2 : 3] === 43
  const view = new DataView(copy.buffer, copy.byteOffset, copy.length)
  const write = (at: number, value: number) => {
    // Some files lack the last pointer.
    if (at + (big ? 8 : 4) > copy.length) return
    if (big) view.setBigUint64(at, BigInt(value), little)
    else view.setUint32(at, value, little)
  }
  write(big ? 8 : 4, offset)
  write(nextAt, 0)
  return copy
}

/** Values of a tag, by its number. */
type Values = Map<number, number[]>

class DirectoryReader {
  private readonly file: FileHandle
  private readonly size: number
  private readonly seen = new Set<number>()
  private little = true
  private big = false
  private canon = false
  private budget = VALUE_LIMIT
  private broken = false

  constructor(file: FileHandle, size: number) {
    this.file = file
    this.size = size
  }

  async read(): Promise<TiffDirectories> {
    const head = await this.bytes(0, 16)
    this.little = head.toString('latin1', 0, 2) === 'II'
    this.big = this.short(head, 2) === 43
    // Canon's CR2 has its signature here.
    this.canon = head.toString('latin1', 8, 10) === 'CR'
    const directories = await this.follow(this.big ? this.wide(head, 8) : this.long(head, 4), 0)
    return { directories, complete: !this.broken }
  }

  /** The directory at `offset` and its successors. */
  private async follow(first: number, depth: number): Promise<TiffDirectory[]> {
    const { seen } = this
    const found: TiffDirectory[] = []
    let offset = first
    while (offset > 0 && !seen.has(offset) && seen.size < DIRECTORY_LIMIT) {
      seen.add(offset)
      try {
        const { directory, next } = await this.directory(offset, depth)
        found.push(directory)
        offset = next
      } catch (error) {
        // A bad link does not invalidate the pages before it.
        if (!isDamage(error) || depth > 0 || found.length === 0) throw error
        this.broken = true
        break
      }
    }
    return found
  }

  private async directory(
    offset: number,
    depth: number,
  ): Promise<{ directory: TiffDirectory; next: number }> {
    const { big } = this
    const countBytes = big ? 8 : 2
    const start = await this.bytes(offset, countBytes)
    const count = big ? this.wide(start, 0) : this.short(start, 0)
    if (count > ENTRY_LIMIT) throw new DamagedFile('this is no directory')
    const entries = await this.bytes(offset + countBytes, count * (big ? 20 : 12))
    const directory = await this.describe(entries, offset, depth)
    // Some writers omit the last pointer.
    const end = await this.bytes(offset + countBytes + entries.length, big ? 8 : 4).catch(() => undefined)
    return { directory, next: !end ? 0 : big ? this.wide(end, 0) : this.long(end, 0) }
  }

  private async describe(entries: Buffer, offset: number, depth: number): Promise<TiffDirectory> {
    const { values, places, whole } = await this.values(entries)
    const value = (tag: number) => values.get(tag)?.[0] ?? 0
    const subfile = value(tags.subfile)
    const dng = values.has(tags.dngVersion)
    return {
      width: value(tags.width),
      height: value(tags.height),
      // Bit 0: reduced resolution. Bit 2: mask.
      auxiliary: (subfile & 5) !== 0,
      raw: this.canon || dng || RAW_PHOTOMETRIC.has(value(tags.photometric)),
      dng,
      offset,
      nextAt: offset + (this.big ? 8 : 2) + entries.length,
      photometric: value(tags.photometric),
      photometricAt: offset + (this.big ? 8 : 2) + (places.get(tags.photometric) ?? 0),
      complete: whole && this.holdsData(values) && (await this.holdsBelow(values, depth)),
    }
  }

  /**
   * The numbers of each relevant entry, the position of them or their offset in the entries, and whether the values of
   * all entries are in the file.
   */
  private async values(
    entries: Buffer,
  ): Promise<{ values: Values; places: Map<number, number>; whole: boolean }> {
    const { big } = this
    const [entryBytes, inline] = big ? [20, 8] : [12, 4]
    const values: Values = new Map()
    const places = new Map<number, number>()
    let whole = true
    for (let at = 0; at < entries.length; at += entryBytes) {
      const tag = this.short(entries, at)
      const type = this.short(entries, at + 2)
      const count = big ? this.wide(entries, at + 4) : this.long(entries, at + 4)
      const length = count * typeBytes(type)
      const place = at + entryBytes - inline
      const offset = big ? this.wide(entries, place) : this.long(entries, place)
      const inFile = length <= inline || offset + length <= this.size
      whole &&= inFile
      if (!inFile || values.has(tag) || !wanted.has(tag) || length > this.budget) continue
      this.budget -= length
      const data = length <= inline ? entries.subarray(place) : await this.bytes(offset, length)
      values.set(tag, this.numbers(data, type, count))
      places.set(tag, place)
    }
    return { values, places, whole }
  }

  /** Unsigned numbers of two, four or eight bytes; none for any other type. */
  private numbers(data: Buffer, type: number, count: number): number[] {
    const read = { 3: this.short, 4: this.long, 13: this.long, 16: this.wide, 18: this.wide }[type]
    const width = typeBytes(type)
    return read ? Array.from({ length: count }, (_, index) => read.call(this, data, index * width)) : []
  }

  private holdsData(values: Values): boolean {
    return dataPlaces.every(([offsets, sizes]) => {
      const lengths = values.get(sizes) ?? []
      return (values.get(offsets) ?? []).every((offset, index) => offset + (lengths[index] ?? 0) <= this.size)
    })
  }

  private async holdsBelow(values: Values, depth: number): Promise<boolean> {
    if (depth >= DEPTH_LIMIT) return true
    for (const offset of values.get(tags.below) ?? []) {
      const below = await this.follow(offset, depth + 1).catch(() => [{ complete: false }])
      if (!below.every(({ complete }) => complete)) return false
    }
    return true
  }

  private short(buffer: Buffer, at: number): number {
    return this.little ? buffer.readUInt16LE(at) : buffer.readUInt16BE(at)
  }

  private long(buffer: Buffer, at: number): number {
    return this.little ? buffer.readUInt32LE(at) : buffer.readUInt32BE(at)
  }

  private wide(buffer: Buffer, at: number): number {
    return Number(this.little ? buffer.readBigUInt64LE(at) : buffer.readBigUInt64BE(at))
  }

  private async bytes(at: number, length: number): Promise<Buffer> {
    if (at + length > this.size) throw new DamagedFile('the file ends here')
    const { buffer } = await this.file.read(Buffer.alloc(length), 0, length, at)
    return buffer
  }
}
