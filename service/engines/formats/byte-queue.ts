import type { FileHandle } from 'node:fs/promises'
import { releasePiece } from './release.ts'

/** Bytes that are taken from the front. */
export interface ByteSource {
  /** The next bytes, at least one and at most `most`; undefined at the end. They are valid until more is asked for. */
  some(most: number): Promise<Uint8Array | undefined>
  /** Passes over so many bytes; false when there are fewer. */
  skip(length: number): Promise<boolean>
}

/** Exactly so many bytes; fewer only at the end of the source. */
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

/** The bytes of a stream that makes each chunk for itself alone. */
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

/** The bytes of a file from a place on; what is passed over is not read. */
export class FileBytes implements ByteSource {
  readonly #file: FileHandle
  readonly #end: number
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  /** Where the next byte lies in the file. */
  #position: number
  /** What of the buffer is left. */
  #left: Uint8Array = new Uint8Array()

  constructor(file: FileHandle, start: number, end: number) {
    this.#file = file
    this.#position = start
    this.#end = end
  }

  async some(most: number): Promise<Uint8Array | undefined> {
    if (this.#left.length === 0) {
      const length = Math.min(BUFFER_BYTES, this.#end - this.#position)
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
