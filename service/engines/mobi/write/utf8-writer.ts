/** Writes text piece by piece into one UTF-8 buffer, so that the position of each piece is known. */
export class Utf8Writer {
  #buffer = Buffer.allocUnsafe(64 * 1024)
  #length = 0

  /** Bytes written so far. */
  get length(): number {
    return this.#length
  }

  write(text: string): void {
    // A code unit takes up to three bytes.
    const needed = this.#length + text.length * 3
    if (needed > this.#buffer.length) this.#grow(needed)
    this.#length += this.#buffer.write(text, this.#length, 'utf8')
  }

  /** Overwrites a position with ASCII. */
  patch(at: number, text: string): void {
    this.#buffer.write(text, at, 'latin1')
  }

  /** The written data, not copied. */
  take(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
  }
}
