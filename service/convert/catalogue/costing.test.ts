import { expect, it } from 'vitest'
import { exceeds, measured, perMinute, perPage, unitsOf } from './costing.ts'

it.each([
  [30, 6],
  [1800.02 / 60, 6],
  [1800.999 / 60, 6],
  [1801 / 60, 7],
  [0, 1],
  [299.5 / 60, 1],
  [undefined, 1],
])('%s minutes are %i units of five', (minutes, units) => {
  expect(unitsOf(perMinute(5), measured(minutes === undefined ? {} : { minutes }))).toBe(units)
})

it('every whole second counts', () => {
  for (let seconds = 1; seconds < 20_000; seconds++) {
    const units = Math.ceil(seconds / 60)
    expect(unitsOf(perMinute(1), measured({ minutes: seconds / 60 }))).toBe(units)
  }
})

it.each([
  ['as long as it said', 30, 30, false],
  ['longer by padding', 30, 1800.2 / 60, false],
  ['longer by what is tolerated', 30, 30.3, false],
  ['longer by more', 30, 30.4, true],
  ['longer, but within what was paid for', 26, 30, false],
  ['a second that is half an hour', 1 / 60, 30, true],
  ['not measured, and short', undefined, 4.9, false],
  ['not measured, and long', undefined, 30, true],
])('%s', (_, charged, read, over) => {
  expect(exceeds(perMinute(5), charged === undefined ? {} : { minutes: charged }, { minutes: read })).toBe(
    over,
  )
})

it('pages are counted exactly', () => {
  expect(exceeds(perPage(5), { pages: 10 }, { pages: 10 })).toBe(false)
  expect(exceeds(perPage(5), { pages: 10 }, { pages: 11 })).toBe(true)
})
