import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { converters } from '../converters/index.ts'
import { Catalogue, targetLabel } from './catalogue.ts'
import { formats } from './formats.ts'

const folder = join(import.meta.dirname, '../../shared/messages/catalogue')

/** The texts for people in the schema of options: titles, descriptions, notes and labels. */
function textsOf(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'x-labels'
      ? Object.values(value as object).map(String)
      : typeof value === 'string' && ['title', 'description', 'x-note'].includes(key)
        ? value
        : textsOf(value),
  )
}

const options = new Set(textsOf(converters.map(({ options }) => options)))
const names = new Set(Object.values(formats).map(({ label }) => String(label)))
for (const edge of new Catalogue(converters).edges) names.add(targetLabel(edge))
/** What is the same in all languages: sizes, rates, codecs, and encodings, which name their languages in these. */
const isName = (text: string) => /^\S*\d\S*( kHz)?$/.test(text) || /\([^)]*\)$/.test(text)
/** Of names of formats, those with words of the language. */
const wanted = [
  ...[...options].filter(text => !names.has(text) && !(isName(text) && !/ [a-z]{3,}/.test(text))),
  ...[...names].filter(name => /\b[a-z]{4,}\b/.test(name.replaceAll(/\b[a-z]*[A-Z]\w*/g, ''))),
]

test.each(readdirSync(folder))('%s has every text of options and formats, and no others', file => {
  const words = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>
  expect(wanted.filter(text => !words[text])).toEqual([])
  expect(Object.keys(words).filter(text => !options.has(text) && !names.has(text))).toEqual([])
})
