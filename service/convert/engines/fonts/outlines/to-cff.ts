/** Converts a font with TrueType outlines, or the default style of a variable one, to CFF outlines; other tables are unchanged. */
import { mostFrequent } from '../../common/median.ts'
import { toInt16 } from '../sfnt/data.ts'
import { copyOf, type Font, flavors, unitsPerEmOf } from '../sfnt/font.ts'
import { nameIds, nameOf } from '../sfnt/names.ts'
import { Budget } from './budget.ts'
import { writeNumber } from './cff/charstring-numbers.ts'
import { operators } from './cff/charstring-operators.ts'
import { type EncodedContour, encodeContour } from './cff/encode.ts'
import { SharedContours } from './cff/subroutines.ts'
import { writeCff } from './cff/write.ts'
import type { CubicContour } from './contours.ts'
import { MetricsTable } from './metrics-table.ts'
import { postWithoutNames, readGlyphNames } from './post-names.ts'
import { toCubic } from './quadratic-to-cubic.ts'
import { type TrueTypeOutline, TrueTypeOutlines } from './truetype.ts'
import { removeVariations } from './variations.ts'
import { writeVerticalOrigins } from './vertical-origins.ts'

/** Tables of TrueType outlines and of their hinting instructions. */
const LEFT_OUT = 'glyf,loca,gvar,cvt ,cvar,fpgm,prep,gasp,hdmx,VDMX,LTSH,DSIG'.split(',')

interface Source {
  outlines: TrueTypeOutlines
  metrics: MetricsTable
  unitsPerEm: number
  /** Vertical metrics, if the font has them. */
  vertical: MetricsTable | undefined
  /** Height of each glyph's vertical origin, recorded with its contours. */
  origins: number[]
}

/** @throws JobFailure corrupt_input, unsupported_input, too_large */
export function toCff(font: Font): Font {
  const outlines = new TrueTypeOutlines(font, new Budget())
  const source: Source = {
    outlines,
    metrics: new MetricsTable(font, 'hmtx', 'hhea'),
    unitsPerEm: unitsPerEmOf(font),
    vertical:
      font.tables.has('vmtx') && font.tables.has('vhea') ? new MetricsTable(font, 'vmtx', 'vhea') : undefined,
    origins: [],
  }
  const tables = new Map(font.tables)
  for (const tag of LEFT_OUT) tables.delete(tag)
  removeVariations(font, tables)
  tables.set('CFF ', writeOutlines(font, source))
  if (tables.has('post')) tables.set('post', postWithoutNames(font))
  const head = copyOf(font, 'head', 54)
  head.writeInt16BE(0, 50)
  tables.set('head', head)
  const maxp = Buffer.alloc(6)
  maxp.writeUInt32BE(0x0000_5000, 0)
  maxp.writeUInt16BE(outlines.count, 4)
  tables.set('maxp', maxp)
  if (source.vertical) tables.set('VORG', writeVerticalOrigins(source.origins))
  return { ...font, flavor: flavors.cff, tables }
}

function writeOutlines(font: Font, source: Source): Buffer {
  const { outlines, metrics, unitsPerEm } = source
  // Rounding to whole units moves points by up to 0.7 units.
  const grid = unitsPerEm >= 1000 ? 1 : 1 / 16
  const shared = new SharedContours()
  const box: [number, number, number, number] = [32_767, 32_767, -32_768, -32_768]
  const glyphs = Array.from({ length: outlines.count }, (_, glyph) => {
    const contours = positionedContours(source, glyph, outlines.outline(glyph))
    const encoded = contours
      .map(contour => encodeContour(contour, grid))
      .filter(contour => contour !== undefined)
    for (const { program } of encoded) shared.count(program)
    for (const { points } of contours) extend(box, points)
    return encoded
  })
  const usualWidth = mostFrequent(glyphs.keys().map(glyph => metrics.advance(glyph)))
  const globalSubroutines = shared.choose()
  const charStrings = glyphs.map((contours, glyph) => {
    const out: number[] = []
    // `hmtx` is what counts, and has widths that CFF cannot hold.
    const difference = toInt16(metrics.advance(glyph) - usualWidth)
    if (difference !== 0) writeNumber(out, difference)
    writeContours(out, contours, shared)
    out.push(operators.endchar)
    return Buffer.from(out)
  })
  const family = printable(nameOf(font, nameIds.family))
  return writeCff({
    postScriptName: postScriptName(nameOf(font, nameIds.postScript) ?? family),
    fullName: printable(nameOf(font, nameIds.full)) || family,
    familyName: family,
    glyphNames: glyphNames(font, outlines.count),
    charStrings,
    globalSubroutines,
    box: box[0] > box[2] ? [0, 0, 0, 0] : box,
    unitsPerEm,
    usualWidth,
  })
}

/** Contours of a glyph at the position that TrueType gives them: with the left edge at the bearing. */
function positionedContours(
  { metrics, vertical, origins }: Source,
  glyph: number,
  outline: TrueTypeOutline,
): CubicContour[] {
  if (vertical) origins.push(toInt16(vertical.bearing(glyph) + outline.yMax))
  const shift = outline.ends.length > 0 ? metrics.bearing(outline.placedBy) - outline.xMin : 0
  return toCubic(outline).map(({ segments, points }) => ({
    segments,
    points: shift ? points.map((value, i) => (i % 2 ? value : value + shift)) : points,
  }))
}

function extend(box: [number, number, number, number], points: readonly number[]): void {
  for (let i = 0; i < points.length; i += 2) {
    box[0] = Math.min(box[0], Math.floor(points[i]!))
    box[1] = Math.min(box[1], Math.floor(points[i + 1]!))
    box[2] = Math.max(box[2], Math.ceil(points[i]!))
    box[3] = Math.max(box[3], Math.ceil(points[i + 1]!))
  }
}

function writeContours(out: number[], contours: readonly EncodedContour[], shared: SharedContours): void {
  let [x, y] = [0, 0]
  for (const { start, end, program } of contours) {
    const [dx, dy] = [start[0] - x, start[1] - y]
    if (dx !== 0 || dy === 0) writeNumber(out, dx)
    if (dy !== 0) writeNumber(out, dy)
    out.push(dy === 0 ? operators.hmoveto : dx === 0 ? operators.vmoveto : operators.rmoveto)
    shared.write(out, program)
    x = end[0]
    y = end[1]
  }
}

/** Names that CFF can hold: one for each glyph, all different. */
function glyphNames(font: Font, count: number): string[] | undefined {
  const stored = readGlyphNames(font, count)
  if (!stored) return undefined
  const taken = new Set(['.notdef'])
  return Array.from({ length: count }, (_, glyph) => {
    if (glyph === 0) return '.notdef'
    let name = stored[glyph]
    if (!name || !/^[\x21-\x7e]{1,63}$/.test(name) || taken.has(name))
      name = `glyph${String(glyph).padStart(5, '0')}`
    while (taken.has(name)) name += '.'
    taken.add(name)
    return name
  })
}

const printable = (text = ''): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, 127)

/** A name without spaces and PostScript's special characters: OpenType 1.9.1, table `name`, name 6. */
const postScriptName = (text: string): string =>
  text.replace(/[^\x21-\x7e]|[[\](){}<>/%]/g, '').slice(0, 63) || 'Converted'
