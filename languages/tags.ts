/** The languages of Refile by BCP 47 tag: the only list of them, for the service, the page and the shell. */
export const languageTags = {
  ar: { name: 'العربية', direction: 'rtl' },
  de: { name: 'Deutsch', direction: 'ltr' },
  en: { name: 'English', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  it: { name: 'Italiano', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  ko: { name: '한국어', direction: 'ltr' },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr' },
  zh: { name: '简体中文', direction: 'ltr' },
} as const

export type LanguageTag = keyof typeof languageTags

/** Languages that have translations. */
export type TranslatedTag = Exclude<LanguageTag, 'en'>

export const isLanguage = (tag: unknown): tag is LanguageTag =>
  typeof tag === 'string' && Object.hasOwn(languageTags, tag)

const baseOf = (tag: string) => tag.toLowerCase().split('-')[0]

/** The first of some BCP 47 tags, in order of preference, that is available; only their language counts. English if none is. */
export function bestLanguage(preferred: readonly string[]): LanguageTag {
  const available = Object.keys(languageTags).filter(isLanguage)
  const languages = preferred.map(tag => available.find(one => baseOf(one) === baseOf(tag)))
  return languages.find(isLanguage) ?? 'en'
}
