/** A language tag in its canonical form (BCP 47), `und` for what is none. */
export function canonicalLanguage(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'und'
  } catch {
    return 'und'
  }
}

/** Whether a language is written from right to left. */
export const isRightToLeftLanguage = (tag: string): boolean =>
  new Intl.Locale(canonicalLanguage(tag)).getTextInfo().direction === 'rtl'
