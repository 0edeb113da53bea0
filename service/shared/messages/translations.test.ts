import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { languageTags } from '../../../languages/tags.ts'
import { namesIn } from '../../../testing/icu.ts'
import { catalogue as en } from './en/index.ts'
import { inLanguage, loadLanguage, translated, translatedSchema } from './languages.ts'
import { message } from './message.ts'
import { render, SENTENCE_LIMIT } from './render.ts'

const read = (path: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

describe.each(Object.keys(languageTags).filter(tag => tag !== 'en'))('%s', language => {
  const texts = read(`translations/${language}.json`)

  test('has every message and no others', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort())
  })

  test('has messages with the same parameters, short enough to be shown in full', () => {
    for (const [key, english] of Object.entries(en)) {
      const text = texts[key] ?? ''
      expect(namesIn(text, language), key).toEqual(namesIn(english, 'en'))
      const parameters = Object.fromEntries(namesIn(text, language).map(name => [name, 3]))
      const rendered = String(
        new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format(parameters),
      )
      expect(rendered.length, key).toBeLessThanOrEqual(SENTENCE_LIMIT)
    }
  })
})

test('messages within a request are in its language, and in English elsewhere', async () => {
  await loadLanguage('de')
  const schema = { properties: { title: { title: 'Quality', 'x-labels': ['None'], default: 'Quality' } } }
  const german = inLanguage('de', () => JSON.parse(JSON.stringify(schema, translatedSchema)))
  expect(german.properties.title).toEqual({ title: 'Qualität', 'x-labels': ['Ohne'], default: 'Quality' })
  expect(JSON.parse(JSON.stringify(schema, translatedSchema))).toEqual(schema)
  expect(await inLanguage('de', async () => translated('Quality'))).toBe('Qualität')
  expect(inLanguage('de', () => render(message('jobs.timeout')))).toMatch(/^Die Umwandlung/)
  expect(inLanguage('tlh', () => render(message('jobs.timeout')))).toBe(en['jobs.timeout'])
})
