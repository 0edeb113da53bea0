/** The language of the page: the person's choice, or the first of the system's languages that is available. */
import { bestLanguage, isLanguage, type LanguageTag, languageTags } from '../../languages/tags.ts'
import { desktop } from '../api/desktop.ts'
import { en } from './en/index.ts'

export { isLanguage, type LanguageTag, languageTags as languages }

export type Texts = Readonly<Record<keyof typeof en, string>>

/** The translations, loaded on first use; the compiler misses every text that one of them lacks. */
const loaders: Record<LanguageTag, () => Promise<{ default: Texts }>> = {
  ar: () => import('./translations/ar.json'),
  de: () => import('./translations/de.json'),
  en: async () => ({ default: en }),
  es: () => import('./translations/es.json'),
  fr: () => import('./translations/fr.json'),
  it: () => import('./translations/it.json'),
  ja: () => import('./translations/ja.json'),
  ko: () => import('./translations/ko.json'),
  'pt-BR': () => import('./translations/pt-BR.json'),
  zh: () => import('./translations/zh.json'),
}

const STORAGE_KEY = 'refile-language'

let current: LanguageTag = 'en'
let loaded: Texts = en

/** BCP 47 tag of the language of texts, numbers and times. */
export const locale = (): LanguageTag => current

export const texts = (): Texts => loaded

/**
 * Which language to use.
 * @param chosen the choice in the settings, if any
 * @param preferred BCP 47 tags in order of preference, such as `navigator.languages`
 */
export function languageOf(chosen: string | null, preferred: readonly string[]): LanguageTag {
  return isLanguage(chosen) ? chosen : bestLanguage(preferred)
}

/** The choice in the settings; null for the system's language. */
export const chosenLanguage = (): string | null => localStorage.getItem(STORAGE_KEY)

/** Stores the choice and reloads the page, since every text changes. */
export function chooseLanguage(tag: LanguageTag | null): void {
  if (tag) localStorage.setItem(STORAGE_KEY, tag)
  else localStorage.removeItem(STORAGE_KEY)
  location.reload()
}

/** Loads the texts and sets the document's language; must be called once, before the page is rendered. */
export async function startLanguage(): Promise<void> {
  await setLanguage(languageOf(chosenLanguage(), navigator.languages))
  document.documentElement.lang = current
  // The service says its own sentences in the same language.
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is not in every browser
  document.cookie = `refile_language=${current}; path=/; samesite=strict`
  document.documentElement.dir = languageTags[current].direction
  // The shell uses it too; if it cannot, it keeps the system's.
  void desktop()
    .setLanguage?.(current)
    .catch(() => {})
}

/** Changes the language of all texts, numbers and times from now on. */
export async function setLanguage(tag: LanguageTag): Promise<void> {
  loaded = (await loaders[tag]()).default
  current = tag
}
