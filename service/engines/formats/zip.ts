/** Reads small ZIP archives, such as documents, from the disk: the directory first, each file when it is asked for. */
import { type FileHandle, open } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'
import { dataOffset, ENCRYPTED, readAt, readZipDirectory, UTF8_NAMES, ZipError } from './zip-directory.ts'

export { ZipError }

export interface ZipEntry {
  name: string
  /** 0 is stored, 8 is deflated. */
  method: number
  isEncrypted: boolean
  /** CRC-32 of the content. */
  crc: number
  compressedBytes: number
  /** Unpacked, as the archive says. */
  bytes: number
  /** Of the local header. */
  offset: number
}

/** Longest directory that is read: hundred thousands of files. */
const DIRECTORY_BYTES = 32 * 2 ** 20

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
      const { records } = await readZipDirectory(file, DIRECTORY_BYTES)
      const entries = records.map(({ name, flags, method, crc, bytes, compressedBytes, offset }) => ({
        name: name.toString(flags & UTF8_NAMES ? 'utf8' : 'latin1'),
        method,
        isEncrypted: (flags & ENCRYPTED) !== 0,
        crc,
        compressedBytes,
        bytes,
        offset,
      }))
      return new ZipArchive(file, entries)
    } catch (error) {
      await file.close()
      throw error
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
    const { bytes, method } = entry
    if (bytes > limitBytes) throw new ZipError('too_large')
    if (entry.isEncrypted || (method !== 0 && method !== 8)) throw new ZipError('unsupported')
    const packed = await this.readPacked(entry, limitBytes)
    if (method === 0) return packed
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
    } catch (error) {
      throw new ZipError('damaged', { cause: error })
    }
  }

  /** What an entry takes in the archive, as it lies there. @throws ZipError */
  async readPacked({ offset, compressedBytes }: ZipEntry, limitBytes: number): Promise<Buffer> {
    if (compressedBytes > limitBytes) throw new ZipError('too_large')
    return readAt(this.#file, await dataOffset(this.#file, offset), compressedBytes)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close()
  }
}
