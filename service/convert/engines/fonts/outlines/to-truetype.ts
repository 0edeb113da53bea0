/** Converts a font with CFF or CFF2 outlines to TrueType outlines; all tables about other things are unchanged. */
import { damagedFont } from '../sfnt/data.ts'
import { type Font, flavors, unitsPerEmOf } from '../sfnt/font.ts'
import type { GlyphBounds } from '../sfnt/glyf/read.ts'
import { boxAround, GlyphWriter } from '../sfnt/glyf/write.ts'
import { Budget, checkPoints } from './budget.ts'
import { type CharStringOutline, drawGlyph } from './cff/charstring.ts'
import { placer } from './cff/matrix.ts'
import { type CffTable, glyphName, readCff } from './cff/read.ts'
import { METRIC_POINTS, type VariableOutline } from './contours.ts'
import { toQuadratic } from './cubic-to-quadratic.ts'
import { OutlineSummary } from './outline-summary.ts'
import { postWithNames, postWithoutNames } from './post-names.ts'
import { toVariableQuadratic } from './variable-quadratic.ts'
import { type GlyphChanges, GvarWriter } from './variations/gvar-write.ts'
import { type AdvanceChanges, readAdvanceChanges } from './variations/metrics.ts'

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
  const variations = cff.store
    ? { gvar: new GvarWriter(), advances: readAdvanceChanges(font, budget) }
    : undefined
  const place = placer(cff, unitsPerEm)
  for (let glyph = 0; glyph < count; glyph++) {
    const outline = outlineOf(cff, glyph, budget, place, toleranceOf(unitsPerEm))
    checkPoints(outline.xs.length)
    const box = boxAround(outline.xs, outline.ys)
    if (outline.ends.length === 0) glyphs.empty()
    else glyphs.simple(simpleGlyph(outline, box))
    summary.add(glyph, outline, box)
    variations?.gvar.add(changesOf(cff, glyph, outline, variations.advances))
  }
  const { glyf, loca, long } = glyphs.take(true)
  const tables = new Map(font.tables)
  for (const tag of ['CFF ', 'CFF2', 'VORG', 'DSIG']) tables.delete(tag)
  tables.set('glyf', glyf)
  tables.set('loca', loca)
  summary.writeTo(tables, count, long)
  if (variations && cff.store) tables.set('gvar', variations.gvar.take(cff.store.axes))
  if (!tables.has('gasp')) tables.set('gasp', gasp)
  tables.set('prep', prep)
  if (tables.has('post') && !cff.isCff2) tables.set('post', postOf(font, cff))
  return { ...font, flavor: flavors.trueType, tables }
}

function outlineOf(
  cff: CffTable,
  glyph: number,
  budget: Budget,
  place: ReturnType<typeof placer>,
  tolerance: number,
): VariableOutline {
  const usual = drawGlyph(cff, glyph, budget)
  const regions = regionsOf(cff, usual)
  if (regions.length === 0) {
    return { ...toQuadratic(place(usual.contours, glyph), tolerance), moves: new Map() }
  }
  // Even an empty program takes time in each of many regions.
  budget.spend(100 * regions.length)
  const variants = [usual, ...regions.map((_, index) => drawGlyph(cff, glyph, budget, index))]
  return toVariableQuadratic(
    variants.map(({ contours }) => place(contours, glyph)),
    regions,
    tolerance,
  )
}

const regionsOf = (cff: CffTable, { variationIndex }: CharStringOutline): readonly number[] =>
  cff.store?.subtables[variationIndex]?.regions ?? []

const simpleGlyph = (outline: VariableOutline, box: GlyphBounds) => ({
  ...outline,
  box,
  overlapping: outline.moves.size > 0,
})

/** Changes of a glyph's points and of its advance, by region. */
function changesOf(
  cff: CffTable,
  glyph: number,
  outline: VariableOutline,
  advances: AdvanceChanges,
): GlyphChanges {
  const points = outline.xs.length
  const changes = new Map<string, GlyphChanges[number] & { xs: number[]; ys: number[] }>()
  const changeIn = (region: GlyphChanges[number]['region']) => {
    const key = region.join('|')
    let change = changes.get(key)
    if (!change) {
      const none = () => new Array<number>(points + METRIC_POINTS).fill(0)
      change = { region, xs: none(), ys: none() }
      changes.set(key, change)
    }
    return change
  }
  for (const [number, { xs, ys }] of outline.moves) {
    const change = changeIn(cff.store!.regions[number]!)
    for (let i = 0; i < points; i++) {
      change.xs[i] = xs[i]!
      change.ys[i] = ys[i]!
    }
  }
  for (const { region, change } of advances(glyph)) if (change) changeIn(region).xs[points + 1] = change
  return [...changes.values()]
}

function postOf(font: Font, cff: CffTable): Uint8Array {
  if (cff.isCid) return postWithoutNames(font)
  const names = cff.charStrings.map((_, glyph) => (glyph === 0 ? '.notdef' : (glyphName(cff, glyph) ?? '')))
  return postWithNames(font, names)
}
