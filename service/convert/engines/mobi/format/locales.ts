/**
 * Language numbers of the MOBI header, which are those of Windows ([MS-LCID]): the language in the low 10 bits, the region
 * in the bits above.
 */

const LANGUAGES: Readonly<Record<number, string>> = {
  1: 'ar',
  2: 'bg',
  3: 'ca',
  4: 'zh',
  5: 'cs',
  6: 'da',
  7: 'de',
  8: 'el',
  9: 'en',
  10: 'es',
  11: 'fi',
  12: 'fr',
  13: 'he',
  14: 'hu',
  15: 'is',
  16: 'it',
  17: 'ja',
  18: 'ko',
  19: 'nl',
  20: 'nb',
  21: 'pl',
  22: 'pt',
  23: 'rm',
  24: 'ro',
  25: 'ru',
  26: 'hr',
  27: 'sk',
  28: 'sq',
  29: 'sv',
  30: 'th',
  31: 'tr',
  32: 'ur',
  33: 'id',
  34: 'uk',
  35: 'be',
  36: 'sl',
  37: 'et',
  38: 'lv',
  39: 'lt',
  41: 'fa',
  42: 'vi',
  43: 'hy',
  44: 'az',
  45: 'eu',
  46: 'hsb',
  47: 'mk',
  50: 'tn',
  52: 'xh',
  53: 'zu',
  54: 'af',
  55: 'ka',
  56: 'fo',
  57: 'hi',
  58: 'mt',
  59: 'se',
  60: 'ga',
  61: 'yi',
  62: 'ms',
  63: 'kk',
  65: 'sw',
  67: 'uz',
  68: 'tt',
  69: 'bn',
  70: 'pa',
  71: 'gu',
  72: 'or',
  73: 'ta',
  74: 'te',
  75: 'kn',
  76: 'ml',
  77: 'as',
  78: 'mr',
  79: 'sa',
  82: 'cy',
  86: 'gl',
  97: 'ne',
}

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
  const language = LANGUAGES[locale & 0x3ff]
  if (language === undefined) return undefined
  const region = REGIONS[language]?.[((locale >>> 10) & 0x3f) - 1]
  return region ? `${language}-${region}` : language
}

/** Locale number of a BCP 47 tag; 0 if it has none. */
export function localeOf(tag: string): number {
  const [language = '', ...rest] = tag.toLowerCase().split('-')
  const known = language === 'no' || language === 'nn' ? 'nb' : language
  const number = Object.entries(LANGUAGES).find(([, code]) => code === known)?.[0]
  if (number === undefined) return 0
  const region = (REGIONS[known] ?? []).findIndex(code => rest.includes(code.toLowerCase()))
  return Number(number) | ((region + 1) << 10)
}
