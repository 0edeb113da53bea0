import { RECORD_BYTES } from './palmdoc.ts'

/** Size of the buffers, which contain whole records. */
const CHUNK_BYTES = 256 * RECORD_BYTES

/** Collects text in UTF-8 piece by piece, so that the position of each piece is known. */
export class Utf8Writer {
  readonly #chunks = [Buffer.allocUnsafeSlow(CHUNK_BYTES)]
  /** Bytes in the last chunk. */
  #used = 0

  /** Bytes written so far. */
  get length(): number {
    return (this.#chunks.length - 1) * CHUNK_BYTES + this.#used
  }

  write(text: string): void {
    // A code unit takes up to three bytes.
    if (text.length * 3 <= CHUNK_BYTES - this.#used) {
      this.#used += this.#chunks.at(-1)!.write(text, this.#used, 'utf8')
    } else this.append(Buffer.from(text))
  }

  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.#used === CHUNK_BYTES) {
        this.#chunks.push(Buffer.allocUnsafeSlow(CHUNK_BYTES))
        this.#used = 0
      }
      const part = bytes.subarray(from, from + CHUNK_BYTES - this.#used)
      this.#chunks.at(-1)!.set(part, this.#used)
      this.#used += part.length
      from += part.length
    }
  }

  /** Overwrites a position with ASCII. */
  patch(at: number, text: string): void {
    for (let index = 0; index < text.length; index++) {
      const place = at + index
      this.#chunks[Math.floor(place / CHUNK_BYTES)]![place % CHUNK_BYTES] = text.charCodeAt(index)
    }
  }

  /** The bytes between two positions; not copied if they are within one record. */
  slice(from: number, to: number): Uint8Array {
    const first = Math.floor(from / CHUNK_BYTES)
    const start = first * CHUNK_BYTES
    const part = this.#chunks[first]!.subarray(from - start, to - start)
    return to - start <= CHUNK_BYTES ? part : Buffer.concat([part, this.slice(start + CHUNK_BYTES, to)])
  }
}
