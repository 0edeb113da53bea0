import { expect, test } from 'vitest'
import { GivingWay } from './giving-way.ts'

test('without conversions, thumbnails use all their places', () => {
  const giving = new GivingWay(2)
  expect(giving.rest(500, 0, 0)).toBe(0)
  expect(giving.places(2, 0, 1)).toBe(2)
})

test('beside a conversion, thumbnails are made one at a time with a rest after each', () => {
  const giving = new GivingWay(4)
  expect(giving.places(2, 1, 0)).toBe(1)
  const restMs = giving.rest(100, 1, 1000)
  expect(restMs).toBe(900)
  expect(giving.places(2, 1, 1899)).toBe(0)
  expect(giving.places(2, 1, 1900)).toBe(1)
  // Once the conversion is over, there is no need to rest.
  expect(giving.places(2, 0, 1001)).toBe(2)
})

test('while conversions keep every core busy, no thumbnails are made', () => {
  const giving = new GivingWay(2)
  expect([giving.places(2, 2, 0), giving.places(2, 7, 0)]).toEqual([0, 0])
})
