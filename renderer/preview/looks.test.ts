import { expect, test } from 'vitest'
import { afterKey } from '../ui/slider-keys.ts'
import { underPointer } from './picture/boundary.ts'
import { sizeInWords } from './result-size.ts'
import { clock } from './sound/clock.ts'
import { segmentsOf } from './sound/segments.ts'

test('the divider moves in the direction of the arrow keys, in both reading directions', () => {
  const divider = { most: 100, step: 2, far: 10 }
  expect(afterKey('ArrowRight', 50, divider)).toBe(52)
  expect(afterKey('ArrowRight', 50, { ...divider, isReversed: true })).toBe(48)
  expect(afterKey('PageUp', 99, divider)).toBe(100)
  expect(afterKey('Home', 50, { ...divider, isReversed: true })).toBe(0)
  expect(afterKey('a', 50, divider)).toBeUndefined()
  expect(underPointer(25, { left: 0, width: 100 }, false)).toBe(25)
  expect(underPointer(25, { left: 0, width: 100 }, true)).toBe(75)
  expect(underPointer(500, { left: 0, width: 100 }, false)).toBe(100)
})

test('segments of SubRip and WebVTT', () => {
  const srt =
    '1\r\n00:00:01,500 --> 00:00:03,000\r\nHello\r\nthere\r\n\r\n2\r\n01:00:00,000 --> 01:00:02,000\r\nAgain\r\n'
  expect(segmentsOf(srt)).toEqual([
    { start: 1.5, end: 3, text: 'Hello there' },
    { start: 3600, end: 3602, text: 'Again' },
  ])
  const vtt = 'WEBVTT\n\n00:07.250 --> 00:09.000 align:start\n<v Ann>Hi</v>\n'
  expect(segmentsOf(vtt)).toEqual([{ start: 7.25, end: 9, text: 'Hi' }])
  expect(segmentsOf('Nothing of the kind.\n\nAt all.')).toEqual([])
})

test('times in the format of players', () => {
  expect([7.9, 754, 3723].map(clock)).toEqual(['0:07', '12:34', '1:02:03'])
})

test('sizes that were extrapolated, or stand for more files, are marked as such', () => {
  expect(sizeInWords({ bytes: 2000, isEstimate: false })).toBe('2\u00a0KB')
  expect(sizeInWords({ bytes: 2000, isEstimate: true })).toBe('≈\u00a02\u00a0KB')
  expect(sizeInWords({ bytes: 2000, isEstimate: false }, 3)).toBe('≈\u00a06\u00a0KB')
})
