import { expect, test } from 'vitest'
import { secondsOf, timeText } from './time.ts'

test.each([
  ['1:02:03', 3723],
  ['2:03.5', 123.5],
  ['83', 83],
  ['83,25', 83.25],
  [' 0:05 ', 5],
  ['', undefined],
])('%s is read', (typed, seconds) => {
  expect(secondsOf(typed)).toBe(seconds)
})

test.each(['1:75', '1:75:00', 'soon', '1:2:3:4', '-5', '1e3'])('%s is not a time', typed => {
  expect(secondsOf(typed)).toBeNaN()
})

test('a time is written in the form in which it is read', () => {
  for (const seconds of [0, 5, 59.5, 60, 61.125, 3599, 3600, 86_399.001]) {
    expect(secondsOf(timeText(seconds))).toBe(seconds)
  }
  expect(timeText(3723.5)).toBe('1:02:03.5')
})
