import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { catalogue } from './en/index.ts'
import { message } from './message.ts'
import { render, SENTENCE_LIMIT } from './render.ts'

test.each(Object.entries(catalogue))('%s is valid ICU MessageFormat and short enough', (_, text) => {
  expect(() => new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true })).not.toThrow()
  expect(text.length).toBeLessThanOrEqual(SENTENCE_LIMIT)
})

test('a message without parameters is its text', () => {
  expect(render(message('jobs.timeout'))).toBe(catalogue['jobs.timeout'])
})

test('a message no version knows is shown by its key', () => {
  expect(render({ key: 'jobs.of_the_future' as never })).toBe('jobs.of_the_future')
})
