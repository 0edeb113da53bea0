import { expect, test } from 'vitest'
import { kindOfName, kindsBySuffix } from './kinds.ts'
import { linesOf, REFUSED } from './layout.ts'
import { lineAfter, lineAt, nothingSelected, selectLine } from './selection.ts'
import { testChoice, testFile, testRow } from './test/row.ts'

const pdf = testFile('p', { format: 'pdf', targets: [testChoice('md', { category: 'documents' })] })
const rows = [
  testRow('p', { file: pdf, relativePath: 'trip/p.pdf' }),
  testRow('a', { relativePath: 'trip/raw/a.jpg' }),
  testRow('x', { file: testFile('x', { format: null, targets: [] }) }),
  testRow('b'),
]
const view = {
  groupBy: 'kind',
  sortBy: 'time',
  toggled: new Set<string>(),
  hidden: new Set<string>(),
} as const
const keysOf = (lines: readonly { key: string }[]) => lines.map(({ key }) => key)

test('groups are in the order of kinds or folders, rows in the order they were added, and refused files in one line', () => {
  expect(keysOf(linesOf(rows, view))).toEqual(['g:kind:images', 'a', 'b', 'g:kind:documents', 'p', REFUSED])
  expect(keysOf(linesOf(rows, { ...view, groupBy: 'folder' }))).toEqual([
    ...['g:folder:trip', 'p', 'g:folder:trip/raw', 'a', 'g:folder:', 'b'],
    REFUSED,
  ])
  const toggled = new Set(['g:kind:images', REFUSED])
  const hidden = new Set(['p'])
  expect(keysOf(linesOf(rows, { ...view, toggled, hidden }))).toEqual(['g:kind:images', REFUSED, 'x'])
})

test('rows of a group can be ordered by name, by size, and by what needs attention', () => {
  const chosen = { target: 'png' }
  const some = [
    testRow('10', { ...chosen, name: 'Scan 10.jpg', bytes: 1 }),
    testRow('9', { ...chosen, name: 'Scan 9.jpg', bytes: 3 }),
    testRow('1', { name: 'Scan 1.jpg', bytes: 2, target: null }),
  ]
  const orderBy = (sortBy: 'name' | 'size' | 'problem') => keysOf(linesOf(some, { ...view, sortBy })).slice(1)
  expect(orderBy('name')).toEqual(['1', '9', '10'])
  expect(orderBy('size')).toEqual(['9', '1', '10'])
  expect(orderBy('problem')).toEqual(['1', '10', '9'])
})

test('lines can be selected alone, in addition, and as a range without headers', () => {
  const lines = linesOf(rows, view)
  const one = selectLine(lines, nothingSelected, 'b')
  expect(one).toEqual({ selected: new Set(['b']), cursor: 'b', anchor: 'b' })
  expect(selectLine(lines, one, 'p', { range: true }).selected).toEqual(new Set(['b', 'p']))
  expect(selectLine(lines, one, 'p', { toggle: true }).selected).toEqual(new Set(['b', 'p']))
  expect(selectLine(lines, one, 'b', { toggle: true }).selected).toEqual(new Set())
  expect(selectLine(lines, one, 'g:kind:images').selected).toEqual(new Set())
})

test('the keyboard stops at both ends, and after a removal moves to the next remaining file', () => {
  const lines = linesOf(rows, view)
  expect(lineAt(lines, 'a', 1)).toBe('b')
  expect(lineAt(lines, 'a', -99)).toBe('g:kind:images')
  expect(lineAt(lines, null, 1)).toBe('g:kind:images')
  expect(lineAfter(lines, new Set(['a']), 'a')).toBe('b')
  expect(lineAfter(lines, new Set(['a', 'b']), 'a')).toBe('p')
  expect(lineAfter(lines, new Set(['p']), 'p')).toBe('b')
  expect(lineAfter(lines, new Set(['a', 'b', 'p', 'x']), 'a')).toBeNull()
})

test('the name determines the category of a file; conversions of all recordings say nothing about a video', () => {
  const conversion = (job: string, category: string, inputFormats: string[]) => ({
    ...{ job, category, inputFormats },
    costing: { strategy: 'Flat', baseCost: 1, displaySuffix: '' } as never,
  })
  const known = kindsBySuffix({
    conversions: [
      conversion('audio.audio-to-txt', 'audio', ['mp3', 'mp4']),
      conversion('video.mp4-to-mp3', 'video', ['mp4']),
      conversion('archive.tar-gz-to-zip', 'archives', ['tar-gz', 'tar.gz', 'tgz']),
    ],
  })
  expect(kindOfName('Clip.MP4', known)).toBe('video')
  expect(kindOfName('song.mp3', known)).toBe('audio')
  expect(kindOfName('backup.tar.gz', known)).toBe('archives')
  expect(kindOfName('README', known)).toBeNull()
})
