/** The name of a language, by default in English; the tag itself if it is not known. @throws RangeError if the tag is none (BCP 47) */
export const languageName = (tag: string, of = 'en'): string =>
  new Intl.DisplayNames(of, { type: 'language' }).of(tag) ?? tag
