import { coordinatesTooLarge, type FontCursor } from '../../sfnt/data.ts'

/** Appends a number of a program: Adobe Technical Note 5177, section 3.2. @throws JobFailure unsupported_input */
export function writeNumber(out: number[], value: number): void {
  if (!Number.isInteger(value)) {
    const fixed = Math.round(value * 65_536)
    if (Math.abs(value) >= 32_768) throw coordinatesTooLarge()
    out.push(255, (fixed >> 24) & 0xff, (fixed >> 16) & 0xff, (fixed >> 8) & 0xff, fixed & 0xff)
  } else if (value >= -107 && value <= 107) out.push(value + 139)
  else if (value >= 108 && value <= 1131) out.push(((value - 108) >> 8) + 247, (value - 108) & 0xff)
  else if (value <= -108 && value >= -1131) out.push(((-value - 108) >> 8) + 251, (-value - 108) & 0xff)
  else if (value >= -32_768 && value <= 32_767) out.push(28, (value >> 8) & 0xff, value & 0xff)
  else throw coordinatesTooLarge()
}

/** The number that starts with `byte`, which is not an operator, and continues at the cursor. */
export function readNumber(cursor: FontCursor, byte: number): number {
  if (byte === 28) return cursor.i16()
  if (byte <= 246) return byte - 139
  if (byte <= 250) return (byte - 247) * 256 + cursor.u8() + 108
  if (byte <= 254) return -(byte - 251) * 256 - cursor.u8() - 108
  return cursor.i32() / 65_536
}
