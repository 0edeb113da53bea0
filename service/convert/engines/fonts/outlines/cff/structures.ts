/** The building blocks of CFF: Adobe Technical Note 5176, sections 4 and 5, and OpenType 1.9.1, table `CFF2`. */
import { damagedFont, FontCursor, type FontData } from '../../sfnt/data.ts'
import { readNumber } from './charstring-numbers.ts'

/** Operators of dictionaries; a two-byte operator is 1200 plus its second byte. */
export const operators = {
  fullName: 2,
  familyName: 3,
  fontBox: 5,
  charset: 15,
  encoding: 16,
  charStrings: 17,
  private: 18,
  subroutines: 19,
  defaultWidth: 20,
  nominalWidth: 21,
  variationIndex: 22,
  blend: 23,
  variationStore: 24,
  matrix: 1207,
  registry: 1230,
  glyphCount: 1234,
  fontDicts: 1236,
  fontDictSelect: 1237,
} as const

export type Dict = Map<number, number[]>

/**
 * Reads an INDEX.
 * @param wide whether its count has 32 bits, as in CFF2
 * @throws JobFailure corrupt_input
 */
export function readIndex(data: FontData, start: number, wide = false): { items: Uint8Array[]; end: number } {
  const count = wide ? data.u32(start) : data.u16(start)
  const header = start + (wide ? 4 : 2)
  if (count === 0) return { items: [], end: header }
  const size = data.u8(header)
  if (size < 1 || size > 4 || count * size > data.length) throw damagedFont()
  const offsetAt = (index: number): number => {
    const at = header + 1 + index * size
    if (size === 1) return data.u8(at)
    if (size === 2) return data.u16(at)
    return size === 3 ? data.u24(at) : data.u32(at)
  }
  const base = header + (count + 1) * size
  const items = new Array<Uint8Array>(count)
  let from = offsetAt(0)
  for (let index = 0; index < count; index++) {
    const to = offsetAt(index + 1)
    if (to < from) throw damagedFont()
    items[index] = data.slice(base + from, to - from)
    from = to
  }
  return { items, end: base + from }
}

/** Reads a DICT. Only the default of variable numbers is kept. @throws JobFailure corrupt_input */
export function readDict(bytes: Uint8Array): Dict {
  const cursor = new FontCursor(bytes)
  const dict: Dict = new Map()
  let operands: number[] = []
  while (!cursor.atEnd) {
    const byte = cursor.u8()
    if (byte <= 27) {
      const operator = byte === 12 ? 1200 + cursor.u8() : byte
      if (operator === operators.blend) operands = operands.slice(0, operands.pop())
      else {
        dict.set(operator, operands)
        operands = []
      }
    } else operands.push(readOperand(cursor, byte))
    if (operands.length > 513) throw damagedFont()
  }
  return dict
}

function readOperand(cursor: FontCursor, byte: number): number {
  if (byte === 29) return cursor.i32()
  if (byte === 30) return readReal(cursor)
  if (byte === 31 || byte === 255) throw damagedFont()
  return readNumber(cursor, byte)
}

const REAL_END = 15
const realDigits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-']

function readReal(cursor: FontCursor): number {
  let text = ''
  for (;;) {
    const byte = cursor.u8()
    for (const nibble of [byte >> 4, byte & 15]) {
      if (nibble === REAL_END) return Number.parseFloat(text) || 0
      text += realDigits[nibble]
    }
  }
}

/** Bytes of an INDEX. */
export function writeIndex(items: readonly Uint8Array[]): Buffer {
  const count = items.length
  if (count === 0) return Buffer.alloc(2)
  const end = items.reduce((sum, item) => sum + item.length, 1)
  const size = end < 0x100 ? 1 : end < 0x1_0000 ? 2 : end < 0x100_0000 ? 3 : 4
  const header = Buffer.alloc(3 + size * (count + 1))
  header.writeUInt16BE(count, 0)
  header[2] = size
  let offset = 1
  for (let index = 0; index <= count; index++) {
    header.writeUIntBE(offset, 3 + index * size, size)
    offset += items[index]?.length ?? 0
  }
  return Buffer.concat([header, ...items])
}

/** Bytes of a DICT. Offsets always take five bytes, so that its size does not depend on them. */
export function writeDict(
  entries: readonly (readonly [operator: number, operands: readonly number[]])[],
): Buffer {
  const bytes: number[] = []
  for (const [operator, operands] of entries) {
    for (const operand of operands) {
      if (Number.isInteger(operand)) bytes.push(29, operand >>> 24, operand >>> 16, operand >>> 8, operand)
      else bytes.push(...realBytes(operand))
    }
    if (operator >= 1200) bytes.push(12, operator - 1200)
    else bytes.push(operator)
  }
  return Buffer.from(bytes)
}

function realBytes(value: number): number[] {
  const text = value.toString().toUpperCase().replace('E-', 'e').replace('E+', 'E')
  const nibbles = Array.from(text, letter =>
    letter === 'e' ? realDigits.indexOf('E-') : realDigits.indexOf(letter),
  )
  nibbles.push(REAL_END)
  if (nibbles.length % 2) nibbles.push(REAL_END)
  const bytes = [30]
  for (let i = 0; i < nibbles.length; i += 2) bytes.push((nibbles[i]! << 4) | nibbles[i + 1]!)
  return bytes
}
