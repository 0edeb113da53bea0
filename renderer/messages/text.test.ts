import { globSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { formatIcu, isolate } from '../../languages/icu.ts'
import { unusedKeys } from '../../testing/unused-keys.ts'
import { en } from './en/index.ts'
import { languageOf } from './language.ts'
import { text, textIfAny } from './text.ts'

test.each(Object.entries(en))('%s is valid ICU MessageFormat', (_, pattern) => {
  expect(() => new IntlMessageFormat(pattern, 'en', undefined, { ignoreTag: true })).not.toThrow()
})

test('numbers determine the form of the noun, and are formatted for the language', () => {
  expect(text('common.credits', { value: 1 })).toBe('1 credit')
  expect(text('common.credits', { value: 1234 })).toBe('1,234 credits')
})

test('a key composed at run time may have no text', () => {
  expect(textIfAny('categories.audio')).toBe('Audio')
  expect(textIfAny('categories.nothing')).toBeUndefined()
})

test('the language is the chosen one, or the first available one of the system', () => {
  expect(languageOf('en', ['fr'])).toBe('en')
  expect(languageOf(null, ['tlh', 'en-GB'])).toBe('en')
  expect(languageOf(null, ['tlh', 'pt-PT', 'zh'])).toBe('pt-BR')
  expect(languageOf('nothing', [])).toBe('en')
})

test('every text is used somewhere', () => {
  const folder = join(import.meta.dirname, '..')
  const sources = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['messages/*/**', '**/*.test.ts'] })
  const paths = sources.map(path => join(folder, path))
  expect(unusedKeys(en, paths, /`([\w.-]+\.)\$\{/g)).toEqual([])
})

test('what is inserted has its own direction in languages from right to left, and nothing is added in others', () => {
  const nested = 'في {folder} {count, plural, other {# من {name}}}'
  const given = { folder: '/home/me', count: 3, name: 'a.jpg' }
  expect(formatIcu('ar', nested, given)).toBe('في \u2068/home/me\u2069 3 من \u2068a.jpg\u2069')
  expect(formatIcu('en', 'in {folder}', given)).toBe('in /home/me')
  expect([isolate('ar', '/home/me'), isolate('en', '/home/me')]).toEqual(['\u2068/home/me\u2069', '/home/me'])
})
