/** Encodings of text and of file names in archives from before Unicode, and on which computers each was used. */

export interface NameEncoding {
  /** Its name for people. */
  name: string
  /** Languages written in it, in their own words. */
  languages: string
  /** Languages, as in a locale, for which Windows uses it in its console, where archivers take it from, or in windows. */
  locales: string
  /** How common it is compared with the others in archives from PCs, and in those from Unix. */
  pcs: number
  unix: number
}

const encoding = (
  name: string,
  languages: string,
  locales: string,
  pcs: number,
  unix: number,
): NameEncoding => ({
  name,
  languages,
  locales,
  pcs,
  unix,
})

const WEST = 'de fr es it pt nl da sv nb nn no fi is'
const CENTRAL = 'pl cs sk hu ro hr sl sq bs'

/** By the labels that options take, which are iconv's; of two that fit equally well the first is taken. */
// biome-ignore format: a table
export const nameEncodings = {
  cp437: encoding('CP437', 'English', '', 1, 0.3),
  cp850: encoding('CP850', 'Deutsch, Español, Français, Português', WEST, 1, 0.3),
  windows1252: encoding('Windows-1252', 'Deutsch, Español, Français, Português', WEST, 1, 1),
  cp852: encoding('CP852', 'Čeština, Magyar, Polski, Română', CENTRAL, 0.7, 0.2),
  windows1250: encoding('Windows-1250', 'Čeština, Magyar, Polski, Română', CENTRAL, 0.5, 0.5),
  iso88592: encoding('ISO 8859-2', 'Čeština, Magyar, Polski', '', 0.05, 0.3),
  iso88595: encoding('ISO 8859-5', 'Русский', '', 0.01, 0.05),
  iso88597: encoding('ISO 8859-7', 'Ελληνικά', '', 0.05, 0.3),
  iso885913: encoding('ISO 8859-13', 'Eesti, Latviešu, Lietuvių', '', 0.05, 0.3),
  cp860: encoding('CP860', 'Português', '', 0.6, 0.2),
  cp865: encoding('CP865', 'Dansk, Norsk', '', 0.6, 0.2),
  cp866: encoding('CP866', 'Русский', 'ru be bg uk', 1, 0.8),
  windows1251: encoding('Windows-1251', 'Български, Русский, Српски, Українська', 'ru be bg uk sr mk', 1, 1),
  koi8r: encoding('KOI8-R', 'Русский', '', 0.8, 1),
  koi8u: encoding('KOI8-U', 'Українська', '', 0.6, 0.8),
  cp1125: encoding('CP1125', 'Українська', 'uk', 0.6, 0.2),
  cp855: encoding('CP855', 'Български, Српски', 'sr mk', 0.4, 0.1),
  cp737: encoding('CP737', 'Ελληνικά', 'el', 0.8, 0.3),
  windows1253: encoding('Windows-1253', 'Ελληνικά', 'el', 0.8, 0.8),
  cp857: encoding('CP857', 'Türkçe', 'tr', 0.8, 0.3),
  windows1254: encoding('Windows-1254', 'Türkçe', 'tr', 0.8, 0.8),
  cp862: encoding('CP862', 'עברית', 'he', 0.8, 0.3),
  windows1255: encoding('Windows-1255', 'עברית', 'he', 0.6, 0.6),
  cp720: encoding('CP720', 'العربية', 'ar', 0.8, 0.3),
  windows1256: encoding('Windows-1256', 'العربية, فارسی', 'ar fa ur', 0.6, 0.6),
  cp775: encoding('CP775', 'Eesti, Latviešu, Lietuvių', 'et lv lt', 0.6, 0.2),
  windows1257: encoding('Windows-1257', 'Eesti, Latviešu, Lietuvių', 'et lv lt', 0.6, 0.6),
  windows1258: encoding('Windows-1258', 'Tiếng Việt', 'vi', 0.3, 0.3),
  cp874: encoding('CP874', 'ไทย', 'th', 0.6, 0.6),
  cp932: encoding('Shift-JIS', '日本語', 'ja', 1, 1),
  eucjp: encoding('EUC-JP', '日本語', '', 0.6, 1),
  gb18030: encoding('GBK', '简体中文', 'zh', 1, 1),
  big5hkscs: encoding('Big5', '繁體中文', 'zh', 1, 1),
  cp949: encoding('EUC-KR', '한국어', 'ko', 1, 1),
  macroman: encoding('Mac Roman', 'Deutsch, Español, Français, Português', '', 0.5, 0.5),
  maccenteuro: encoding('Mac Central European', 'Čeština, Magyar, Polski', '', 0.4, 0.4),
  maccyrillic: encoding('Mac Cyrillic', 'Русский, Українська', '', 0.4, 0.4),
  macgreek: encoding('Mac Greek', 'Ελληνικά', '', 0.3, 0.3),
} satisfies Record<string, NameEncoding>

export type EncodingLabel = keyof typeof nameEncodings
