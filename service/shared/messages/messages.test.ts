import { globSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { unusedKeys } from '../../../testing/unused-keys.ts'
import { catalogue } from './en/index.ts'
import { message } from './message.ts'
import { render, SENTENCE_LIMIT } from './render.ts'
import { validationMessage } from './validation.ts'

test.each(Object.entries(catalogue))('%s is valid ICU MessageFormat and short enough', (_, text) => {
  expect(() => new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true })).not.toThrow()
  expect(text.length).toBeLessThanOrEqual(SENTENCE_LIMIT)
})

test('every message is used somewhere', () => {
  const cwd = join(import.meta.dirname, '../../..')
  const sources = globSync('{service,cli,electron,renderer,sdk}/**/*.{ts,tsx,mjs}', {
    cwd,
    exclude: ['service/shared/messages/en/**', '**/*.test.ts', '**/node_modules/**'],
  })
  const paths = sources.map(path => join(cwd, path))
  // Stored by earlier versions, and said by workers of tests.
  expect(unusedKeys(catalogue, paths, /`([\w.-]+[._])\$\{/g)).toEqual(['stored.text'])
})

test('a message without parameters is rendered as its text', () => {
  expect(render(message('jobs.timeout'))).toBe(catalogue['jobs.timeout'])
})

test('a message unknown to this version is shown by its key', () => {
  expect(render({ key: 'jobs.of_the_future' as never })).toBe('jobs.of_the_future')
})

test('a stored message whose text now has other parameters is shown by its key', () => {
  expect(render({ key: 'request.empty_file', parameters: { file: 'a.jpg' } })).toBe('request.empty_file')
})

test('a shortened message ends in whole characters', () => {
  for (const name of ['😀'.repeat(300), `x${'😀'.repeat(300)}`]) {
    expect(render(message('request.empty_file', { name })).isWellFormed()).toBe(true)
  }
})

test.each([
  [{ type: 'integer' }, 'x', 'options.value must be an integer.'],
  [{ type: ['string', 'null'] }, 1, 'options.value must be a string.'],
  [{ enum: ['a', 'b'] }, 'c', 'options.value must be one of a, b.'],
  [{ minimum: 1 }, 0, 'options.value must be at least 1.'],
  [{ maximum: 10_000 }, 20_000, 'options.value must be at most 10000.'],
  [{ exclusiveMinimum: 0 }, 0, 'options.value must be more than 0.'],
  [{ exclusiveMaximum: 2 }, 2, 'options.value must be less than 2.'],
  [{ minLength: 1 }, '', 'options.value must have at least 1 character.'],
  [{ maxLength: 2 }, 'abc', 'options.value must have at most 2 characters.'],
  [{ minItems: 2 }, [1], 'options.value must have at least 2 entries.'],
  [{ maxItems: 1 }, [1, 2], 'options.value must have at most 1 entry.'],
  [{ required: ['a/b'] }, {}, 'options.value.a/b is missing.'],
  [{ additionalProperties: false }, { a: 1 }, 'options.value.a is not an option of this conversion.'],
  [{ properties: { 'a/b': { type: 'string' } } }, { 'a/b': 1 }, 'options.value.a/b must be a string.'],
  [{ pattern: '^a' }, 'b', 'options.value is not valid.'],
  [
    { pattern: '^a', description: 'Begins with a.', 'x-example': 'ab' },
    'b',
    'options.value is not valid. Begins with a. Example: ab',
  ],
])('validation errors become readable sentences: %j', (schema, value, sentence) => {
  const validate = new Ajv2020({ strict: false, verbose: true }).compile({ properties: { value: schema } })
  expect(validate({ value })).toBe(false)
  expect(render(validationMessage(validate.errors![0]!, 'options'))).toBe(sentence)
})
