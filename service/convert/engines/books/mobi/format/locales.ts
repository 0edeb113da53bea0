/**
 * Language numbers of the MOBI header, which are those of Windows ([MS-LCID]): the language in the low 10 bits, the region
 * in the bits above.
 */

/** Languages with consecutive numbers, by the first of them. */
const LANGUAGES = new Map(
  Object.entries({
    1: 'ar bg ca zh cs da de el en es fi fr he hu is it ja ko nl nb pl pt rm ro ru hr sk sq sv th tr ur id uk be sl et lv lt',
    41: 'fa vi hy az eu hsb mk',
    50: 'tn',
    52: 'xh zu af ka fo hi mt se ga yi ms kk',
    65: 'sw',
    67: 'uz tt bn pa gu or ta te kn ml as mr sa',
    82: 'cy',
    86: 'gl',
    97: 'ne',
  }).flatMap(([first, languages]) =>
    languages.split(' ').map((language, index): [number, string] => [Number(first) + index, language]),
  ),
)

/** Regions of a language by number, starting at 1. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  de: ['DE', 'CH', 'AT', 'LU', 'LI'],
  en: ['US', 'GB', 'AU', 'CA', 'NZ', 'IE', 'ZA', 'JM', '', 'BZ', 'TT', 'ZW', 'PH'],
  es: ['ES', 'MX', 'ES', 'GT', 'CR', 'PA', 'DO', 'VE', 'CO', 'PE', 'AR', 'EC', 'CL', 'UY', 'PY', 'BO'],
  fr: ['FR', 'BE', 'CA', 'CH', 'LU', 'MC'],
  it: ['IT', 'CH'],
  nl: ['NL', 'BE'],
  pt: ['BR', 'PT'],
  zh: ['TW', 'CN', 'HK', 'SG', 'MO'],
}

/** BCP 47 tag of a locale number, if it is known. */
export function languageOf(locale: number): string | undefined {
  const language = LANGUAGES.get(locale & 0x3ff)
  if (language === undefined) return undefined
  const region = REGIONS[language]?.[((locale >>> 10) & 0x3f) - 1]
  return region ? `${language}-${region}` : language
}

/** Locale number of a BCP 47 tag; 0 if it has none. */
export function localeOf(tag: string): number {
  const [language = '', ...rest] = tag.toLowerCase().split('-')
  const known = language === 'no' || language === 'nn' ? 'nb' : language
  const number = [...LANGUAGES].find(([, code]) => code === known)?.[0]
  if (number === undefined) return 0
  const region = (REGIONS[known] ?? []).findIndex(code => rest.includes(code.toLowerCase()))
  return number | ((region + 1) << 10)
}
