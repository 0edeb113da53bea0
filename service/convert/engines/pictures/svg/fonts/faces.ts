/** Fonts embedded in an SVG document, and the font families of its text. */

import { readDataAddress } from '../../../common/addresses.ts'
import { splitAt, unquoted, words } from '../../../common/css/values.ts'
import { ownValue } from '../../../common/own-value.ts'
import { readFonts } from '../../../fonts/sfnt/read.ts'
import { writeSfnt } from '../../../fonts/sfnt/sfnt.ts'
import { type Element, walk } from '../tree.ts'
import { type Naming, renamed } from './renamed.ts'

export interface Faces {
  /** Complete font files, each with a unique name. */
  fonts: Buffer[]
  /** The unique name by the family name that the document uses, in lower case. */
  families: Map<string, string>
  /** Whether a font of the document could not be read. */
  unreadable: boolean
  /** Whether a font is outside the document. */
  outside: boolean
  /** Whether a font is variable, which the renderer draws in its default weight only. */
  variable: boolean
}

/** Maximum number of fonts in an SVG document. */
const FACE_LIMIT = 64
/** Maximum size of all fonts of an SVG document, unpacked. */
const FONTS_BYTES = 128_000_000

/**
 * Reads the fonts of all `@font-face` rules. Each gets a unique family name, so that none is confused with another.
 * @param nextFamily returns a name that no other font has
 */
export async function readFaces(rules: Map<string, string>[], nextFamily: () => string): Promise<Faces> {
  const faces: Faces = { fonts: [], families: new Map(), unreadable: false, outside: false, variable: false }
  let bytes = 0
  for (const rule of rules.slice(0, FACE_LIMIT)) {
    const family = unquoted(rule.get('font-family') ?? '').toLowerCase()
    const source = rule.get('src')
    if (family === '' || source === undefined) continue
    const own = faces.families.get(family) ?? nextFamily()
    const found = await firstFile(source, { family: own, weight: weightOf(rule), italic: isItalic(rule) })
    if (!found) {
      if (/\bdata:/i.test(source)) faces.unreadable = true
      else if (/\burl\(/i.test(source)) faces.outside = true
      continue
    }
    const { file, variable } = found
    bytes += file.length
    if (bytes > FONTS_BYTES) {
      faces.unreadable = true
      break
    }
    faces.variable ||= variable
    faces.families.set(family, own)
    faces.fonts.push(file)
  }
  return faces
}

/** The first source that is a readable font in the document itself, under another name, and whether it is variable. */
async function firstFile(source: string, naming: Naming) {
  for (const part of splitAt(source, ',')) {
    const address = /^url\(([\s\S]*?)\)(?:\s|$)/i.exec(`${part} `)?.[1]
    const file = address === undefined ? undefined : readDataAddress(unquoted(address))
    if (!file) continue
    try {
      const [font] = await readFonts(file.bytes)
      if (font?.tables.has('cmap'))
        return { file: writeSfnt(renamed(font, naming)), variable: font.tables.has('fvar') }
    } catch {
      // The next source may work.
    }
  }
  return undefined
}

const WEIGHTS: Record<string, number> = { normal: 400, bold: 700 }

/** The weight that a rule declares, of several the first; a font without one is a regular one, whatever its file says. */
function weightOf(rule: Map<string, string>): number {
  const [first = 'normal'] = words(rule.get('font-weight') ?? '').map(text => text.toLowerCase())
  const weight = ownValue(WEIGHTS, first) ?? Number(first)
  return weight >= 1 && weight <= 1000 ? weight : WEIGHTS.normal!
}

const isItalic = (rule: Map<string, string>): boolean => /italic|oblique/i.test(rule.get('font-style') ?? '')

/**
 * Families that ship with the app and have the same letter widths as those that documents ask for. Inkscape writes the
 * names of Linux, where "Sans" is DejaVu Sans, which grew out of Bitstream Vera.
 */
const SUBSTITUTES = new Map(
  Object.entries({
    Arimo:
      'arial,helvetica,helvetica neue,liberation sans,sans-serif,system-ui,ui-sans-serif,-apple-system,blinkmacsystemfont',
    Tinos: 'times,times new roman,liberation serif,serif,ui-serif',
    Cousine: 'courier,courier new,liberation mono,mono,monospace,ui-monospace',
    'DejaVu Sans': 'sans,bitstream vera sans',
  }).flatMap(([ours, names]) => names.split(',').map((name): [string, string] => [name, ours])),
)

/**
 * Replaces the font families of all text with those that the renderer finds: the document's own, ours, or the system's.
 */
export function nameFamilies(root: Element, families: Map<string, string>): void {
  for (const { attributes } of walk(root)) {
    const list = attributes.get('font-family')
    if (list === undefined) continue
    const named = splitAt(list, ',').map(part => {
      const family = unquoted(part)
      const lower = family.toLowerCase()
      return families.get(lower) ?? SUBSTITUTES.get(lower) ?? family
    })
    // With a space after the comma the renderer does not find quoted names.
    attributes.set('font-family', named.map(family => `'${family.replace(/['"\\,]/g, '')}'`).join(','))
  }
}

/** Letters that our fonts lack; they have Latin, Greek, Cyrillic, and common symbols. */
const OTHER_LETTERS = /[\u0530-\u1fff\u2300-\u{10ffff}]/u

const SHIPPED = /^'(Arimo|Tinos|Cousine|DejaVu Sans|Refile Embedded \d+)'/

/** Whether an SVG document has text that asks for a system font, or has letters that ours lack. */
export function needsSystemFonts(root: Element): boolean {
  for (const { name, attributes, children } of walk(root)) {
    if (name === 'image' && attributes.get('href')?.startsWith('data:image/svg')) return true
    const family = attributes.get('font-family')
    if (family !== undefined && !SHIPPED.test(family)) return true
    if (children.some(child => typeof child === 'string' && OTHER_LETTERS.test(child))) return true
  }
  return false
}
