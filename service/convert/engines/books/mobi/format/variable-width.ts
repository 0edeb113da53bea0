/** Integers in Kindle indexes: 7 bits per byte, most significant first, with the top bit set in the last byte. */
import { DamagedFile } from '../../../common/damage.ts'

const LONGEST_BYTES = 5

export interface Variable {
  value: number
  /** Offset of the next one. */
  next: number
}

/** @throws DamagedFile when the number does not end within five bytes or within the data */
export function readVariable(bytes: Uint8Array, at: number): Variable {
  let value = 0
  for (let next = at; next < at + LONGEST_BYTES; ) {
    const byte = bytes[next++]
    if (byte === undefined) break
    value = value * 128 + (byte & 0x7f)
    if (byte & 0x80) return { value, next }
  }
  throw new DamagedFile('a number does not end')
}

export function variableBytes(value: number): number[] {
  const bytes = [(value % 128) | 0x80]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(rest % 128)
  return bytes
}
