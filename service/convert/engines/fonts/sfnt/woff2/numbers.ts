/** Numbers of variable length: https://www.w3.org/TR/WOFF2/#table_dir_format and #255UInt16 */
import { type ByteWriter, damagedFont, type FontCursor } from '../data.ts'

/** UIntBase128: seven bits a byte, the highest first. @throws JobFailure corrupt_input */
export function readBase128(cursor: FontCursor): number {
  let value = 0
  for (let i = 0; i < 5; i++) {
    const byte = cursor.u8()
    if (i === 0 && byte === 0x80) throw damagedFont()
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      if (value > 0xffff_ffff) throw damagedFont()
      return value
    }
  }
  throw damagedFont()
}

export function writeBase128(out: ByteWriter, value: number): void {
  const groups = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    groups.unshift((rest & 0x7f) | 0x80)
  }
  out.bytes(groups)
}

export function read255(cursor: FontCursor): number {
  const code = cursor.u8()
  if (code === 253) return cursor.u16()
  if (code === 254) return cursor.u8() + 506
  if (code === 255) return cursor.u8() + 253
  return code
}

export function write255(out: ByteWriter, value: number): void {
  if (value < 253) out.u8(value)
  else if (value < 506) out.bytes([255, value - 253])
  else if (value < 762) out.bytes([254, value - 506])
  else {
    out.u8(253)
    out.u16(value)
  }
}
