/** A language tag in its canonical form (BCP 47), `und` for what is none. */
export function canonicalLanguage(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'und'
  } catch {
    return 'und'
  }
}
