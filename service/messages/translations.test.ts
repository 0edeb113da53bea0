import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { languages, loadLanguage, speaking, translated, translatedSchema } from './languages.ts'
import { message } from './message.ts'
import { render } from './render.ts'

test('what is said within a request is said in its language, and in English elsewhere', async () => {
  expect(languages).toEqual(['en', 'ar', 'de', 'es', 'fr', 'ja'])
  await loadLanguage('de')
  const words: Record<string, string> = JSON.parse(
    readFileSync(new URL('catalogue/de.json', import.meta.url), 'utf8'),
  )
  const schema = { properties: { title: { title: 'Quality', 'x-labels': ['None'], default: 'Quality' } } }
  const german = speaking('de', () => JSON.parse(JSON.stringify(schema, translatedSchema)))
  expect(german.properties.title).toEqual({
    title: words.Quality,
    'x-labels': [words.None],
    default: 'Quality',
  })
  expect(JSON.parse(JSON.stringify(schema, translatedSchema))).toEqual(schema)
  expect(await speaking('de', async () => translated('Quality'))).toBe(words.Quality)
  expect(speaking('de', () => render(message('jobs.timeout')))).not.toBe(render(message('jobs.timeout')))
  expect(speaking('tlh', () => render(message('jobs.timeout')))).toBe(render(message('jobs.timeout')))
  expect(new IntlMessageFormat('{a, number}', 'de').format({ a: 0.5 })).toBe('0,5')
})
