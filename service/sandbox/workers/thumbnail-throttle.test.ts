import { expect, test } from 'vitest'
import { ThumbnailThrottle } from './thumbnail-throttle.ts'

test('without conversions, thumbnails use all their places', () => {
  const throttle = new ThumbnailThrottle(2)
  expect(throttle.rest(500, 0, 0)).toBe(0)
  expect(throttle.places(2, 0, 1)).toBe(2)
})

test('beside a conversion, thumbnails are made one at a time with a rest after each', () => {
  const throttle = new ThumbnailThrottle(4)
  expect(throttle.places(2, 1, 0)).toBe(1)
  const restMs = throttle.rest(100, 1, 1000)
  expect(restMs).toBe(1900)
  expect(throttle.places(2, 1, 2899)).toBe(0)
  expect(throttle.places(2, 1, 2900)).toBe(1)
  // Once the conversion is over, there is no need to rest.
  expect(throttle.places(2, 0, 1001)).toBe(2)
})

test('while conversions keep every core busy, no thumbnails are made', () => {
  const throttle = new ThumbnailThrottle(2)
  expect([throttle.places(2, 2, 0), throttle.places(2, 7, 0)]).toEqual([0, 0])
})

test('in the gap between two conversions, no more thumbnails are made than beside them', () => {
  const throttle = new ThumbnailThrottle(2)
  throttle.ended(2, 1000)
  expect([throttle.places(2, 1, 1001), throttle.places(2, 0, 1299)]).toEqual([0, 0])
  expect([throttle.places(2, 1, 1300), throttle.places(2, 0, 1300)]).toEqual([1, 2])
  throttle.ended(1, 2000)
  expect(throttle.places(2, 0, 2299)).toBe(1)
  expect(throttle.rest(10, 0, 2299)).toBe(190)
  expect([throttle.places(2, 0, 2299), throttle.places(2, 0, 2300)]).toEqual([0, 2])
})
