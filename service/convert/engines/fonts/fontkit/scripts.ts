/** Scripts of which Refile, or its small package, brings no font: who shows them needs one of this computer. */
import { familyKey, installedFonts } from './installed.ts'
import { isCjk, shippedFonts } from './shipped.ts'
import { openTypeface } from './typefaces.ts'

export const CJK = 'Chinese and Japanese'

/** Blocks of Unicode, with a letter of each, and OpenType's tags of scripts whose letters change their shape and place. */
const BLOCKS = [
  ['Syriac', 0x0700, 0x074f, 0x0712, 'syrc'],
  ['Thaana', 0x0780, 0x07bf, 0x0780],
  ['Devanagari', 0x0900, 0x097f, 0x0915, 'deva|dev2'],
  ['Bengali', 0x0980, 0x09ff, 0x0995, 'beng|bng2'],
  ['Gurmukhi', 0x0a00, 0x0a7f, 0x0a15, 'guru|gur2'],
  ['Gujarati', 0x0a80, 0x0aff, 0x0a95, 'gujr|gjr2'],
  ['Oriya', 0x0b00, 0x0b7f, 0x0b15, 'orya|ory2'],
  ['Tamil', 0x0b80, 0x0bff, 0x0b95, 'taml|tml2'],
  ['Telugu', 0x0c00, 0x0c7f, 0x0c15, 'telu|tel2'],
  ['Kannada', 0x0c80, 0x0cff, 0x0c95, 'knda|knd2'],
  ['Malayalam', 0x0d00, 0x0d7f, 0x0d15, 'mlym|mlm2'],
  ['Sinhala', 0x0d80, 0x0dff, 0x0d9a, 'sinh'],
  ['Thai', 0x0e00, 0x0e7f, 0x0e01],
  ['Tibetan', 0x0f00, 0x0fff, 0x0f40, 'tibt'],
  ['Myanmar', 0x1000, 0x109f, 0x1000, 'mymr|mym2'],
  ['Ethiopic', 0x1200, 0x139f, 0x1200],
  ['Cherokee', 0x13a0, 0x13ff, 0x13a0],
  ['Khmer', 0x1780, 0x17ff, 0x1780, 'khmr'],
  ['Mongolian', 0x1800, 0x18af, 0x1820, 'mong'],
  ['Balinese', 0x1b00, 0x1b7f, 0x1b13, 'bali'],
  ['Ol Chiki', 0x1c50, 0x1c7f, 0x1c5a],
  [CJK, 0x3000, 0x9fff, 0x4e00],
  ['Yi', 0xa000, 0xa4cf, 0xa000],
  ['Vai', 0xa500, 0xa63f, 0xa500],
  ['Javanese', 0xa980, 0xa9df, 0xa98f, 'java'],
  ['Meetei Mayek', 0xabc0, 0xabff, 0xabc0],
  ['Chakma', 0x11100, 0x1114f, 0x11103, 'cakm'],
  ['Adlam', 0x1e900, 0x1e95f, 0x1e900, 'adlm'],
] as const

export type OtherScript = (typeof BLOCKS)[number][0]

/** Families whose names do not say which of these scripts they have, of Windows, macOS and Linux. */
const FAMILIES =
  `nirmala ui|leelawadee ui|ebrima|gadugi|mv boli|estrangelo edessa|microsoft himalaya|kohinoor bangla|bangla mn|thonburi|kailasa|kefa|
  arial unicode ms|noto sans sc|noto sans cjk sc|noto sans cjk jp|source han sans sc|microsoft yahei|hiragino sans gb|simsun|wenquanyi zen hei|freesans|freeserif|waree|garuda|loma|padauk|abyssinica sil|mangal|vrinda|raavi|shruti|latha|gautami|tunga|kartika|iskoola pota`
    .split('|')
    .map(name => name.trim())

/** The script of a character, if it is one of these. */
export function otherScriptOf(code: number): OtherScript | undefined {
  if (code < BLOCKS[0][1]) return undefined
  if (isCjk(code)) return shippedFonts.cjk().length > 0 ? undefined : CJK
  return BLOCKS.find(([, first, last]) => code >= first && code <= last)?.[0]
}

/** Whether a font file has the letters of a script, and puts them together. */
export function showsScript(path: string, script: OtherScript): boolean {
  const [, , , letter, tags] = BLOCKS.find(([name]) => name === script)!
  const font = openTypeface(path)
  if (!font?.hasGlyphForCodePoint(letter)) return false
  const scripts = (font as { GSUB?: { scriptList?: { tag: string }[] } }).GSUB?.scriptList ?? []
  return !tags || scripts.some(({ tag }) => tags.includes(tag.trim()))
}

/** Files of a family on this computer that shows a script; none if there is no such family. */
export async function fontsFor(
  script: OtherScript,
  installed?: Map<string, { path: string }[]>,
): Promise<string[]> {
  const families = installed ?? (await installedFonts())
  const named = [...families.keys()].filter(family => family.includes(familyKey(script)))
  for (const family of [...named, ...FAMILIES]) {
    const files = families.get(family)?.map(({ path }) => path) ?? []
    if (files.some(path => showsScript(path, script))) return files
  }
  return []
}
