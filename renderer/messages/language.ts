/** The language of the page: the person's choice, or the first of the system's languages that is available. */
import { desktop } from '../api/desktop.ts'
import { en } from './en/index.ts'

export type Texts = Readonly<Record<keyof typeof en, string>>

interface Language {
  /** Its own name for itself. */
  name: string
  direction: 'ltr' | 'rtl'
  load(): Promise<{ default: Partial<Texts> }>
}

export const languages = {
  ar: {
    name: 'العربية',
    direction: 'rtl',
    load: () => import('./translations/ar.json'),
  },
  de: {
    name: 'Deutsch',
    direction: 'ltr',
    load: () => import('./translations/de.json'),
  },
  en: { name: 'English', direction: 'ltr', load: async () => ({ default: en }) },
  es: {
    name: 'Español',
    direction: 'ltr',
    load: () => import('./translations/es.json'),
  },
  fr: {
    name: 'Français',
    direction: 'ltr',
    load: () => import('./translations/fr.json'),
  },
  ja: {
    name: '日本語',
    direction: 'ltr',
    load: () => import('./translations/ja.json'),
  },
} as const satisfies Record<string, Language>

export type LanguageTag = keyof typeof languages

const STORAGE_KEY = 'refile-language'

let current: LanguageTag = 'en'
let loaded: Texts = en

/** BCP 47 tag of the language of texts, numbers and times. */
export const locale = (): LanguageTag => current

export const texts = (): Texts => loaded

export const isLanguage = (tag: string | null | undefined): tag is LanguageTag =>
  tag != null && Object.hasOwn(languages, tag)

/**
 * Which language to use.
 * @param chosen the choice in the settings, if any
 * @param preferred BCP 47 tags in order of preference, such as `navigator.languages`
 */
export function languageOf(chosen: string | null, preferred: readonly string[]): LanguageTag {
  if (isLanguage(chosen)) return chosen
  for (const tag of preferred) {
    const base = tag.toLowerCase().split('-')[0]
    if (isLanguage(base)) return base
  }
  return 'en'
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
  document.documentElement.dir = languages[current].direction
  // The shell uses it too; if it cannot, it keeps the system's.
  void desktop()
    .speak?.(current)
    .catch(() => {})
}

/** Changes the language of all texts, numbers and times from now on. */
export async function setLanguage(tag: LanguageTag): Promise<void> {
  loaded = { ...en, ...(await languages[tag].load()).default }
  current = tag
}
