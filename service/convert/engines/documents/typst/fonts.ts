import { createRequire } from 'node:module'
import type { Font } from 'fontkit'
import { resource } from '../../common/resources.ts'
import { openTypeface, systemFonts } from '../../fonts/fontkit/typefaces.ts'
import { literal } from './literal.ts'

const packaged = createRequire(import.meta.url)

/** Fonts for every document: Latin, Greek, Cyrillic and Hebrew, with Arabic, Georgian and more in DejaVu. */
const base = [
  'Arimo-Regular',
  'Arimo-Bold',
  'Arimo-Italic',
  'Arimo-BoldItalic',
  'Tinos-Regular',
  'Tinos-Bold',
  'Tinos-Italic',
  'Tinos-BoldItalic',
  'Cousine-Regular',
  'Cousine-Bold',
  'DejaVuSans',
  'DejaVuSans-Bold',
]

/** Replacements for a character that no font has, in order of preference. */
const SUBSTITUTES = ['\uFFFD', '□', '?']

/** Chinese and Japanese. */
const CJK = ['400Regular/NotoSansSC_400Regular', '700Bold/NotoSansSC_700Bold']

/** Korean. */
const HANGUL = ['400Regular/NanumGothic_400Regular', '700Bold/NanumGothic_700Bold']

const baseFiles = () => base.map(name => resource('fonts', `${name}.ttf`))
const cjkFiles = () => CJK.map(name => packaged.resolve(`@expo-google-fonts/noto-sans-sc/${name}.ttf`))
const hangulFiles = () => HANGUL.map(name => packaged.resolve(`@expo-google-fonts/nanum-gothic/${name}.ttf`))
const emojiFile = () => packaged.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf')

export interface Coverage {
  /** Paths of the font files that a text needs. */
  files: string[]
  /** Characters that no font has. */
  missing: Set<string>
  /** A character that the fonts have, which replaces the missing ones. */
  substitute: string
}

const isCjk = (letter: string) =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u.test(
    letter,
  )

/** The fonts for a text; large fonts and system fonts are included only if its characters need them. */
export function coverageOf(text: string): Coverage {
  const letters = new Set<string>()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but plain letters is looked at
  for (const letter of text.replace(/[\u0000-\u02ff]+/g, '')) letters.add(letter)
  const wanted = [...letters].filter(letter =>
    /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(letter),
  )
  const files = baseFiles()
  if (wanted.length === 0) return { files, missing: new Set(), substitute: '' }

  let missing = wanted
  const opened: Font[] = []
  const use = (path: string) => {
    const font = openTypeface(path)
    const rest = font
      ? missing.filter(letter => !font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
      : missing
    if (font) opened.push(font)
    const helps = rest.length < missing.length
    missing = rest
    return helps
  }
  for (const path of files.filter(name => /(?:Arimo-Regular|DejaVuSans)\.ttf$/.test(name))) use(path)
  if (wanted.some(isCjk)) {
    const [regular = '', bold = ''] = cjkFiles()
    use(regular)
    files.push(regular, bold)
  }
  if (wanted.some(letter => /\p{Script=Hangul}/u.test(letter))) {
    const [regular = '', bold = ''] = hangulFiles()
    use(regular)
    files.push(regular, bold)
  }
  if (
    missing.length > 0 ||
    wanted.some(letter => /\p{Emoji_Presentation}/u.test(letter)) ||
    text.includes('\ufe0f')
  ) {
    use(emojiFile())
    files.push(emojiFile())
  }
  for (const path of missing.length > 0 ? systemFonts() : []) {
    if (missing.length > 0 && use(path)) files.push(path)
  }
  const substitute =
    SUBSTITUTES.find(sign => opened.some(font => font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))) ?? '?'
  return { files, missing: new Set(missing), substitute }
}

/** Families of a text, in Typst: these, then those for other scripts. */
export const fontList = (...names: FontName[]): string =>
  `(${[...names, 'Noto Sans SC', 'NanumGothic', 'Noto Emoji', 'DejaVu Sans'].map(literal).join(', ')},)`

/** Families that documents may name; New Computer Modern and Libertinus Serif are built into the compiler. */
export type FontName =
  | 'Arimo'
  | 'Tinos'
  | 'Cousine'
  | 'New Computer Modern'
  | 'Noto Sans SC'
  | 'NanumGothic'
  | 'Noto Emoji'
  | 'DejaVu Sans'
