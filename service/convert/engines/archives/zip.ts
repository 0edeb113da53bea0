/** Reads small ZIP archives, such as documents, from disk: first the directory, then each file on request. */
import { type FileHandle, open } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'
import {
  dataOffset,
  ENCRYPTED,
  readAt,
  readZipDirectory,
  UTF8_NAMES,
  ZipError,
  type ZipRecord,
} from './zip-directory.ts'

export { ZipError }

export interface ZipEntry extends Pick<ZipRecord, 'method' | 'crc' | 'compressedBytes' | 'bytes' | 'offset'> {
  name: string
  isEncrypted: boolean
}

/** Largest directory that is read: hundreds of thousands of files. */
const DIRECTORY_BYTES = 32 * 2 ** 20

/** An open archive. Close it, or declare it with `await using`. */
export class ZipArchive implements AsyncDisposable {
  readonly entries: readonly ZipEntry[]
  readonly #file: FileHandle

  private constructor(file: FileHandle, entries: readonly ZipEntry[]) {
    this.#file = file
    this.entries = entries
  }

  /** @throws ZipError, also for a file that is not an archive */
  static async open(path: string): Promise<ZipArchive> {
    const file = await open(path)
    try {
      const { records } = await readZipDirectory(file, DIRECTORY_BYTES)
      const entries = Array.from(records, ({ name, flags, method, crc, bytes, compressedBytes, offset }) => ({
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
   * @throws ZipError too_large if it has more than `limitBytes`, damaged if it has more than the archive says
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

  /** The data of an entry as stored in the archive. @throws ZipError */
  async readPacked({ offset, compressedBytes }: ZipEntry, limitBytes: number): Promise<Buffer> {
    if (compressedBytes > limitBytes) throw new ZipError('too_large')
    return readAt(this.#file, await dataOffset(this.#file, offset), compressedBytes)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close()
  }
}
