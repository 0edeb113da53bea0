import { expect, test } from 'vitest'
import { pages } from '../../page-options.ts'
import { pageFilter, pagesIn } from './page-list.ts'

test.each([
  ['all', [1, 2, 3, 4, 5]],
  ['2', [2]],
  ['4-', [4, 5]],
  ['6-', []],
  ['0', []],
  ['last', [5]],
  ['last-1', [5, 4, 3, 2, 1]],
  ['4-last', [4, 5]],
  ['9-4', [5, 4]],
  ['odd', [1, 3, 5]],
  [' even', [2, 4]],
])('%s of five pages', (part, expected) => {
  expect(pagesIn(part, 5).map(page => page + 1)).toEqual(expected)
  const isChosen = pageFilter(`${part},3`, 5)
  expect([0, 1, 2, 3, 4].filter(isChosen).map(page => page + 1)).toEqual(
    [...new Set([...expected, 3])].toSorted((a, b) => a - b),
  )
})

test('lists have numbers, ranges and the names of pages, and may be long', () => {
  const accepted = new RegExp(pages.pattern!)
  for (const list of ['all', '1-3,7', 'last', 'odd, even', 'last-1', '2-last', '5-'])
    expect(list).toMatch(accepted)
  for (const list of ['', 'first', 'all,1', '1-odd', 'last-', '1,,2', '-3'])
    expect(list).not.toMatch(accepted)
  expect(Array.from({ length: 400 }, (_, page) => page + 1).join(',').length).toBeLessThan(pages.maxLength!)
})
