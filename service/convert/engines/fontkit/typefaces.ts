import { existsSync } from 'node:fs'
import { type Font, openSync } from 'fontkit'
import { resource } from '../resources.ts'

/** A font for setting letters. */
export interface Typeface {
  name: string
  path: string
  /** PostScript name of the font within a collection. */
  face: string | undefined
  bold: boolean
  has(codePoint: number): boolean
}

/** The bundled fonts: Arimo has Latin, Greek, Cyrillic and Hebrew; DejaVu adds Arabic, Georgian and more. */
const bundled = [
  { file: 'Arimo-Regular.ttf', bold: false },
  { file: 'Arimo-Bold.ttf', bold: true },
  { file: 'DejaVuSans.ttf', bold: false },
  { file: 'DejaVuSans-Bold.ttf', bold: true },
]

/** Where systems have fonts for scripts that would be too large to bundle. */
const candidates: Partial<Record<NodeJS.Platform, string[]>> = {
  win32: [
    'msyh.ttc',
    'YuGothM.ttc',
    'malgun.ttf',
    'Nirmala.ttf',
    'Nirmala.ttc',
    'LeelawUI.ttf',
    'seguiemj.ttf',
  ].map(file => `${process.env.SystemRoot ?? 'C:\\Windows'}\\Fonts\\${file}`),
  darwin: [
    '/System/Library/Fonts/Hiragino Sans GB.ttc',
    '/System/Library/Fonts/STHeiti Light.ttc',
    '/System/Library/Fonts/AppleSDGothicNeo.ttc',
    '/System/Library/Fonts/Supplemental/Arial Unicode.ttf',
  ],
  linux: [
    '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
    '/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc',
    '/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc',
    '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf',
    '/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf',
    '/usr/share/fonts/truetype/freefont/FreeSans.ttf',
  ],
}

/** Fonts of this system for scripts that the bundled ones lack. */
export const systemFonts = (): string[] =>
  (candidates[process.platform] ?? []).filter(path => existsSync(path))

export interface FontChoice {
  /** The first choice first. */
  fonts: Typeface[]
  /** Number of letters that none of them has. */
  missing: number
}

/**
 * The fonts for a text; system fonts are only used if the bundled ones are not enough.
 * @param together puts the fonts with most of the letters first, so that lines are seldom split between two
 */
export function fontsFor(text: string, together: boolean): FontChoice {
  const fonts = bundled
    .map(({ file, bold }) => openTypeface(resource('fonts', file), bold))
    .filter(font => font !== undefined)
  const letters = [...new Set(text)].filter(letter => /[^\s\p{C}]/u.test(letter)).map(codePoint)
  const lacking = () => letters.filter(letter => !fonts.some(font => font.has(letter)))
  for (const path of systemFonts()) {
    const wanted = lacking()
    if (wanted.length === 0) break
    const font = openTypeface(path, false)
    if (font && wanted.some(letter => font.has(letter))) fonts.push(font)
  }
  const coverage = (font: Typeface) => letters.filter(letter => font.has(letter)).length
  return {
    fonts: together ? fonts.toSorted((a, b) => coverage(b) - coverage(a)) : fonts,
    missing: lacking().length,
  }
}

const codePoint = (letter: string) => letter.codePointAt(0) ?? 0

/** Opens a font file, or the first font of a collection; undefined if it cannot be read. */
export function openTypeface(path: string, bold: boolean): Typeface | undefined {
  try {
    const opened = openSync(path)
    const font: Font = 'fonts' in opened ? opened.fonts[0]! : opened
    const face = 'fonts' in opened ? font.postscriptName : undefined
    return { name: path, path, face, bold, has: codePoint => font.hasGlyphForCodePoint(codePoint) }
  } catch {
    // An unreadable system font is treated as missing.
    return undefined
  }
}

/** Splits a text where its letters need another font. A letter that no font has stays with the first one. */
export function runsOf(text: string, fonts: Typeface[], bold: boolean): { text: string; font: Typeface }[] {
  const order = [...fonts.filter(font => font.bold === bold), ...fonts.filter(font => font.bold !== bold)]
  const runs: { text: string; font: Typeface }[] = []
  for (const letter of text) {
    const last = runs.at(-1)
    const font = order.find(({ has }) => has(codePoint(letter))) ?? order[0]!
    // Spaces and combining marks stay with the preceding letter.
    if (last && (last.font === font || /[\s\p{M}\p{Cf}]/u.test(letter))) last.text += letter
    else runs.push({ text: letter, font })
  }
  return runs
}
