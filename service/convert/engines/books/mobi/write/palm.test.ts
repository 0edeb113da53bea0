/** Text and tables of Palm databases, read as their descriptions say (https://wiki.mobileread.com/wiki/PalmDOC, …/PDB). */
import { expect, test } from 'vitest'
import { databaseHead } from './palm-database.ts'
import { compress, RECORD_BYTES } from './palmdoc.ts'

function unpacked(packed: Uint8Array): Buffer {
  const text: number[] = []
  for (let at = 0; at < packed.length; ) {
    const byte = packed[at++]!
    if (byte >= 1 && byte <= 8) for (let left = byte; left > 0; left--) text.push(packed[at++]!)
    else if (byte < 0x80) text.push(byte)
    else if (byte >= 0xc0) text.push(0x20, byte ^ 0x80)
    else {
      const pair = ((byte << 8) | packed[at++]!) & 0x3fff
      expect(pair >> 3).toBeGreaterThan(0)
      for (let left = (pair & 7) + 3; left > 0; left--) text.push(text[text.length - (pair >> 3)]!)
    }
  }
  return Buffer.from(text)
}

const prose = Buffer.from(
  'The quick brown fox jumps over the lazy dog, and then the quick brown fox rests. '.repeat(60),
)

test.each<[string, Buffer]>([
  ['prose', prose.subarray(0, RECORD_BYTES)],
  ['nothing', Buffer.alloc(0)],
  ['one letter many times', Buffer.alloc(RECORD_BYTES, 'a')],
  ['every byte', Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256))],
  ['words of two bytes a letter', Buffer.from('Привет мир. Ελληνικά. '.repeat(40))],
  ['a space at the end, and before digits', Buffer.from('a 1 b ')],
])('%s', (_, text) => {
  expect(unpacked(compress(text)).equals(text)).toBe(true)
})

test('repetitions become copies, and bytes outside ASCII cost an eighth more at most', () => {
  expect(compress(prose.subarray(0, RECORD_BYTES)).length).toBeLessThan(RECORD_BYTES / 2.5)
  const noise = Buffer.from(
    Array.from({ length: RECORD_BYTES }, (_, at) => 128 + ((at * at * 31 + (at >> 3)) % 127)),
  )
  expect(compress(noise).length).toBeLessThanOrEqual(RECORD_BYTES * 1.125)
})

test('the table of a database says where each record begins', () => {
  const records = [Buffer.alloc(5, 1), Buffer.alloc(0), Buffer.alloc(7, 2)]
  const file = Buffer.concat([databaseHead('Größe & Ça', new Date('2020-01-01'), records), ...records])
  expect(file.toString('latin1', 0, 32).replace(/\0+$/, '')).toBe('Gro_e_&_Ca')
  expect(file.toString('latin1', 60, 68)).toBe('BOOKMOBI')
  expect(file.readUInt32BE(36)).toBe(Date.parse('2020-01-01') / 1000)
  const places = Array.from({ length: file.readUInt16BE(76) }, (_, at) => file.readUInt32BE(78 + 8 * at))
  expect(places.map((from, at) => file.subarray(from, places[at + 1]))).toEqual(records)
})

test('a title of which no letter can be kept, and more records than a database has', () => {
  expect(Buffer.from(databaseHead('日本語', new Date(0), [Buffer.alloc(1)])).toString('latin1', 0, 5)).toBe(
    'Book\0',
  )
  const many = Array.from({ length: 65_536 }, () => Buffer.alloc(0))
  expect(() => databaseHead('a', new Date(0), many)).toThrow(
    expect.objectContaining({ code: 'jobs.too_large' }),
  )
})
