/** Image file directories of TIFF (TIFF 6.0, section 2), which EXIF blocks and camera files also consist of. */

/** Size of one value by type; 13 points to a directory, 16 to 18 are BigTIFF's. */
const TYPE_BYTES: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8 },
  ...{ 13: 4, 16: 8, 17: 8, 18: 8 },
}

/** Size of one value of a type, 0 for unknown types. */
export const typeBytes = (type: number): number => TYPE_BYTES[type] ?? 0

export interface IfdEntry {
  tag: number
  type: number
  count: number
  /** The values as stored in the file, in its byte order. */
  value: Uint8Array
}

/** Types of fractions, which consist of two numbers of four bytes. */
const FRACTIONS = new Set([5, 10])

/** An entry in the other byte order. */
export function swapped(entry: IfdEntry): IfdEntry {
  const value = Buffer.from(entry.value)
  const unit = FRACTIONS.has(entry.type) ? 4 : typeBytes(entry.type)
  if (unit === 2) value.swap16()
  if (unit === 4) value.swap32()
  if (unit === 8) value.swap64()
  return { ...entry, value }
}

const ENTRY_BYTES = 12

/** Size of a value stored outside its entry, padded to an even length; 0 if it fits into the entry. */
const bytesBeside = ({ value }: IfdEntry) => (value.length > 4 ? value.length + (value.length & 1) : 0)

/** Size of a directory with all its values. */
export const directoryBytes = (entries: readonly IfdEntry[]): number =>
  entries.reduce((sum, entry) => sum + ENTRY_BYTES + bytesBeside(entry), 2 + 4)

/** Writes TIFF in a given byte order. */
export class TiffWriter {
  readonly littleEndian: boolean

  constructor(littleEndian: boolean) {
    this.littleEndian = littleEndian
  }

  /** An entry of numbers. */
  entry(tag: number, type: 3 | 4, ...numbers: number[]): IfdEntry {
    return { tag, type, count: numbers.length, value: this.numbers(type === 3 ? 2 : 4, ...numbers) }
  }

  /** Unsigned numbers of 2 or 4 bytes each. */
  numbers(size: 2 | 4, ...numbers: number[]): Buffer {
    const bytes = Buffer.alloc(size * numbers.length)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (const [index, number] of numbers.entries()) {
      if (size === 2) view.setUint16(index * 2, number, this.littleEndian)
      else view.setUint32(index * 4, number, this.littleEndian)
    }
    return bytes
  }

  /** The eight bytes at the start of a file. */
  header(firstDirectory = 8): Buffer {
    const order = Buffer.from(this.littleEndian ? 'II' : 'MM', 'latin1')
    return Buffer.concat([order, this.numbers(2, 42), this.numbers(4, firstDirectory)])
  }

  /**
   * A directory and the values that do not fit into its entries.
   * @param at its position in the file
   * @param next position of the next directory; 0 if there is none
   */
  directory(entries: readonly IfdEntry[], at: number, next = 0): Buffer {
    const sorted = entries.toSorted((a, b) => a.tag - b.tag)
    const head: Uint8Array[] = [this.numbers(2, sorted.length)]
    const beside: Uint8Array[] = []
    let place = at + 2 + ENTRY_BYTES * sorted.length + 4
    for (const entry of sorted) {
      const { tag, type, count, value } = entry
      head.push(this.numbers(2, tag, type), this.numbers(4, count))
      if (value.length <= 4) {
        head.push(value, Buffer.alloc(4 - value.length))
        continue
      }
      head.push(this.numbers(4, place))
      beside.push(value, Buffer.alloc(value.length & 1))
      place += bytesBeside(entry)
    }
    return Buffer.concat([...head, this.numbers(4, next), ...beside])
  }
}
