import { expect, test } from 'vitest'
import { ago, dayHeading, duration, size } from './format.ts'
import { pageOfHash } from './route.ts'

const spaces = (text: string) => text.replaceAll(/\s/g, ' ')

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [3_412_221, '3.4 MB'],
  [999_600, '1 MB'],
  [412_000_000, '412 MB'],
  [16 * 2 ** 30, '17.2 GB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(spaces(size(bytes))).toBe(text)
})

test('durations use their largest sensible unit', () => {
  expect([0.2, 41, 90, 3600, 7200].map(seconds => spaces(duration(seconds)))).toEqual([
    '1 sec',
    '41 sec',
    '2 min',
    '60 min',
    '2 hr',
  ])
})

test('times of today are shown as a distance', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(ago('2026-11-20T11:59:30Z', now)).toBe('now')
  expect(ago('2026-11-20T11:57:00Z', now)).toMatch(/3 min/)
  expect(dayHeading('2026-11-20T11:57:00Z', now)).toBe('Today')
  expect(dayHeading('2026-11-19T11:57:00Z', now)).toBe('Yesterday')
})

test('an address names its page, otherwise it means the first one', () => {
  expect(['#/history', '#keys', '', '#/nowhere', '#/credits?x'].map(pageOfHash)).toEqual([
    'history',
    'settings',
    'convert',
    'convert',
    'credits',
  ])
})
