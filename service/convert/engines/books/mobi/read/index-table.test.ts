import { expect, test } from 'vitest'
import { isDamage } from '../../../common/damage.ts'
import { TAGS } from '../format/tags.ts'
import { readIndex } from './index-table.ts'

const decoder = new TextDecoder()

const number = (value: number, bytes = 4) => value.toString(16).padStart(bytes * 2, '0')

/** An index record: a header with the given fields, entries, and their offsets. */
function record(fields: Record<number, number>, rows: string, entries: readonly string[]): Buffer {
  const head = Buffer.alloc(192)
  head.write('INDX')
  const parts = [head, Buffer.from(rows, 'hex'), ...entries.map(entry => Buffer.from(entry, 'hex'))]
  const places: number[] = []
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (index > 1) places.push(at)
    at += part.length
  }
  const all = { 4: 192, 20: at, 24: entries.length, ...fields }
  for (const [offset, value] of Object.entries(all)) head.writeUInt32BE(value, Number(offset))
  const table = Buffer.from(places.map(place => number(place, 2)).join(''), 'hex')
  return Buffer.concat([...parts, Buffer.from('IDXT'), table])
}

const tagx = (...rows: string[]) =>
  `54414758${number(12 + 4 * (rows.length + 1))}00000001${rows.join('')}00000001`

const skeletonRows = tagx('01010300', '06020c00')

test('reads values that are counted in the control byte', () => {
  const records = [
    record({ 24: 1 }, skeletonRows, []),
    // Two groups of each tag: fragments twice, start and length twice.
    record({}, '', [`0141${'0a'}${'83'}${'83'}${'1d85'}${'04cf'}${'1d85'}${'04cf'}`]),
  ]
  const [entry] = readIndex(records, 0, decoder).entries
  expect(entry?.label).toBe('A')
  expect(entry?.tags.get(TAGS.skeleton.fragments)).toEqual([3, 3])
  expect(entry?.tags.get(TAGS.skeleton.place)).toEqual([3717, 591, 3717, 591])
})

test('reads values with a byte count, and texts', () => {
  const rows = tagx('01010100', '03010200', '16010c00')
  const records = [
    record({ 24: 1, 52: 1 }, rows, []),
    // All bits of the third tag are set, so its values are preceded by their size in bytes.
    record({}, '', [`0130${'0f'}${'83'}${'85'}${'86'}${'81'}${'82'}${'0183'}`]),
    Buffer.from('\x00\x00\x00\x00\x00\x85Title', 'latin1'),
  ]
  const { entries, text } = readIndex(records, 0, decoder)
  expect(Object.fromEntries(entries[0]?.tags ?? [])).toEqual({
    [TAGS.contents.position]: [5],
    [TAGS.contents.title]: [6],
    [TAGS.contents.firstChild]: [1, 2, 131],
  })
  expect(text(5)).toBe('Title')
  expect(text(undefined)).toBe('')
})

test.each([
  ['more entries than a book has', { 24: 600_000 }],
  ['more entries than it lists', { 24: 3 }],
  ['a list of places outside of it', { 20: 0xffff_fff0 }],
])('an index with %s is damaged', (_, fields) => {
  const records = [record({ 24: 1 }, skeletonRows, []), record(fields, '', [`0141${'00'}`])]
  expect(() => readIndex(records, 0, decoder)).toThrow(expect.toSatisfy(isDamage))
})

test('missing records are treated as damage', () => {
  expect(() => readIndex([record({ 24: 0xffff_ffff }, skeletonRows, [])], 0, decoder)).toThrow(
    expect.toSatisfy(isDamage),
  )
})
