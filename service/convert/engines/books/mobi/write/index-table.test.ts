import { expect, test } from 'vitest'
import type { NavigationEntry } from '../../book/model.ts'
import { TAGS } from '../format/tags.ts'
import { readIndex } from '../read/index-table.ts'
import { contentsRecords } from './contents.ts'
import { IndexStrings, indexRecords } from './index-table.ts'

const read = (records: readonly Uint8Array[]) =>
  readIndex(
    records.map(record => Buffer.from(record)),
    0,
    new TextDecoder(),
  )

test('an index with many records contains every entry and string', () => {
  const strings = new IndexStrings()
  const entries = Array.from({ length: 20_000 }, (_, index) => ({
    label: String(index * 8000).padStart(10, '0'),
    values: { 1: [index, 2 ** 28 + index], 2: [strings.add(`String ${index}`)] },
  }))
  const records = indexRecords(
    [
      [1, 1, 2],
      [2, 1],
    ],
    entries,
    strings,
  )
  expect(records.every(({ length }) => length < 0x10000)).toBe(true)
  const { entries: found, text } = read(records)
  expect(found.length).toBe(20_000)
  for (const index of [0, 1, 4711, 19_999]) {
    expect(found[index]?.label).toBe(String(index * 8000).padStart(10, '0'))
    expect(found[index]?.tags.get(1)).toEqual([index, 2 ** 28 + index])
    expect(text(found[index]?.tags.get(2)?.[0])).toBe(`String ${index}`)
  }
})

test('a string that is too long is truncated between characters', () => {
  const strings = new IndexStrings()
  const place = strings.add('é'.repeat(2000))
  const { text } = read(indexRecords([[1, 1]], [{ label: 'A', values: { 1: [place] } }], strings))
  expect(text(place)).toMatch(/^é{250}$/)
})

test('contents are listed level by level, and each entry extends to the next on its level or a higher one', () => {
  const entry = (title: string, href: string | null, children: NavigationEntry[] = []): NavigationEntry => ({
    title,
    href,
    children,
  })
  const book = [
    entry('One', '0', [entry('One A', '10'), entry('One B', '20')]),
    entry('Part', null, [entry('Two', '30')]),
    entry('Nowhere', 'gone'),
  ]
  const locate = (target: string) => (target === 'gone' ? undefined : { position: Number(target) })
  const { entries, text } = read(contentsRecords(book, locate, 100, false))
  const reported = entries.map(({ tags }) => {
    const value = (tag: number) => tags.get(tag)?.[0]
    const { title, position, length, depth, parent, firstChild, lastChild } = TAGS.contents
    return [text(value(title)), ...[position, length, depth, parent, firstChild, lastChild].map(value)]
  })
  expect(reported).toEqual([
    ['One', 0, 30, 0, undefined, 2, 3],
    ['Part', 30, 70, 0, undefined, 4, 4],
    ['One A', 10, 10, 1, 0, undefined, undefined],
    ['One B', 20, 10, 1, 0, undefined, undefined],
    ['Two', 30, 70, 1, 1, undefined, undefined],
  ])
})
