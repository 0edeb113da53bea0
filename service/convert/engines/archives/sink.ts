import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { releasePiece } from './release.ts'

/** Receives the bytes of an archive, in order. */
export interface Sink {
  /** Accepts bytes, which may be reused once the promise resolves. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the output; resolves when everything has been written. */
  end(): Promise<void>
}

/** Writes everything that comes, and returns the memory of each piece at once. */
export async function pipeInto(packed: AsyncIterable<Uint8Array>, sink: Sink): Promise<void> {
  for await (const piece of packed) {
    await sink.write(piece)
    releasePiece(piece)
  }
}

/** Writes to a stream, and waits until it takes more or has ended. */
export async function writeCopy(
  to: Writable,
  bytes: Uint8Array,
  ...ended: Promise<unknown>[]
): Promise<void> {
  // A copy, since the stream may keep the bytes for longer than they are valid.
  if (!to.write(Buffer.from(bytes))) await Promise.race([once(to, 'drain'), ...ended])
}

/** Small pieces are collected into writes of this size, one of which runs while the next is collected. */
const BUFFER_BYTES = 256 * 1024

/** A new file that is written from its start. Disposing closes it, whether or not it was ended. */
export class FileSink implements Sink, AsyncDisposable {
  /** Number of bytes accepted so far, which is the position of the next write. */
  bytes = 0
  readonly #file: FileHandle
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  #buffered = 0
  #spare = Buffer.allocUnsafe(BUFFER_BYTES)
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(path: string): Promise<FileSink> {
    // Opened for reading too, for data that are repeated later in the file.
    return new FileSink(await open(path, 'wx+', 0o600))
  }

  async write(bytes: Uint8Array): Promise<void> {
    const isLarge = bytes.length > BUFFER_BYTES / 2
    if (isLarge) {
      await this.#flush()
      await writeAll(this.#file, bytes, this.bytes)
    } else {
      if (this.#buffered + bytes.length > BUFFER_BYTES) await this.#pass()
      this.#buffer.set(bytes, this.#buffered)
      this.#buffered += bytes.length
    }
    this.bytes += bytes.length
  }

  /** Reads bytes that were written before. */
  async read(position: number, length: number): Promise<Buffer> {
    await this.#flush()
    const buffer = Buffer.allocUnsafe(length)
    const { bytesRead } = await this.#file.read(buffer, 0, length, position)
    if (bytesRead !== length) throw new Error('the file is shorter than what was written to it')
    return buffer
  }

  /** Removes everything that was written. */
  async rewind(): Promise<void> {
    await this.#flush()
    await this.#file.truncate(0)
    this.bytes = 0
  }

  /** Replaces bytes that were written before. */
  async patch(position: number, bytes: Uint8Array): Promise<void> {
    await this.#flush()
    await writeAll(this.#file, bytes, position)
  }

  end(): Promise<void> {
    return this.#flush()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close()
  }

  /** Starts writing what was collected, once earlier data are written. */
  async #pass(): Promise<void> {
    await this.#writing
    const bytes = this.#buffer.subarray(0, this.#buffered)
    ;[this.#buffer, this.#spare] = [this.#spare, this.#buffer]
    this.#buffered = 0
    this.#writing = writeAll(this.#file, bytes, this.bytes - bytes.length)
    // Its error is handled before the next write.
    this.#writing.catch(() => {})
  }

  async #flush(): Promise<void> {
    await this.#pass()
    await this.#writing
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}
