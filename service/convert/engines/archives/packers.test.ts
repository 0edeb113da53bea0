import { randomBytes } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ConcurrencyLimit } from '../common/concurrency.ts'
import { Packers } from './packers.ts'

test('files are packed one after another, and what packing makes no smaller is left', async () => {
  using packers = new Packers(6, new ConcurrencyLimit(2))
  const contents = [1, 500, 40_000, 1_000_000].map(length =>
    Buffer.from(Array.from({ length }, (_, index) => (index * index) >> 9)),
  )
  const packed = await Promise.all([...contents, randomBytes(300_000)].map(bytes => packers.pack(bytes)))
  expect(packed.map(bytes => bytes !== undefined)).toEqual([false, true, true, true, false])
  for (const [index, bytes] of packed.entries()) {
    if (bytes) expect(inflateRawSync(bytes).equals(contents[index]!)).toBe(true)
  }
})
