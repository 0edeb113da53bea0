/** Converts a font with CFF outlines, or the default style of a variable one, to TrueType outlines; all tables about other things are unchanged. */
import { damagedFont } from '../sfnt/data.ts'
import { type Font, flavors, unitsPerEmOf } from '../sfnt/font.ts'
import { boxAround, GlyphWriter } from '../sfnt/glyf/write.ts'
import { Budget, checkPoints } from './budget.ts'
import { drawGlyph } from './cff/charstring.ts'
import { type CffTable, glyphName, readCff } from './cff/read.ts'
import { toQuadratic } from './cubic-to-quadratic.ts'
import { OutlineSummary } from './outline-summary.ts'
import { postWithNames, postWithoutNames } from './post-names.ts'
import { removeVariations } from './variations.ts'

/** Curves may differ by a thousandth of the em, or by one unit if units are coarse. */
const toleranceOf = (unitsPerEm: number) => Math.max(1, unitsPerEm / 1000)

/** Enables smoothing at all sizes, since there are no hinting instructions. */
const gasp = Uint8Array.of(0, 1, 0, 1, 0xff, 0xff, 0, 0x0f)
/** Turns dropout control on (PUSHW 511, SCANCTRL, PUSHB 4, SCANTYPE). */
const prep = Uint8Array.of(0xb8, 0x01, 0xff, 0x85, 0xb0, 0x04, 0x8d)

/** @throws JobFailure corrupt_input, unsupported_input, too_large */
export function toTrueType(font: Font): Font {
  const cff = readCff(font.tables.get('CFF2') ?? font.tables.get('CFF ') ?? new Uint8Array())
  const unitsPerEm = unitsPerEmOf(font)
  const count = cff.charStrings.length
  if (count === 0 || count > 65_535) throw damagedFont()
  const glyphs = new GlyphWriter()
  const summary = new OutlineSummary(font)
  const budget = new Budget()
  for (let glyph = 0; glyph < count; glyph++) {
    const outline = toQuadratic(drawGlyph(cff, glyph, budget).contours, toleranceOf(unitsPerEm))
    checkPoints(outline.xs.length)
    const box = boxAround(outline.xs, outline.ys)
    if (outline.ends.length === 0) glyphs.empty()
    else glyphs.simple({ ...outline, box, overlapping: cff.isCff2 })
    summary.add(glyph, outline, box)
  }
  const { glyf, loca, long } = glyphs.take(true)
  const tables = new Map(font.tables)
  for (const tag of ['CFF ', 'CFF2', 'VORG', 'DSIG']) tables.delete(tag)
  tables.set('glyf', glyf)
  tables.set('loca', loca)
  summary.writeTo(tables, count, long)
  removeVariations(font, tables)
  if (!tables.has('gasp')) tables.set('gasp', gasp)
  tables.set('prep', prep)
  if (tables.has('post') && !cff.isCff2) tables.set('post', postOf(font, cff))
  return { ...font, flavor: flavors.trueType, tables }
}

function postOf(font: Font, cff: CffTable): Uint8Array {
  if (cff.isCid) return postWithoutNames(font)
  const names = cff.charStrings.map((_, glyph) => (glyph === 0 ? '.notdef' : (glyphName(cff, glyph) ?? '')))
  return postWithNames(font, names)
}
