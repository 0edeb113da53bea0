/** Finds the fonts that a document uses without fully parsing it: by names of families and by characters of scripts. */

import { type OtherScript, otherScriptOf } from '../../fonts/fontkit/scripts.ts'
import { isCjk, type ShippedScript } from '../../fonts/fontkit/shipped.ts'

export interface FontNeeds {
  /** Names of families as the document spells them. */
  families: Set<string>
  /** Those that LibreOffice's own fonts lack. */
  scripts: Set<ShippedScript | OtherScript>
}

export const noNeeds = (): FontNeeds => ({ families: new Set(), scripts: new Set() })

/** Maximum length and number of family names that are taken from a document. */
const NAME_CHARACTERS = 64
const FAMILY_LIMIT = 200

function addFamily({ families }: FontNeeds, name: string): void {
  const family = name.trim()
  // Names that start with + refer to fonts of the theme, which lists the actual names.
  if (family && !family.startsWith('+') && family.length <= NAME_CHARACTERS && families.size < FAMILY_LIMIT)
    families.add(family)
}

const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e

/** Adds the scripts of the text between the tags of UTF-8 XML. */
export function addXmlScripts(needs: FontNeeds, xml: Uint8Array): void {
  let isInTag = false
  for (let at = 0; at < xml.length; at++) {
    const byte = xml[at]!
    if (byte === LESS_THAN) isInTag = true
    else if (byte === GREATER_THAN) isInTag = false
    else if (byte >= 0xdc && !isInTag) {
      addCodePoint(needs, utf8At(xml, at, byte))
    }
  }
}

/** Whether runs of WordprocessingML or DrawingML contain text. */
export const hasText = (xml: Uint8Array): boolean =>
  /<[aw]:t(?: [^>]*)?>[^<]*[^\s<][^<]*</.test(
    Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString('latin1'),
  )

/** The code point of a UTF-8 sequence that starts here. */
function utf8At(bytes: Uint8Array, at: number, first: number): number {
  const bits = (index: number) => (bytes[at + index] ?? 0) & 0x3f
  if (first < 0xe0) return ((first & 0x1f) << 6) | bits(1)
  return first < 0xf0
    ? ((first & 0x0f) << 12) | (bits(1) << 6) | bits(2)
    : ((first & 0x07) << 18) | (bits(1) << 12) | (bits(2) << 6) | bits(3)
}

function addCodePoint({ scripts }: FontNeeds, code: number): void {
  if ((code >= 0xac00 && code <= 0xd7a3) || (code >= 0x3131 && code <= 0x318e)) scripts.add('hangul')
  else if (isCjk(code)) scripts.add('cjk')
  else if (code >= 0x1f000 && code <= 0x1faff) scripts.add('emoji')
  else {
    const script = otherScriptOf(code)
    if (script) scripts.add(script)
  }
}

/** Attributes that name a font in WordprocessingML, SpreadsheetML and DrawingML, except a theme's list for other scripts, and in OpenDocument. */
const XML_FAMILIES = [
  /<w:font w:name="([^"]*)"/g,
  /<w:rFonts\s[^>]*>/g,
  /<a:(?:latin|ea|cs|sym|buFont) typeface="([^"]*)"/g,
  /<(?:name|rFont) val="([^"]*)"/g,
  /\ssvg:font-family="'?([^"]*?)'?"/g,
]
const RUN_FONTS = /w:(?:ascii|hAnsi|eastAsia|cs)="([^"]*)"/g

/** Adds the families that are named in the XML of an Office document. */
export function addXmlFamilies(needs: FontNeeds, xml: string): void {
  for (const pattern of XML_FAMILIES) {
    for (const [tag, name] of xml.matchAll(pattern)) {
      if (name !== undefined) addFamily(needs, unescaped(name))
      else for (const [, run = ''] of tag.matchAll(RUN_FONTS)) addFamily(needs, unescaped(run))
      if (needs.families.size >= FAMILY_LIMIT) return
    }
  }
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&apos;', "'")

/** Character set codes of RTF and Windows for Japanese, Korean and the two forms of Chinese. */
const RTF_CJK = /\\fcharset(?:128|134|136)\b/
const RTF_HANGUL = /\\fcharset129\b/

/** Adds what RTF uses; text is written in \uN escapes, with N from -32768 to 32767. */
export function addRtfNeeds(needs: FontNeeds, rtf: string): void {
  for (const [, name = ''] of rtf.matchAll(/\\fcharset\d+[^;{}]*?[ }]([^;{}\\]{2,64});/g))
    addFamily(needs, name)
  if (RTF_CJK.test(rtf)) needs.scripts.add('cjk')
  if (RTF_HANGUL.test(rtf)) needs.scripts.add('hangul')
  let high = 0
  for (const [, number] of rtf.matchAll(/\\u(-?\d{4,5})/g)) {
    const unit = Number(number) & 0xffff
    if (unit >= 0xd800 && unit < 0xdc00) high = unit
    else if (unit >= 0xdc00 && unit < 0xe000)
      addCodePoint(needs, 0x10000 + ((high & 0x3ff) << 10) + (unit & 0x3ff))
    else addCodePoint(needs, unit)
  }
}

/** Font names in the older formats: zero-terminated UTF-16 text. */
const BINARY_NAMES = /((?:[\x20-\x7e]\0){3,31})\0\0/g

/** Adds everything in binary data that may be the name of a family. */
export function addBinaryFamilies(needs: FontNeeds, bytes: Buffer): void {
  for (const [, name = ''] of bytes.toString('latin1').matchAll(BINARY_NAMES)) {
    addFamily(needs, name.replaceAll('\0', ''))
  }
}

/** Adds the scripts of UTF-16 text. */
export function addUtf16Scripts(needs: FontNeeds, text: Buffer): void {
  for (const character of text.toString('utf16le')) addCodePoint(needs, character.codePointAt(0) ?? 0)
}
