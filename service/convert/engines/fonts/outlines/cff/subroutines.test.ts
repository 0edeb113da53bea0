import { expect, test } from 'vitest'
import { SharedContours } from './subroutines.ts'

test('numbers of subroutines stay above those that OpenType Sanitiser misreads', () => {
  const shared = new SharedContours()
  const programs = Array.from({ length: 40_000 }, (_, i) => Buffer.from(`program ${i}`))
  for (const program of programs) for (let use = 0; use < 2; use++) shared.count(program)
  const chosen = shared.choose()
  const [short, call] = [28, 29]
  for (const program of chosen.slice(0, 5000)) {
    const out: number[] = []
    shared.write(out, program.subarray(0, -1))
    expect(out.at(-1)).toBe(call)
    // In 16 bits, negative numbers are read as positive ones.
    if (out[0] === short) expect(out[1]).toBeLessThan(0x80)
  }
})
