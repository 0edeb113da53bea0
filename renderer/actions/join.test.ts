import { expect, test, vi } from 'vitest'
import { testChoice, testFile, testRow } from '../convert/state/rows/test/row.ts'
import { linesNow } from '../convert/state/rows/useLines.ts'
import { useTable } from '../convert/state/store.ts'
import { possible, subjectOf } from './action.ts'
import { join } from './join.ts'

test('what can be joined is found once, however often it is asked whether and what for', () => {
  const targets = [testChoice('pdf', { category: 'images' })]
  const rows = ['a', 'b', 'c'].map(key => testRow(key, { file: testFile(key, { targets }) }))
  const all = new Map(rows.map(row => [row.key, row]))
  useTable.setState({ rows: all })
  const read = vi.spyOn(all, 'get')
  const on = subjectOf(rows, linesNow())
  expect(possible([join], on)).toEqual([join])
  expect([join.name(on), join.name(on)]).toEqual(['Join into one PDF', 'Join into one PDF'])
  expect(read).toHaveBeenCalledTimes(rows.length)
})
