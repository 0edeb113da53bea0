import { expect, test } from 'vitest'
import { formatIcu } from './icu.ts'

const TEXT = 'في {folder} {count, plural, other {# من {name}}}'
const given = { folder: '/home/me', count: 3, name: 'a.jpg' }

test('what is inserted has its own direction in languages from right to left, and nothing is added in others', () => {
  expect(formatIcu('ar', TEXT, given)).toBe('في \u2068/home/me\u2069 3 من \u2068a.jpg\u2069')
  expect(formatIcu('en', 'in {folder}', given)).toBe('in /home/me')
})
