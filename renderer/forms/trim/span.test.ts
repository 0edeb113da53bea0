import { expect, test } from 'vitest'
import { afterKey } from '../../ui/slider-keys.ts'
import { moved, nearer } from './span.ts'

test('handles move in steps, stay within the recording, and never pass each other', () => {
  const span = { start: 10, end: 20 }
  expect(moved('start', 12.34, span, 60)).toBe(12.3)
  expect(moved('start', -5, span, 60)).toBe(0)
  expect(moved('start', 30, span, 60)).toBe(19.9)
  expect(moved('end', 5, span, 60)).toBe(10.1)
  expect(moved('end', 99, span, 60.04)).toBe(60.04)
  expect(moved('end', 1234.6, { start: 0, end: 3600 }, 3600)).toBe(1235)
})

test('keys move by one step or ten, or to an end', () => {
  const hour = { most: 3600, step: 1, far: 10 }
  expect(afterKey('ArrowRight', 5, hour)).toBe(6)
  expect(afterKey('PageDown', 50, hour)).toBe(40)
  expect(afterKey('End', 5, hour)).toBe(3600)
  expect(afterKey('a', 5, hour)).toBeUndefined()
  expect([nearer(11, { start: 10, end: 20 }), nearer(19, { start: 10, end: 20 })]).toEqual(['start', 'end'])
})
