/**
 * The central directory of a ZIP archive (PKWARE's APPNOTE.TXT,
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT).
 */
import type { FileHandle } from 'node:fs/promises'
import { JobFailure } from '../../../shared/errors.ts'
import { isDamage } from '../common/damage.ts'

/** A record of the directory, with 64-bit numbers resolved and names as stored. */
export interface ZipRecord {
  name: Buffer
  comment: Buffer
  extra: Buffer
  flags: number
  /** 0 is stored, 8 is deflated. */
  method: number
  /** System it was created on: 0 is DOS, 3 is Unix. */
  host: number
  attributes: number
  /** Date in the upper half, time in the lower. */
  dosTime: number
  crc: number
  compressedBytes: number
  /** Unpacked size according to the archive. */
  bytes: number
  /** Position of the local header in the file. */
  offset: number
}

export interface ZipDirectory {
  records: ZipRecords
  comment: Buffer
  /** Whether it contains as many records as it says. */
  isComplete: boolean
  /** Whether it is one part of a split archive. */
  isPart: boolean
}

const CODES = {
  damaged: 'jobs.corrupt_input',
  too_large: 'jobs.too_large',
  unsupported: 'jobs.unsupported_input',
} as const

/** What is wrong with an archive. */
export class ZipError extends JobFailure {
  constructor(problem: keyof typeof CODES, options?: ErrorOptions) {
    super(CODES[problem], undefined, options)
  }
}

export const UTF8_NAMES = 0x800
export const ENCRYPTED = 1

const END_BYTES = 22
const END_SIGNATURE = 0x06054b50
const END64_LOCATOR_BYTES = 20
const END64_LOCATOR_SIGNATURE = 0x07064b50
const END64_BYTES = 56
const END64_SIGNATURE = 0x06064b50
const ENTRY_BYTES = 46
const ENTRY_SIGNATURE = 0x02014b50
/** Size of a local header without its name and extra fields. */
export const LOCAL_BYTES = 30
const LOCAL_SIGNATURE = 0x04034b50
/** The longest comment after the directory. */
const COMMENT_BYTES = 65_535
/** How far from its end a file is searched for the end of the directory if other bytes follow the archive. */
const TRAILING_BYTES = 1 << 20
/** Marks a number that is stored in the ZIP64 extra field. */
const ELSEWHERE = 0xffff_ffff

/** The records of a directory, parsed again on each iteration, since a million of them would take a lot of memory. */
export class ZipRecords implements Iterable<ZipRecord> {
  readonly count: number
  readonly #directory: Buffer
  readonly #movedBytes: number

  /** @throws ZipError damaged, DamagedFile; iterating throws nothing */
  constructor(directory: Buffer, movedBytes: number) {
    this.#directory = directory
    this.#movedBytes = movedBytes
    this.count = this[Symbol.iterator]().reduce(count => count + 1, 0)
  }

  *[Symbol.iterator](): Generator<ZipRecord, undefined> {
    const directory = this.#directory
    for (let at = 0; at + ENTRY_BYTES <= directory.length; ) {
      if (directory.readUInt32LE(at) !== ENTRY_SIGNATURE) break
      const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28)
      const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
      const end = extraEnd + directory.readUInt16LE(at + 32)
      if (end > directory.length) break
      const sizes = {
        bytes: directory.readUInt32LE(at + 24),
        compressedBytes: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      }
      const extra = directory.subarray(nameEnd, extraEnd)
      const extra64 = extraField(extra, 1)
      if (extra64) readExtra64(extra64, sizes)
      yield {
        name: directory.subarray(at + ENTRY_BYTES, nameEnd),
        comment: directory.subarray(extraEnd, end),
        extra,
        flags: directory.readUInt16LE(at + 8),
        method: directory.readUInt16LE(at + 10),
        host: directory[at + 5]!,
        attributes: directory.readUInt32LE(at + 38),
        dosTime: directory.readUInt32LE(at + 12),
        crc: directory.readUInt32LE(at + 16),
        ...sizes,
        offset: sizes.offset + this.#movedBytes,
      }
      at = end
    }
    return undefined
  }
}

/**
 * @throws ZipError damaged, also for a file that is not an archive, and too_large for a directory of more than `limitBytes`
 */
export async function readZipDirectory(file: FileHandle, limitBytes: number): Promise<ZipDirectory> {
  try {
    return await read(file, limitBytes)
  } catch (error) {
    throw isDamage(error) ? new ZipError('damaged', { cause: error }) : error
  }
}

/** Position of an entry's data, after its local header. */
export async function dataOffset(file: FileHandle, offset: number): Promise<number> {
  const bytes = localBytes(await readAt(file, offset, LOCAL_BYTES))
  if (bytes === undefined) throw new ZipError('damaged')
  return offset + bytes
}

/** Size of a local header with its name and extra fields; undefined if there is none. */
export function localBytes(local: Buffer): number | undefined {
  if (local.readUInt32LE(0) !== LOCAL_SIGNATURE) return undefined
  return LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28)
}

export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { size } = await file.stat()
  // Checked against the file's size first, so that a header cannot cause memory to be reserved that the file cannot
  // fill.
  if (position < 0 || position + length > size) throw new ZipError('damaged')
  const buffer = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  if (bytesRead < length) throw new ZipError('damaged')
  return buffer
}

async function read(file: FileHandle, limitBytes: number): Promise<ZipDirectory> {
  const { size } = await file.stat()
  const { tail, end } = await tailOf(file, size)
  let disk = tail.readUInt16LE(end + 4)
  let count = tail.readUInt16LE(end + 10)
  let length = tail.readUInt32LE(end + 12)
  let offset = tail.readUInt32LE(end + 16)
  let endsAt = size - tail.length + end
  let countModulus = 0x10000
  const locator = end - END64_LOCATOR_BYTES
  if (locator >= 0 && tail.readUInt32LE(locator) === END64_LOCATOR_SIGNATURE) {
    // A program in front of the archive shifts it; then the record is right before its locator.
    const places = [number64(tail, locator + 8), endsAt - END64_LOCATOR_BYTES - END64_BYTES]
    const end64 = await firstWith(file, places, END64_SIGNATURE, END64_BYTES)
    disk = end64.bytes.readUInt32LE(16)
    count = number64(end64.bytes, 32)
    countModulus = Number.MAX_SAFE_INTEGER
    length = number64(end64.bytes, 40)
    offset = number64(end64.bytes, 48)
    endsAt = end64.position
  }
  if (length > limitBytes) throw new ZipError('too_large')
  const isPart = disk !== 0 && disk !== 0xffff
  const comment = Buffer.from(tail.subarray(end + END_BYTES, end + END_BYTES + tail.readUInt16LE(end + 20)))
  if (isPart || length === 0) {
    return { records: new ZipRecords(Buffer.alloc(0), 0), comment, isPart, isComplete: count === 0 }
  }
  const directory = await firstWith(file, [offset, endsAt - length], ENTRY_SIGNATURE, length)
  const records = new ZipRecords(directory.bytes, directory.position - offset)
  return { records, comment, isPart, isComplete: records.count % countModulus === count }
}

/** The last bytes of the file, and where in them the directory's end is recorded. */
async function tailOf(file: FileHandle, size: number): Promise<{ tail: Buffer; end: number }> {
  for (const most of [END_BYTES + COMMENT_BYTES + END64_LOCATOR_BYTES, TRAILING_BYTES]) {
    const length = Math.min(size, most)
    const tail = await readAt(file, size - length, length)
    const end = lastEnd(tail)
    if (end !== undefined) return { tail, end }
  }
  throw new ZipError('damaged')
}

/** The first of the positions that has a record with this signature. */
async function firstWith(
  file: FileHandle,
  positions: readonly number[],
  signature: number,
  length: number,
): Promise<{ bytes: Buffer; position: number }> {
  const { size } = await file.stat()
  for (const position of positions) {
    if (position < 0 || position + Math.max(length, 4) > size) continue
    const start = await readAt(file, position, 4)
    if (start.readUInt32LE(0) === signature) return { bytes: await readAt(file, position, length), position }
  }
  throw new ZipError('damaged')
}

/**
 * Position of the last end-of-directory record whose comment ends with the file, since a comment may contain the signature of a
 * record; without one, of the last record, whose comment is cut off or followed by other bytes.
 */
function lastEnd(tail: Buffer): number | undefined {
  let last: number | undefined
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue
    if (at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length) return at
    last ??= at
  }
  return last
}

/** The data of an extra field by its number, if a record has it. */
export function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, end)
    at = end
  }
  return undefined
}

/** Fills in numbers that do not fit into 32 bits: the field contains them in this order. */
function readExtra64(field: Buffer, sizes: Pick<ZipRecord, 'bytes' | 'compressedBytes' | 'offset'>): void {
  let next = 0
  for (const name of ['bytes', 'compressedBytes', 'offset'] as const) {
    if (sizes[name] !== ELSEWHERE) continue
    sizes[name] = number64(field, next)
    next += 8
  }
}

function number64(buffer: Buffer, offset: number): number {
  const value = buffer.readBigUInt64LE(offset)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipError('damaged')
  return Number(value)
}
