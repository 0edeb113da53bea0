import { expect, test } from 'vitest'
import { namesIn } from '../../service/test/icu.ts'
import { en } from './en/index.ts'
import { isLanguage, languages } from './language.ts'

const translations = Object.keys(languages).filter(tag => tag !== 'en')

test.each(translations)(
  '%s has every text of the page and no others, with the same parameters',
  async tag => {
    if (!isLanguage(tag)) throw new Error(tag)
    const { default: texts } = await languages[tag].load()
    expect(Object.keys(texts).sort()).toEqual(Object.keys(en).sort())
    for (const [key, text] of Object.entries(texts)) {
      expect(namesIn(text, tag), key).toEqual(namesIn(en[key as keyof typeof en], 'en'))
    }
  },
)
