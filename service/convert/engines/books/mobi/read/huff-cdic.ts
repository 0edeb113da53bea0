/**
 * HUFF/CDIC compression: Huffman codes for the phrases of a dictionary, which can contain such codes themselves.
 * The layout follows the description at https://wiki.mobileread.com/wiki/MOBI and the content of Amazon's own files.
 */
import { DamagedFile } from '../../../common/damage.ts'

/** Maximum text size of a record, usually 4096 bytes. */
const RECORD_BYTES_LIMIT = 2 ** 18
/** Maximum size of all unpacked phrases together; real dictionaries stay below a megabyte. */
const PHRASES_BYTES_LIMIT = 2 ** 26
/** Maximum nesting of phrases. */
const DEPTH_LIMIT = 32

export class HuffCdic {
  readonly #codes: { length: number; terminal: boolean; greatest: number }[]
  /** Smallest and largest codes by length, left-aligned in 32 bits. */
  readonly #least: number[] = [0]
  readonly #greatest: number[] = [0]
  readonly #phrases: { bytes: Uint8Array; plain: boolean }[] = []
  #unpackedBytes = 0

  /** @throws DamagedFile when the tables are damaged */
  constructor(huff: Buffer, dictionaries: readonly Buffer[]) {
    if (huff.toString('latin1', 0, 4) !== 'HUFF') throw new DamagedFile('there is no table of codes')
    const first = huff.readUInt32BE(8)
    this.#codes = Array.from({ length: 256 }, (_, index) => {
      const value = huff.readUInt32BE(first + 4 * index)
      const length = value & 0x1f
      return { length, terminal: (value & 0x80) !== 0, greatest: aligned((value >>> 8) + 1, length) - 1 }
    })
    const second = huff.readUInt32BE(12)
    for (let length = 1; length <= 32; length++) {
      const at = second + 8 * (length - 1)
      this.#least.push(aligned(huff.readUInt32BE(at), length))
      this.#greatest.push(aligned(huff.readUInt32BE(at + 4) + 1, length) - 1)
    }
    for (const dictionary of dictionaries) this.#read(dictionary)
  }

  #read(dictionary: Buffer): void {
    if (dictionary.toString('latin1', 0, 4) !== 'CDIC') throw new DamagedFile('there is no dictionary')
    const left = dictionary.readUInt32BE(8) - this.#phrases.length
    const count = Math.min(2 ** Math.min(16, dictionary.readUInt32BE(12)), left)
    for (let index = 0; index < count; index++) {
      const at = 16 + dictionary.readUInt16BE(16 + 2 * index)
      const head = dictionary.readUInt16BE(at)
      const end = at + 2 + (head & 0x7fff)
      if (end > dictionary.length) throw new DamagedFile('a phrase breaks off')
      this.#phrases.push({ bytes: dictionary.subarray(at + 2, end), plain: (head & 0x8000) !== 0 })
    }
  }

  /** Decompresses one record. @throws DamagedFile when it, or a phrase it uses, is damaged */
  unpack(packed: Uint8Array, depth = 0): Buffer {
    if (depth > DEPTH_LIMIT) throw new DamagedFile('phrases are nested too deeply')
    const parts: Uint8Array[] = []
    let length = 0
    const bits = packed.length * 8
    for (let at = 0; at < bits; ) {
      const window = windowAt(packed, at)
      const code = this.#codes[window >>> 24]!
      let { length: codeLength, greatest } = code
      if (codeLength === 0) throw new DamagedFile('no such code')
      if (!code.terminal) {
        while (codeLength <= 32 && window < this.#least[codeLength]!) codeLength++
        if (codeLength > 32) throw new DamagedFile('no such code')
        greatest = this.#greatest[codeLength]!
      }
      at += codeLength
      if (at > bits) break
      const phrase = this.#phrase(Math.floor((greatest - window) / 2 ** (32 - codeLength)), depth)
      parts.push(phrase)
      length += phrase.length
      if (length > RECORD_BYTES_LIMIT) throw new DamagedFile('a record is too long')
    }
    return Buffer.concat(parts, length)
  }

  #phrase(index: number, depth: number): Uint8Array {
    const phrase = this.#phrases[index]
    if (!phrase) throw new DamagedFile('no such phrase')
    if (!phrase.plain) {
      phrase.bytes = this.unpack(phrase.bytes, depth + 1)
      phrase.plain = true
      this.#unpackedBytes += phrase.bytes.length
      if (this.#unpackedBytes > PHRASES_BYTES_LIMIT) throw new DamagedFile('phrases are too long')
    }
    return phrase.bytes
  }
}

const aligned = (code: number, length: number) => code * 2 ** (32 - length)

/** The 32 bits from a bit on, padded with zeros after the end. */
function windowAt(bytes: Uint8Array, bit: number): number {
  const at = bit >>> 3
  const shift = bit & 7
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = bytes.subarray(at, at + 5)
  const word = (a << 24) | (b << 16) | (c << 8) | d
  return shift === 0 ? word >>> 0 : ((word << shift) | (e >>> (8 - shift))) >>> 0
}
