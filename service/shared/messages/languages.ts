import { AsyncLocalStorage } from 'node:async_hooks'
import { isLanguage, type TranslatedTag } from '../../../languages/tags.ts'
import { catalogue as en } from './en/index.ts'

/** All messages in one language, as ICU text. */
type Texts = Readonly<Record<keyof typeof en, string>>

/** The catalogue's English texts, such as option titles and format names, with their translations. */
type Words = Readonly<Record<string, string>>

interface Language {
  texts: Texts
  words: Words
}

const english: Language = { texts: en, words: {} }

/** The translations, loaded on first use; the compiler misses every message that one of them lacks. */
const loaders: Record<TranslatedTag, () => Promise<Language>> = {
  ar: () =>
    language(
      import('./translations/ar.json', { with: { type: 'json' } }),
      import('./catalogue/ar.json', { with: { type: 'json' } }),
    ),
  de: () =>
    language(
      import('./translations/de.json', { with: { type: 'json' } }),
      import('./catalogue/de.json', { with: { type: 'json' } }),
    ),
  es: () =>
    language(
      import('./translations/es.json', { with: { type: 'json' } }),
      import('./catalogue/es.json', { with: { type: 'json' } }),
    ),
  fr: () =>
    language(
      import('./translations/fr.json', { with: { type: 'json' } }),
      import('./catalogue/fr.json', { with: { type: 'json' } }),
    ),
  it: () =>
    language(
      import('./translations/it.json', { with: { type: 'json' } }),
      import('./catalogue/it.json', { with: { type: 'json' } }),
    ),
  ja: () =>
    language(
      import('./translations/ja.json', { with: { type: 'json' } }),
      import('./catalogue/ja.json', { with: { type: 'json' } }),
    ),
  ko: () =>
    language(
      import('./translations/ko.json', { with: { type: 'json' } }),
      import('./catalogue/ko.json', { with: { type: 'json' } }),
    ),
  'pt-BR': () =>
    language(
      import('./translations/pt-BR.json', { with: { type: 'json' } }),
      import('./catalogue/pt-BR.json', { with: { type: 'json' } }),
    ),
  zh: () =>
    language(
      import('./translations/zh.json', { with: { type: 'json' } }),
      import('./catalogue/zh.json', { with: { type: 'json' } }),
    ),
}

async function language(
  texts: Promise<{ default: Texts }>,
  words: Promise<{ default: Words }>,
): Promise<Language> {
  return { texts: (await texts).default, words: (await words).default }
}

const loaded = new Map([['en', english]])
const spoken = new AsyncLocalStorage<string>()

/** The messages of a language; English if it is unknown or not yet loaded. */
export function textsOf(tag: string): { language: string; texts: Texts } {
  const found = loaded.get(tag)
  return found ? { language: tag, texts: found.texts } : { language: 'en', texts: en }
}

export async function loadLanguage(tag: string): Promise<void> {
  if (!isLanguage(tag) || tag === 'en' || loaded.has(tag)) return
  loaded.set(tag, await loaders[tag]())
}

/** Runs a function, and everything it starts, in a language. */
export const inLanguage = <Result>(tag: string, run: () => Result): Result => spoken.run(tag, run)

/** The current language; English unless `speaking` sets another. */
export const currentLanguage = (): string => spoken.getStore() ?? 'en'

/** A title, description or name of the catalogue in the current language. */
export const translated = (words: string): string =>
  (loaded.get(currentLanguage()) ?? english).words[words] ?? words

/** Keywords of an option's schema with texts for persons. */
const spokenKeys = new Set(['title', 'description', 'x-note'])

/** A replacer for `JSON.stringify` that translates the texts of an option's schema into the current language. */
export const translatedSchema = (key: string, value: unknown): unknown => {
  if (typeof value === 'string') return spokenKeys.has(key) ? translated(value) : value
  return key === 'x-labels' && Array.isArray(value) ? value.map(String).map(translated) : value
}
