/**
 * Unpacks PackBits data (Apple TN1023): a byte n < 128 is followed by n + 1 literal units, n > 128 by one unit to
 * repeat 257 - n times, 128 is ignored. Stops when either source or target ends.
 * @param unit bytes in a unit: 1, or 2 for 16-bit samples
 * @returns number of bytes written to `target`
 */
export function unpackBits(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  unit: 1 | 2 = 1,
): number {
  const size = target.length
  let from = start
  let to = 0
  while (from < end && to < size) {
    const code = source[from++]!
    if (code < 128) {
      const count = Math.min((code + 1) * unit, size - to, end - from)
      // Most runs are short, and a loop is faster for those than the call.
      if (count < 32) for (let i = 0; i < count; i++) target[to + i] = source[from + i]!
      else target.set(source.subarray(from, from + count), to)
      from += (code + 1) * unit
      to += count
    } else if (code > 128) {
      const count = Math.min((257 - code) * unit, size - to)
      if (from + unit > end) break
      if (unit === 1) target.fill(source[from]!, to, to + count)
      else
        for (let i = 0; i < count; i += 2) {
          target[to + i] = source[from]!
          target[to + i + 1] = source[from + 1]!
        }
      from += unit
      to += count
    }
  }
  return to
}
