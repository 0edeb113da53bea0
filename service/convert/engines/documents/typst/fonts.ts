import { readdirSync } from 'node:fs'
import type { Font } from 'fontkit'
import { resource } from '../../common/resources.ts'
import { fontsFor, type OtherScript, otherScriptOf } from '../../fonts/fontkit/scripts.ts'
import { isCjk, type ShippedScript, shippedFonts } from '../../fonts/fontkit/shipped.ts'
import { openTypeface } from '../../fonts/fontkit/typefaces.ts'
import { packagedFile } from '../office/version.ts'
import type { FontFile } from './compiler.ts'
import { literal } from './literal.ts'

/** Fonts for every document: Latin, Greek, Cyrillic and Hebrew, with Arabic, Georgian and more in DejaVu. */
const baseFiles = () =>
  readdirSync(resource('fonts'))
    .filter(name => name.endsWith('.ttf'))
    .map(name => resource('fonts', name))

/** Replacements for a character that no font has, in order of preference. */
const SUBSTITUTES = ['\uFFFD', '□', '?']

let packedDevanagari: Promise<Buffer[]> | undefined

/** The font for Hindi and other languages that LibreOffice has. */
const devanagari = (): Promise<Buffer[]> => {
  packedDevanagari ??= packagedFile('fonts/truetype/NotoSans-Regular.ttf').then(
    font => (font ? [font] : []),
    () => [],
  )
  return packedDevanagari
}

export interface Coverage {
  /** The fonts that a text needs. */
  files: FontFile[]
  /** Characters that no font has. */
  missing: Set<string>
  /** Scripts that no font has, or none that puts their letters together. */
  lacking: OtherScript[]
  /** Declares the families of other scripts, which `fontList` refers to; for the start of a text in Typst. */
  declaration: string
  /** A character that the fonts have, which replaces the missing ones. */
  substitute: string
}

/** The fonts for a text; large fonts and system fonts are included only if its characters need them. */
export async function coverageOf(text: string): Promise<Coverage> {
  const letters = new Set<string>()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but plain letters is looked at
  for (const letter of text.replace(/[\u0000-\u02ff]+/g, '')) letters.add(letter)
  const wanted = [...letters].filter(letter =>
    /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(letter),
  )
  const files: FontFile[] = baseFiles()
  if (wanted.length === 0)
    return { files, missing: new Set(), lacking: [], declaration: declarationOf([]), substitute: '' }

  let missing = wanted
  const opened: Font[] = []
  const use = (file: FontFile) => {
    const font = openTypeface(file)
    const rest = font
      ? missing.filter(letter => !font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0))
      : missing
    if (font) opened.push(font)
    const helps = rest.length < missing.length
    missing = rest
    return helps
  }
  for (const path of baseFiles().filter(name => /(?:Arimo-Regular|DejaVuSans)\.ttf$/.test(name))) use(path)
  const needs: [ShippedScript, () => boolean][] = [
    ['cjk', () => wanted.some(letter => isCjk(letter.codePointAt(0)!))],
    ['hangul', () => wanted.some(letter => /\p{Script=Hangul}/u.test(letter))],
    ['emoji', () => missing.length > 0 || /\p{Emoji_Presentation}|\ufe0f/u.test(text)],
  ]
  for (const [script, isNeeded] of needs) {
    if (!isNeeded()) continue
    const found = shippedFonts[script]()
    if (found[0]) use(found[0])
    files.push(...found)
  }
  const scripts = new Set(missing.flatMap(letter => otherScriptOf(letter.codePointAt(0)!) ?? []))
  const lacking: OtherScript[] = []
  const families: string[] = []
  for (const script of scripts) {
    const found: FontFile[] = await fontsFor(script)
    if (found.length === 0 && script === 'Devanagari') found.push(...(await devanagari()))
    for (const path of found) if (use(path)) families.push(opened.at(-1)!.familyName)
    files.push(...found)
    if (found.length === 0) lacking.push(script)
  }
  const substitute =
    SUBSTITUTES.find(sign => opened.some(font => font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))) ?? '?'
  return { files, missing: new Set(missing), lacking, declaration: declarationOf(families), substitute }
}

/** Families of a text, in Typst: these, then those for other scripts, which its start declares. */
export const fontList = (...names: FontName[]): string =>
  `(${names.map(literal).join(', ')}, ..other-scripts)`

const declarationOf = (families: readonly string[]) =>
  `#let other-scripts = (${['Noto Sans SC', 'NanumGothic', 'Noto Emoji', 'DejaVu Sans', ...families].map(literal).join(', ')})\n`

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
