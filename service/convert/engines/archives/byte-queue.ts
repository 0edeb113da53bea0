import type { FileHandle } from 'node:fs/promises'
import { releasePiece } from './release.ts'

/** Bytes that are taken from the front. */
export interface ByteSource {
  /** The next bytes, at least one and at most `most`; undefined at the end. They are valid until the next call. */
  some(most: number): Promise<Uint8Array | undefined>
  /** Skips this many bytes; false if there are fewer. */
  skip(length: number): Promise<boolean>
}

/** Exactly this many bytes; fewer only at the end of the source. */
export async function take(source: ByteSource, length: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let missing = length; missing > 0; ) {
    const piece = await source.some(missing)
    if (!piece) break
    // A copy, since the next piece may overwrite it.
    pieces.push(Buffer.from(piece))
    missing -= piece.length
  }
  return Buffer.concat(pieces)
}

/** The bytes of a stream whose chunks are not reused. */
export class ByteQueue implements ByteSource {
  readonly #source: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async some(most: number): Promise<Uint8Array | undefined> {
    while (this.#chunk.length === 0) {
      releasePiece(this.#chunk)
      const { done, value } = await this.#source.next()
      if (done) return undefined
      this.#chunk = value
    }
    const piece = this.#chunk.subarray(0, most)
    this.#chunk = this.#chunk.subarray(piece.length)
    return piece
  }

  async skip(length: number): Promise<boolean> {
    for (let missing = length; missing > 0; ) {
      const piece = await this.some(missing)
      if (!piece) return false
      missing -= piece.length
    }
    return true
  }
}

const BUFFER_BYTES = 256 * 1024

/** The bytes of a file from a position on; skipped bytes are not read. */
export class FileBytes implements ByteSource {
  readonly #file: FileHandle
  readonly #end: number
  readonly #buffer: Buffer
  /** Position of the next byte in the file. */
  #position: number
  /** The unread rest of the buffer. */
  #left: Uint8Array = new Uint8Array()

  /** @param buffer receives what is read; each read overwrites the one before */
  constructor(
    file: FileHandle,
    start: number,
    end: number,
    buffer: Buffer = Buffer.allocUnsafe(BUFFER_BYTES),
  ) {
    this.#buffer = buffer
    this.#file = file
    this.#position = start
    this.#end = end
  }

  async some(most: number): Promise<Uint8Array | undefined> {
    if (this.#left.length === 0) {
      const length = Math.min(this.#buffer.length, this.#end - this.#position)
      if (length <= 0) return undefined
      const { bytesRead } = await this.#file.read(this.#buffer, 0, length, this.#position)
      if (bytesRead === 0) return undefined
      this.#left = this.#buffer.subarray(0, bytesRead)
    }
    const piece = this.#left.subarray(0, most)
    this.#left = this.#left.subarray(piece.length)
    this.#position += piece.length
    return piece
  }

  async skip(length: number): Promise<boolean> {
    this.#left = this.#left.subarray(Math.min(length, this.#left.length))
    this.#position += length
    return this.#position <= this.#end
  }
}
