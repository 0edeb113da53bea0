/** Reads the bits of a FLAC stream, the most significant first. */

/** The available bytes end before the value that is read. */
export class EndOfBytes extends Error {}

export class BitReader {
  readonly #bytes: Uint8Array
  /** Bits from the start of the bytes. */
  position: number

  constructor(bytes: Uint8Array, byteOffset: number) {
    this.#bytes = bytes
    this.position = byteOffset * 8
  }

  /** Offset of the next whole byte. */
  get byteOffset(): number {
    return Math.ceil(this.position / 8)
  }

  /** @param count at most 33 */
  unsigned(count: number): number {
    if (this.position + count > this.#bytes.length * 8) throw new EndOfBytes()
    let value = 0
    for (let left = count; left > 0; ) {
      const used = this.position & 7
      const taken = Math.min(8 - used, left)
      const byte = this.#bytes[this.position >>> 3] as number
      value = value * 2 ** taken + ((byte >>> (8 - used - taken)) & ((1 << taken) - 1))
      this.position += taken
      left -= taken
    }
    return value
  }

  /** A two's complement number. */
  signed(count: number): number {
    const value = this.unsigned(count)
    return value >= 2 ** (count - 1) ? value - 2 ** count : value
  }

  /** The number of zeros before the next one, which is consumed too. */
  zeros(): number {
    const bytes = this.#bytes
    let byte = ((bytes[this.position >>> 3] ?? 0) << (this.position & 7)) & 0xff
    let count = 0
    if (byte === 0) {
      count = 8 - (this.position & 7)
      let at = (this.position >>> 3) + 1
      while (bytes[at] === 0) {
        at++
        count += 8
      }
      if (at >= bytes.length) throw new EndOfBytes()
      byte = bytes[at] as number
    }
    count += Math.clz32(byte) - 24
    this.position += count + 1
    return count
  }
}
