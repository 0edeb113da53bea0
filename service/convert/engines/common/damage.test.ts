import { expect, test } from 'vitest'
import { readMobi } from '../books/mobi/read/book.ts'
import { DamagedFile, isDamage } from './damage.ts'

const thrown = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('a file is to blame for what a reader found, and for offsets beyond its end; not for mistakes of ours', () => {
  const bytes = Buffer.alloc(4)
  for (const work of [() => bytes.readUInt32BE(2), () => Buffer.alloc(-1), () => bytes.readUInt8(Number.NaN)])
    expect(isDamage(thrown(work))).toBe(true)
  expect(isDamage(new DamagedFile('a record is outside of the file'))).toBe(true)
  const endless = (): unknown => endless()
  for (const work of [endless, () => Array(-1), () => 'x'.repeat(-1), () => String.fromCodePoint(-1)]) {
    expect(thrown(work)).toBeInstanceOf(RangeError)
    expect(isDamage(thrown(work))).toBe(false)
  }
})

test('a mistake while a book is read is not told as damage of the book', () => {
  const file = Buffer.alloc(100)
  expect(thrown(() => readMobi(file))).toMatchObject({ code: 'jobs.corrupt_input' })
  file.readUInt16BE = () => Array(-1).length
  expect(thrown(() => readMobi(file))).toBeInstanceOf(RangeError)
})
