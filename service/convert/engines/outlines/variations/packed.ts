/** Packed point numbers and changes: OpenType 1.9.1, "Packed point numbers" and "Packed deltas". */
import { type ByteWriter, damagedFont, type FontCursor } from '../../sfnt/data.ts'

/** Most numbers of one run. */
const RUN_LIMIT = 64

/** Numbers of points; undefined for all of them. @throws JobFailure corrupt_input */
export function readPointNumbers(cursor: FontCursor): number[] | undefined {
  let count = cursor.u8()
  if (count === 0) return undefined
  if (count & 0x80) count = ((count & 0x7f) << 8) | cursor.u8()
  const numbers: number[] = []
  let number = 0
  while (numbers.length < count) {
    const control = cursor.u8()
    for (let i = (control & 0x7f) + 1; i > 0; i--) {
      number += control & 0x80 ? cursor.u16() : cursor.u8()
      numbers.push(number)
    }
  }
  if (numbers.length > count) throw damagedFont()
  return numbers
}

/** @throws JobFailure corrupt_input */
export function readChanges(cursor: FontCursor, count: number): Float64Array {
  const changes = new Float64Array(count)
  for (let i = 0; i < count; ) {
    const control = cursor.u8()
    const end = i + (control & 0x3f) + 1
    if (end > count) throw damagedFont()
    for (; i < end; i++) changes[i] = control & 0x80 ? 0 : control & 0x40 ? cursor.i16() : cursor.i8()
  }
  return changes
}

export function writeChanges(out: ByteWriter, changes: ArrayLike<number>): void {
  const kindOf = (value: number) => (value === 0 ? 0x80 : value >= -128 && value <= 127 ? 0 : 0x40)
  for (let i = 0; i < changes.length; ) {
    const kind = kindOf(changes[i]!)
    let end = i + 1
    while (end < changes.length && end - i < RUN_LIMIT && kindOf(changes[end]!) === kind) end++
    out.u8(kind | (end - i - 1))
    for (; i < end; i++) {
      if (kind === 0x40) out.u16(changes[i]!)
      else if (kind === 0) out.u8(changes[i]!)
    }
  }
}
