import { expect, test } from 'vitest'
import { isDamage } from '../../../common/damage.ts'
import { fromBase32, toBase32 } from './base32.ts'
import { languageOf, localeOf } from './locales.ts'
import { readVariable, variableBytes } from './variable-width.ts'

test.each([
  [0, '80'],
  [0x7f, 'ff'],
  [0x11111, '042291'],
  [0xffff_ffff, '0f7f7f7fff'],
])('the number %i is written as %s', (value, hex) => {
  const bytes = Buffer.from(variableBytes(value))
  expect(bytes.toString('hex')).toBe(hex)
  expect(readVariable(bytes, 0)).toEqual({ value, next: bytes.length })
  expect(() => readVariable(bytes.subarray(0, -1), 0)).toThrow(expect.toSatisfy(isDamage))
})

test('numbers in Kindle addresses are base 32', () => {
  expect(toBase32(1234, 4)).toBe('016I')
  expect(fromBase32('016i')).toBe(1234)
})

test.each([
  [9, 'en', 9],
  [1033, 'en-US', 1033],
  [2057, 'en-GB', 2057],
  [1031, 'de-DE', 1031],
  [2052, 'zh-CN', 2052],
  [1046, 'pt-BR', 1046],
  [17, 'ja', 17],
])('locale %i is %s', (locale, tag, back) => {
  expect(languageOf(locale)).toBe(tag)
  expect(localeOf(tag)).toBe(back)
})

test('a language without a locale number gets 0', () => {
  expect(languageOf(0)).toBeUndefined()
  expect(localeOf('tlh')).toBe(0)
})
