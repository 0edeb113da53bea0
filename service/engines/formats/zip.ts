/** Reads ZIP archives (PKWARE's APPNOTE.TXT) from the disk: the directory first, each file when it is asked for. */
import { type FileHandle, open } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  /** 0 is stored, 8 is deflated. */
  method: number
  isEncrypted: boolean
  compressedBytes: number
  /** Unpacked, as the archive says. */
  bytes: number
  /** Of the local header. */
  offset: number
}

/** What is wrong with an archive. */
export class ZipError extends Error {
  readonly problem: 'damaged' | 'too_large' | 'unsupported'

  constructor(problem: ZipError['problem'], options?: ErrorOptions) {
    super(`the archive is ${problem}`, options)
    this.name = 'ZipError'
    this.problem = problem
  }
}

const END_BYTES = 22
const END_SIGNATURE = 0x06054b50
const END64_LOCATOR_BYTES = 20
const END64_LOCATOR_SIGNATURE = 0x07064b50
const END64_BYTES = 56
const END64_SIGNATURE = 0x06064b50
const ENTRY_BYTES = 46
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_BYTES = 30
const LOCAL_SIGNATURE = 0x04034b50
/** The longest comment behind the directory. */
const COMMENT_BYTES = 65_535
/** Longest directory that is read: hundred thousands of files. */
const DIRECTORY_BYTES = 32 * 2 ** 20
const UTF8_NAMES = 0x800
const ENCRYPTED = 1
/** Stands for a number that is in the ZIP64 extra field. */
const ELSEWHERE = 0xffff_ffff

/** An open archive. Close it, or declare it with `await using`. */
export class ZipArchive implements AsyncDisposable {
  readonly entries: readonly ZipEntry[]
  readonly #file: FileHandle

  private constructor(file: FileHandle, entries: readonly ZipEntry[]) {
    this.#file = file
    this.entries = entries
  }

  /** @throws ZipError, also for a file that is no archive */
  static async open(path: string): Promise<ZipArchive> {
    const file = await open(path)
    try {
      return new ZipArchive(file, await readDirectory(file))
    } catch (error) {
      await file.close()
      throw error instanceof RangeError ? new ZipError('damaged', { cause: error }) : error
    }
  }

  find(name: string): ZipEntry | undefined {
    return this.entries.find(entry => entry.name === name)
  }

  /**
   * The content of an entry.
   * @throws ZipError too_large when it has more than `limitBytes`, damaged when it has more than the archive says
   */
  async read(entry: ZipEntry, limitBytes: number): Promise<Buffer> {
    const { bytes, compressedBytes, method } = entry
    if (bytes > limitBytes || compressedBytes > limitBytes) throw new ZipError('too_large')
    if (entry.isEncrypted || (method !== 0 && method !== 8)) throw new ZipError('unsupported')
    const local = await readAt(this.#file, entry.offset, LOCAL_BYTES)
    if (local.readUInt32LE(0) !== LOCAL_SIGNATURE) throw new ZipError('damaged')
    const start = entry.offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28)
    const packed = await readAt(this.#file, start, compressedBytes)
    if (method === 0) return packed
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
    } catch (error) {
      throw new ZipError('damaged', { cause: error })
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close()
  }
}

async function readDirectory(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat()
  const tailBytes = Math.min(size, END_BYTES + COMMENT_BYTES + END64_LOCATOR_BYTES)
  const tail = await readAt(file, size - tailBytes, tailBytes)
  const end = lastEnd(tail)
  if (end === undefined) throw new ZipError('damaged')
  let length = tail.readUInt32LE(end + 12)
  let offset = tail.readUInt32LE(end + 16)
  const locator = end - END64_LOCATOR_BYTES
  if (locator >= 0 && tail.readUInt32LE(locator) === END64_LOCATOR_SIGNATURE) {
    const end64 = await readAt(file, number64(tail, locator + 8), END64_BYTES)
    if (end64.readUInt32LE(0) !== END64_SIGNATURE) throw new ZipError('damaged')
    length = number64(end64, 40)
    offset = number64(end64, 48)
  }
  if (length > DIRECTORY_BYTES) throw new ZipError('too_large')
  return parseDirectory(await readAt(file, offset, length))
}

/** Where the record of the directory's end lies: the last that its comment fits behind. */
function lastEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END_SIGNATURE && at + END_BYTES + tail.readUInt16LE(at + 20) <= tail.length)
      return at
  }
  return undefined
}

function parseDirectory(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length; ) {
    if (directory.readUInt32LE(at) !== ENTRY_SIGNATURE) break
    const flags = directory.readUInt16LE(at + 8)
    const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const sizes = {
      bytes: directory.readUInt32LE(at + 24),
      compressedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    }
    readExtra64(directory.subarray(nameEnd, extraEnd), sizes)
    entries.push({
      name: directory.toString(flags & UTF8_NAMES ? 'utf8' : 'latin1', at + ENTRY_BYTES, nameEnd),
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (flags & ENCRYPTED) !== 0,
      ...sizes,
    })
    at = extraEnd + directory.readUInt16LE(at + 32)
  }
  return entries
}

/** Fills in what does not fit into 32 bits: the ZIP64 extra field holds these numbers, in this order. */
function readExtra64(extra: Buffer, sizes: Pick<ZipEntry, 'bytes' | 'compressedBytes' | 'offset'>): void {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      let next = at + 4
      for (const name of ['bytes', 'compressedBytes', 'offset'] as const) {
        if (sizes[name] !== ELSEWHERE) continue
        sizes[name] = number64(extra, next)
        next += 8
      }
    }
    at = end
  }
}

function number64(buffer: Buffer, offset: number): number {
  const value = buffer.readBigUInt64LE(offset)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipError('damaged')
  return Number(value)
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { size } = await file.stat()
  // Asked of the file first, so that no header has memory reserved that the file cannot fill.
  if (position < 0 || position + length > size) throw new ZipError('damaged')
  const buffer = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  if (bytesRead < length) throw new ZipError('damaged')
  return buffer
}
