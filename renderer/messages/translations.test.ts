import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namesIn } from '../../testing/icu.ts'
import { en } from './en/index.ts'
import { languages } from './language.ts'

const translations = Object.keys(languages).filter(tag => tag !== 'en')

test.each(translations)('%s has every text of the page and no others, with the same parameters', tag => {
  const texts: Record<string, string> = JSON.parse(
    readFileSync(new URL(`translations/${tag}.json`, import.meta.url), 'utf8'),
  )
  expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort())
  for (const [key, text] of Object.entries(texts)) {
    expect(namesIn(text, tag), key).toEqual(namesIn(en[key as keyof typeof en], 'en'))
  }
})

test.each(translations)('arrows of %s point the way that its words are read', tag => {
  const texts = readFileSync(new URL(`translations/${tag}.json`, import.meta.url), 'utf8')
  const isLeftward = languages[tag as keyof typeof languages].direction === 'rtl'
  expect(texts.match(isLeftward ? /→/ : /←/)).toBeNull()
})
