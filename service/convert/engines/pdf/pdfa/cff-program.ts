import { Budget } from '../../fonts/outlines/budget.ts'
import { drawGlyph } from '../../fonts/outlines/cff/charstring.ts'
import { glyphName, readCff } from '../../fonts/outlines/cff/read.ts'
import { readSfnt } from '../../fonts/sfnt/sfnt.ts'
import type { OutlineProgram } from './outline-program.ts'

/** Reads a bare CFF font. @throws JobFailure corrupt_input */
export const readCffProgram = (bytes: Uint8Array): OutlineProgram => outlineProgram(readCff(bytes))

export function outlineProgram(cff: ReturnType<typeof readCff>): OutlineProgram {
  const { charset, charStrings, isCid } = cff
  const scale = (cff.matrix?.[0] ?? 0.001) * 1000
  const glyphs = [...charStrings.keys()].reverse()
  const byName = new Map(isCid ? [] : glyphs.map(glyph => [glyphName(cff, glyph), glyph]))
  const byCid = new Map(glyphs.map(glyph => [isCid ? charset[glyph] : glyph, glyph]))
  const budget = new Budget()
  return {
    glyphNamed: name => byName.get(name) ?? 0,
    glyphOfCid: cid => byCid.get(cid) ?? 0,
    encoding: cff.encoding(),
    widthOf(glyph) {
      try {
        return drawGlyph(cff, glyph, budget).width * scale
      } catch {
        // A damaged outline is judged by those who draw it.
        return undefined
      }
    },
  }
}

/** A CFF font, of an OpenType font the one within it; undefined if that has none. */
export function bareCff(program: Buffer): Uint8Array | undefined {
  const isWrapped = ['OTTO', '\0\x01\0\0', 'true'].includes(program.toString('latin1', 0, 4))
  return isWrapped ? readSfnt(program, 0, true).tables.get('CFF ') : program
}
