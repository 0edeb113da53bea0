import { AsyncLocalStorage } from 'node:async_hooks'
import { catalogue as en } from './en/index.ts'

/** Every message in one language, as ICU text. */
type Texts = Readonly<Record<keyof typeof en, string>>

/** What the catalogue says in English, such as titles of options and names of formats, with its translations. */
type Words = Readonly<Record<string, string>>

interface Language {
  texts: Texts
  words: Words
}

const english: Language = { texts: en, words: {} }

/** The translations, by BCP 47 tag, loaded when somebody first asks for them. What one lacks is said in English. */
const loaders: Record<string, () => Promise<Language>> = {
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
  ja: () =>
    language(
      import('./translations/ja.json', { with: { type: 'json' } }),
      import('./catalogue/ja.json', { with: { type: 'json' } }),
    ),
}

async function language(
  texts: Promise<{ default: Partial<Texts> }>,
  words: Promise<{ default: Words }>,
): Promise<Language> {
  return { texts: { ...en, ...(await texts).default }, words: (await words).default }
}

const loaded = new Map([['en', english]])
const spoken = new AsyncLocalStorage<string>()

/** Every language there is, English first. */
export const languages: readonly string[] = ['en', ...Object.keys(loaders)]

/** The messages of a language; English where it is unknown or not yet loaded. */
export function textsOf(tag: string): { language: string; texts: Texts } {
  const found = loaded.get(tag)
  return found ? { language: tag, texts: found.texts } : { language: 'en', texts: en }
}

export async function loadLanguage(tag: string): Promise<void> {
  const load = Object.hasOwn(loaders, tag) ? loaders[tag] : undefined
  if (load && !loaded.has(tag)) loaded.set(tag, await load())
}

/** Runs something that speaks the language, with everything that follows from it. */
export const speaking = <Result>(tag: string, run: () => Result): Result => spoken.run(tag, run)

/** The language that is spoken now, English unless `speaking` says otherwise. */
export const spokenLanguage = (): string => spoken.getStore() ?? 'en'

/** A title, description or name of the catalogue in the language that is spoken now. */
export const translated = (words: string): string =>
  (loaded.get(spokenLanguage()) ?? english).words[words] ?? words

/** A replacer of `JSON.stringify` that puts the words of an option's schema into the language that is spoken now. */
export const translatedSchema = (key: string, value: unknown): unknown => {
  if (typeof value === 'string') return key === 'title' || key === 'description' ? translated(value) : value
  return key === 'x-labels' && Array.isArray(value) ? value.map(String).map(translated) : value
}
