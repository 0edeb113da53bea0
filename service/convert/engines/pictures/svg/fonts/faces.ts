/** Fonts embedded in a drawing, and the font families of its text. */

import { readDataAddress } from '../../../common/addresses.ts'
import { splitAt, unquoted, words } from '../../../common/css/values.ts'
import { weightsOf } from '../../../fonts/fontkit/weights.ts'
import type { Font } from '../../../fonts/sfnt/font.ts'
import { readFonts } from '../../../fonts/sfnt/read.ts'
import { writeSfnt } from '../../../fonts/sfnt/sfnt.ts'
import { type Element, walk } from '../tree.ts'
import { renamed } from './renamed.ts'

export interface Faces {
  /** Complete font files, each with a unique name. */
  fonts: Buffer[]
  /** The unique name by the family name that the drawing uses, in lower case. */
  families: Map<string, string>
  /** Whether a font of the drawing could not be read. */
  unreadable: boolean
  /** Whether a font is outside the drawing. */
  outside: boolean
}

/** Maximum number of fonts in a drawing. */
const FACE_LIMIT = 64
/** Maximum number of weights that a variable font is drawn in. */
const WEIGHT_LIMIT = 10
/** Maximum size of all fonts of a drawing, unpacked. */
const FONTS_BYTES = 128_000_000

/**
 * Reads the fonts of all `@font-face` rules. Each gets a unique family name, so that none is confused with another. The renderer draws
 * variable fonts at their default weight only, so that one becomes a font for each weight that the drawing uses.
 * @param nextFamily returns a name that no other font has
 */
export async function readFaces(
  root: Element,
  rules: Map<string, string>[],
  nextFamily: () => string,
): Promise<Faces> {
  const faces: Faces = { fonts: [], families: new Map(), unreadable: false, outside: false }
  const used = weightsIn(root)
  let bytes = 0
  for (const rule of rules.slice(0, FACE_LIMIT)) {
    const family = unquoted(rule.get('font-family') ?? '').toLowerCase()
    const source = rule.get('src')
    if (family === '' || source === undefined) continue
    const own = faces.families.get(family) ?? nextFamily()
    const italic = isItalic(rule)
    const files = await firstFiles(source, font =>
      instances(font, rule, used).map(([face, weight]) => renamed(face, { family: own, weight, italic })),
    )
    if (!files) {
      if (/\bdata:/i.test(source)) faces.unreadable = true
      else if (/\burl\(/i.test(source)) faces.outside = true
      continue
    }
    bytes += files.reduce((sum, file) => sum + file.length, 0)
    if (bytes > FONTS_BYTES) {
      faces.unreadable = true
      break
    }
    faces.families.set(family, own)
    faces.fonts.push(...files)
  }
  return faces
}

/** The first source that is a readable font in the drawing itself, as OpenType files of what `facesOf` makes of it. */
async function firstFiles(source: string, facesOf: (font: Font) => Font[]): Promise<Buffer[] | undefined> {
  for (const part of splitAt(source, ',')) {
    const address = /^url\(([\s\S]*?)\)(?:\s|$)/i.exec(`${part} `)?.[1]
    const file = address === undefined ? undefined : readDataAddress(unquoted(address))
    if (!file) continue
    try {
      const [font] = await readFonts(file.bytes)
      if (font?.tables.has('cmap')) return facesOf(font).map(writeSfnt)
    } catch {
      // The next source may work.
    }
  }
  return undefined
}

const WEIGHTS: Record<string, number> = { normal: 400, bold: 700 }

const weightOf = (text: string | undefined): number | undefined => {
  const weight = text === undefined ? undefined : (WEIGHTS[text] ?? Number(text))
  return weight !== undefined && weight >= 1 && weight <= 1000 ? weight : undefined
}

/** The weights of a drawing's text, with those that relative ones usually mean. */
function weightsIn(root: Element): Set<number> {
  const found = new Set([WEIGHTS.normal!])
  for (const { attributes } of walk(root)) {
    const text = attributes.get('font-weight')?.trim().toLowerCase()
    const weight = text === 'bolder' ? WEIGHTS.bold : weightOf(text)
    if (weight !== undefined && found.size < WEIGHT_LIMIT) found.add(weight)
  }
  return found
}

/** A font with the weight under which it is found: one of each weight in use if it is variable. */
function instances(font: Font, rule: Map<string, string>, used: ReadonlySet<number>): [Font, number][] {
  const [first, last = first] = words(rule.get('font-weight') ?? '').map(text => weightOf(text.toLowerCase()))
  const axis = weightsOf(font)
  // A font without a declared weight is a regular one, whatever its file says.
  if (!axis) return [[font, first ?? WEIGHTS.normal!]]
  const [min, max] = [Math.max(axis.min, first ?? 0), Math.min(axis.max, last ?? Infinity)]
  const weights = new Set([...used].map(weight => Math.max(min, Math.min(max, weight))))
  return [...weights].map(weight => [axis.at(weight), weight])
}

const isItalic = (rule: Map<string, string>): boolean => /italic|oblique/i.test(rule.get('font-style') ?? '')

/**
 * Families that ship with the app and have the same letter widths as those that drawings ask for. Inkscape writes the
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
 * Replaces the font families of all text with those that the renderer finds: the drawing's own, ours, or the system's.
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

/** Whether a drawing has text that asks for a system font, or has letters that ours lack. */
export function needsSystemFonts(root: Element): boolean {
  for (const { name, attributes, children } of walk(root)) {
    if (name === 'image' && attributes.get('href')?.startsWith('data:image/svg')) return true
    const family = attributes.get('font-family')
    if (family !== undefined && !SHIPPED.test(family)) return true
    if (children.some(child => typeof child === 'string' && OTHER_LETTERS.test(child))) return true
  }
  return false
}
