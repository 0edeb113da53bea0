import { expect, test } from 'vitest'
import { afterKey } from '../../ui/slider-keys.ts'
import { divided, edgesOf, moved, nearest, valuesOf } from './span.ts'

test('handles move in steps, stay within the recording, and never pass each other', () => {
  const start = (to: number) => moved(0, to, [10, 20], 60)[0]
  const end = (to: number, total: number, edges = [10, 20]) => moved(1, to, edges, total)[1]
  expect([12.34, -5, 30].map(start)).toEqual([12.3, 0, 19.9])
  expect(end(5, 60)).toBe(10.1)
  expect(end(99, 60.04)).toBe(60.04)
  expect(end(1234.6, 3600, [0, 3600])).toBe(1235)
})

test('keys move by one step or ten, or to an end', () => {
  const hour = { most: 3600, step: 1, far: 10 }
  expect(afterKey('ArrowRight', 5, hour)).toBe(6)
  expect(afterKey('PageDown', 50, hour)).toBe(40)
  expect(afterKey('End', 5, hour)).toBe(3600)
  expect(afterKey('a', 5, hour)).toBeUndefined()
  expect([11, 19].map(at => nearest(at, [10, 20]))).toEqual([0, 1])
})

test('parts are read, written and divided, and stay apart and on frames', () => {
  const edges = edgesOf({ parts: '0:01-0:02.5, 4-' }, 8)
  expect(edges).toEqual([1, 2.5, 4, 8])
  expect(valuesOf(edges, 8)).toEqual({ parts: '0:01-0:02.5, 0:04-0:08' })
  expect(valuesOf(edgesOf({ start: 1 }, 8), 8)).toEqual({ start: 1 })
  expect(edgesOf({ parts: 'soon', start: 5, end: 3 }, 8)).toEqual([5, 5])
  expect(moved(2, 2.2, edges, 8, 25)).toEqual([1, 2.5, 2.52, 8])
  expect(moved(1, 1.31, edges, 8, 25)).toEqual([1, 1.32, 4, 8])
  expect(nearest(3.5, edges)).toBe(2)
  expect(divided(edges, 8, 25)).toEqual([1, 2.5, 4, 5.32, 6.68, 8])
})
