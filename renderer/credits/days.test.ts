import { expect, test } from 'vitest'
import { axisTop, everyDay } from './days.ts'

test('days without jobs are filled in, up to today', () => {
  const days = everyDay([{ day: '2026-11-18', spent: 4, jobs: 2 }], 3, new Date(2026, 10, 20, 9))
  expect(days).toEqual([
    { day: '2026-11-18', spent: 4, jobs: 2 },
    { day: '2026-11-19', spent: 0, jobs: 0 },
    { day: '2026-11-20', spent: 0, jobs: 0 },
  ])
})

test.each([
  [0, 2],
  [2, 2],
  [7, 8],
  [37, 40],
  [118, 200],
  [1001, 2000],
])('an axis for %i ends at %i', (value, top) => {
  expect(axisTop(value)).toBe(top)
})
