import { type FileHandle, open } from 'node:fs/promises'

/** Where the bytes of an archive go, in order. */
export interface Sink {
  /** Takes bytes; they may be reused once the promise is kept. */
  write(bytes: Uint8Array): Promise<void>
  /** Nothing more comes; kept when everything has arrived. */
  end(): Promise<void>
}

/** Small pieces are gathered to writes of so many bytes, of which one runs while the next is gathered. */
const BUFFER_BYTES = 256 * 1024

/** A new file that is written from its start. Disposing of it closes it, whether it was ended or not. */
export class FileSink implements Sink, AsyncDisposable {
  /** Bytes taken so far: the place of what is written next. */
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
    // Read as well, for what is to be repeated later in the file.
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

  /** Bytes that were written before. */
  async read(position: number, length: number): Promise<Buffer> {
    await this.#flush()
    const buffer = Buffer.allocUnsafe(length)
    const { bytesRead } = await this.#file.read(buffer, 0, length, position)
    if (bytesRead !== length) throw new Error('the file is shorter than what was written to it')
    return buffer
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

  /** Begins to write what was gathered, once what comes before it is written. */
  async #pass(): Promise<void> {
    await this.#writing
    const bytes = this.#buffer.subarray(0, this.#buffered)
    ;[this.#buffer, this.#spare] = [this.#spare, this.#buffer]
    this.#buffered = 0
    this.#writing = writeAll(this.#file, bytes, this.bytes - bytes.length)
    // It is waited for before the next one.
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
