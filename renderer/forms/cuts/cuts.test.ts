import { expect, test } from 'vitest'
import { cutsOf, partsOf } from './cuts.ts'

test('cuts become the parts that would be typed, and are read of them again', () => {
  expect(partsOf(new Set([4, 2]), 6)).toBe('1-2,3-4,5-6')
  expect(partsOf(new Set([1, 2]), 3)).toBe('1,2,3')
  expect(partsOf(new Set(), 3)).toBeUndefined()
  expect(cutsOf('1-2, 3-4,5-6', 6)).toEqual(new Set([2, 4]))
  expect(cutsOf('1,2-3', 3)).toEqual(new Set([1]))
})

test.each(['all', '3-4,1-2', '1-2', '1-2,4-6', '1-2,3-9', '1-,2', 'odd', '', undefined, 7])(
  '%s is no such cut',
  parts => {
    expect(cutsOf(parts, 6)).toEqual(new Set())
  },
)
