import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inflateSmall, ScratchBuffer } from './inflate-small.ts'

const entry = (
  text: string,
  { crc = crc32(text), bytes = text.length, packed = deflateRawSync(text) } = {},
) => ({
  record: { crc, bytes },
  packed,
})

const unpacked = async (...entries: ReturnType<typeof entry>[]) =>
  (await inflateSmall(entries, new ScratchBuffer()))?.map(String)

test('entries are unpacked with one call, in order, including empty ones', async () => {
  const texts = ['a', '', 'some more '.repeat(5000), 'b']
  expect(await unpacked(...texts.map(text => entry(text)))).toEqual(texts)
  expect(await unpacked()).toEqual([])
})

test.each([
  ['a wrong checksum', entry('abc', { crc: 1 })],
  ['more bytes than it says', entry('abc', { bytes: 2 })],
  ['fewer bytes than it says', entry('abc', { bytes: 4 })],
  ['an end that is missing', entry('abc', { packed: deflateRawSync('abc').subarray(0, -1) })],
  [
    'something behind its end',
    entry('abc', { packed: Buffer.concat([deflateRawSync('abc'), Buffer.from('?')]) }),
  ],
])('with %s, none of them is accepted', async (_, damaged) => {
  expect(await unpacked(entry('before'), damaged, entry('after'))).toBeUndefined()
})

test("an entry that contains another's frame does not shift those after it", async () => {
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32('x'), 0)
  trailer.writeUInt32LE(1, 4)
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
  const packed = Buffer.concat([deflateRawSync('x'), trailer, header, deflateRawSync('abc')])
  expect(await unpacked(entry('abc', { packed }), entry('after'))).toBeUndefined()
})
