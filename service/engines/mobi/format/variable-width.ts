/** Integers of Kindle indexes: 7 bits in each byte, the most significant first, with the top bit set on the last byte. */

const LONGEST_BYTES = 5

export interface Variable {
  value: number
  /** Where the next one begins. */
  next: number
}

/** @throws RangeError when the number does not end within five bytes or within the data */
export function readVariable(bytes: Uint8Array, at: number): Variable {
  let value = 0
  for (let next = at; next < at + LONGEST_BYTES; ) {
    const byte = bytes[next++]
    if (byte === undefined) break
    value = value * 128 + (byte & 0x7f)
    if (byte & 0x80) return { value, next }
  }
  throw new RangeError('a number does not end')
}

export function variableBytes(value: number): number[] {
  const bytes = [(value % 128) | 0x80]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(rest % 128)
  return bytes
}
