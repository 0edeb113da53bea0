/** Variable TrueType fonts at one weight, for programs that only draw the default one. */
import { create, type Font as Typeface } from 'fontkit'
import { ByteWriter } from '../sfnt/data.ts'
import { copyOf, type Font } from '../sfnt/font.ts'
import { boxAround, GlyphWriter } from '../sfnt/glyf/write.ts'
import { writeSfnt } from '../sfnt/sfnt.ts'

/** Glyphs of fonts that are converted, each of which is written again; those of Chinese and Japanese have many more. */
const MAX_GLYPHS = 5000

/** Tables that only apply to variable fonts, or to the points of their outlines. */
const LEFT_OUT = 'fvar,avar,gvar,cvar,HVAR,VVAR,MVAR,STAT,cvt ,fpgm,prep,hdmx,VDMX,LTSH,DSIG'.split(',')

export interface Weights {
  min: number
  max: number
  /** The font at one of them, without variations and hints. @throws Error if it cannot be read */
  at: (weight: number) => Font
}

/** The weights of a variable font; undefined for others, and for one with too many glyphs. @throws Error if it cannot be read */
export function weightsOf(font: Font): Weights | undefined {
  if (!font.tables.has('gvar')) return undefined
  const opened = create(writeSfnt(font))
  if ('fonts' in opened || opened.numGlyphs > MAX_GLYPHS) return undefined
  const axis = opened.variationAxes.wght
  return axis && { ...axis, at: weight => instanceOf(font, opened.getVariation({ wght: weight })) }
}

function instanceOf(font: Font, instance: Typeface): Font {
  const [glyphs, metrics] = [new GlyphWriter(), new ByteWriter()]
  for (let id = 0; id < instance.numGlyphs; id++) addGlyph(instance, id, glyphs, metrics)
  const { glyf, loca, long } = glyphs.take(false)
  const [head, hhea] = [copyOf(font, 'head', 54), copyOf(font, 'hhea', 36)]
  head.writeInt16BE(long ? 1 : 0, 50)
  hhea.writeUInt16BE(instance.numGlyphs, 34)
  const tables = new Map([...font.tables].filter(([tag]) => !LEFT_OUT.includes(tag)))
  for (const [tag, bytes] of Object.entries({ head, hhea, glyf, loca, hmtx: metrics.take() }))
    tables.set(tag, bytes)
  return { ...font, tables }
}

/** Writes one glyph, whose parts become one outline, since parts may move as well. */
function addGlyph(instance: Typeface, id: number, glyphs: GlyphWriter, metrics: ByteWriter): void {
  const glyph = instance.getGlyph(id)
  const [ends, xs, ys, onCurve] = [[], [], [], []] as [number[], number[], number[], number[]]
  const add = (x: number, y: number, on: number) => {
    xs.push(Math.round(x))
    ys.push(Math.round(y))
    onCurve.push(on)
  }
  for (const { command, args } of glyph.path.commands) {
    if (command === 'closePath') ends.push(xs.length - 1)
    else if (command === 'quadraticCurveTo') {
      add(args[0]!, args[1]!, 0)
      add(args[2]!, args[3]!, 1)
    } else add(args[0]!, args[1]!, 1)
  }
  const box = boxAround(xs, ys)
  metrics.u16(Math.max(0, Math.round(glyph.advanceWidth)))
  metrics.u16(box.xMin & 0xffff)
  if (ends.length === 0) glyphs.empty()
  else glyphs.simple({ box, ends, xs, ys, onCurve, overlapping: true })
}
