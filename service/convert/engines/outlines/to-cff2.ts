/** Converts variable TrueType outlines to CFF2. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { writeNumber } from './cff/charstring-numbers.ts'
import { operators } from './cff/charstring-operators.ts'
import { difference, encodeVariable, type VariableStart, writeOperator } from './cff/encode-variable.ts'
import { SharedContours } from './cff/subroutines.ts'
import { writeCff2 } from './cff/write-cff2.ts'
import { placedContours, type TrueTypeSource } from './placed-contours.ts'
import type { GlyphVariations } from './variations/gvar-read.ts'
import { writeHeightChanges, writeWidthChanges } from './variations/metrics.ts'
import { writeVariationStore } from './variations/store.ts'

/** Maximum size of a variation store whose length has 16 bits. */
const STORE_LIMIT = 0xffff
/** Maximum number of regions for one glyph, so that the values fit on the stack together. */
const REGION_LIMIT = 500

/**
 * @returns the tables by tag: `CFF2`, and `HVAR` and `VVAR` if the font had none, since `gvar` also has the changes of metrics
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function toVariableCff(source: TrueTypeSource, variations: GlyphVariations): Map<string, Uint8Array> {
  const { font, outlines, unitsPerEm, grid } = source
  const subtables = new Subtables()
  const shared = new SharedContours(false)
  const widths: Map<number, number>[] = []
  const heights: Map<number, number>[] = []
  const origins: Map<number, number>[] = []
  const glyphs = Array.from({ length: outlines.count }, (_, glyph) => {
    const outline = outlines.outline(glyph)
    const regions = [...outline.moves.keys()].sort((a, b) => a - b)
    if (regions.length > REGION_LIMIT) throw tooManyRegions()
    const contours = placedContours(source, glyph, outline, regions)
      .map(contour => encodeVariable(contour, grid))
      .filter(contour => contour !== undefined)
    const subtable = subtables.numberOf(contours.length > 0 ? regions : [])
    for (const { program } of contours) shared.count(program)
    const metricMoves = [...outline.metricMoves]
    widths.push(new Map(metricMoves.map(([region, { left, right }]) => [region, right - left])))
    heights.push(new Map(metricMoves.map(([region, { top, bottom }]) => [region, top - bottom])))
    origins.push(new Map(metricMoves.map(([region, { top }]) => [region, top])))
    return { contours, subtable }
  })
  const globalSubroutines = shared.choose()
  const charStrings = glyphs.map(({ contours, subtable }) => {
    const out: number[] = []
    if (subtable > 0) {
      writeNumber(out, subtable)
      out.push(operators.vsindex)
    }
    writeContours(out, contours, shared)
    return Buffer.from(out)
  })
  const store = writeVariationStore(
    variations.axes,
    variations.regions,
    subtables.all.map(regions => ({ regions, items: [] })),
  )
  if (store.length > STORE_LIMIT) throw tooManyRegions()
  const tables = new Map<string, Uint8Array>([
    ['CFF2', writeCff2({ charStrings, globalSubroutines, unitsPerEm, store })],
  ])
  const { axes, regions } = variations
  if (!font.tables.has('HVAR')) tables.set('HVAR', writeWidthChanges(axes, regions, widths))
  if (source.vertical && !font.tables.has('VVAR')) {
    tables.set('VVAR', writeHeightChanges(axes, regions, heights, origins))
  }
  return tables
}

/** Sets of regions in which glyphs vary. */
class Subtables {
  readonly all: (readonly number[])[] = [[]]
  private readonly numbers = new Map([['', 0]])

  numberOf(regions: readonly number[]): number {
    const key = regions.join()
    let number = this.numbers.get(key)
    if (number === undefined) {
      number = this.all.length
      if (number > 0xfffe) throw tooManyRegions()
      this.all.push(regions)
      this.numbers.set(key, number)
    }
    return number
  }
}

/** Contours are shared whatever they vary in: the glyph has already selected that. */
function writeContours(out: number[], contours: readonly VariableStart[], shared: SharedContours): void {
  let end: VariableStart['end'] | undefined
  for (const { start, end: next, program } of contours) {
    const from = end
    const step = from ? [difference(start[0], from[0]), difference(start[1], from[1])] : start
    writeOperator(out, step, operators.rmoveto)
    shared.write(out, program)
    end = next
  }
}

const tooManyRegions = () => new JobFailure('jobs.unsupported_input', message('font.too_many_regions'))
