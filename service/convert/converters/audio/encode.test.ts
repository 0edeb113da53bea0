import { expect, test } from 'vitest'
import { clock } from './encode.ts'

test.each([
  [3, '0:03.0'],
  [9.94, '0:09.9'],
  [9.97, '0:10'],
  [59.99, '0:59'],
  [125, '2:05'],
])('%d seconds are shown as %s', (seconds, text) => {
  expect(clock(seconds)).toBe(text)
})
