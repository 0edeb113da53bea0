/** Font programs with cubic outlines: CFF, and Type 1 by Adobe Type 1 Font Format, chapters 2, 6 and 7. */
import { Budget } from '../../fonts/outlines/budget.ts'
import { drawGlyph } from '../../fonts/outlines/cff/charstring.ts'
import { glyphName, type readCff } from '../../fonts/outlines/cff/read.ts'
import { readSfnt } from '../../fonts/sfnt/sfnt.ts'

/** A font program with cubic outlines, CFF or Type 1, as far as PDF/A is concerned. */
export interface OutlineProgram {
  /** 0 where there is none. */
  glyphNamed(name: string): number
  nameOf(glyph: number): string | undefined
  glyphOfCid(cid: number): number
  /** Glyphs by code in the font's own encoding; empty if it has the standard encoding. */
  encoding: readonly (number | undefined)[]
  /** In thousandths of the font's size; undefined if unknown. */
  widthOf(glyph: number): number | undefined
}

/** A bare CFF font. */
export function cffProgram(cff: ReturnType<typeof readCff>): OutlineProgram {
  const { charset, charStrings, isCid } = cff
  const scale = (cff.matrix?.[0] ?? 0.001) * 1000
  const glyphs = [...charStrings.keys()].reverse()
  const byName = new Map(isCid ? [] : glyphs.map(glyph => [glyphName(cff, glyph), glyph]))
  const byCid = new Map(glyphs.map(glyph => [isCid ? charset[glyph] : glyph, glyph]))
  const budget = new Budget()
  return {
    glyphNamed: name => byName.get(name) ?? 0,
    nameOf: glyph => (isCid ? undefined : glyphName(cff, glyph)),
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

/** Keys of the encryption. */
const EEXEC = 55_665
const CHAR_STRING = 4330

/** @throws Error if it is not a Type 1 font */
export function readType1(data: Buffer): OutlineProgram {
  const marker = data.indexOf('eexec', 0, 'latin1')
  if (marker < 0) throw new Error('no Type 1 font')
  const clear = data.toString('latin1', 0, marker)
  let start = marker + 5
  while ([9, 10, 13, 32].includes(data[start] ?? 0)) start++
  const head = data.toString('latin1', start, start + 8)
  const coded = /^[0-9A-Fa-f\s]{8}$/.test(head)
    ? Buffer.from(data.toString('latin1', start).replace(/[^0-9A-Fa-f]/g, ''), 'hex')
    : data.subarray(start)
  const body = decrypt(coded, EEXEC, 4)
  const text = body.toString('latin1')
  const skipped = Number(/\/lenIV\s+(-?\d+)/.exec(text)?.[1] ?? 4)
  const scale = Number(/\/FontMatrix\s*\[\s*([\d.eE+-]+)/.exec(clear)?.[1] ?? 0.001) * 1000
  const names: string[] = ['.notdef']
  const widths: (number | undefined)[] = [undefined]
  const pattern = /\/(\S+)\s+(\d+)\s+(?:RD|-\||\S+) /g
  pattern.lastIndex = Math.max(0, text.indexOf('/CharStrings'))
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const length = Number(match[2])
    const from = match.index + match[0].length
    // Other entries of this form, such as the number of glyphs, are not followed by data.
    if (match[1] === 'CharStrings' || from + length > body.length) continue
    const outline =
      skipped < 0
        ? body.subarray(from, from + length)
        : decrypt(body.subarray(from, from + length), CHAR_STRING, skipped)
    const width = sideBearingWidth(outline)
    if (match[1] === '.notdef') widths[0] = width
    else {
      names.push(match[1]!)
      widths.push(width)
    }
    pattern.lastIndex = from + length
  }
  const byName = new Map(names.map((name, glyph) => [name, glyph]))
  const encoding: number[] = []
  for (const [, code, name] of clear.matchAll(/dup\s+(\d+)\s*\/(\S+)\s+put/g))
    encoding[Number(code)] = byName.get(name!) ?? 0
  return {
    glyphNamed: name => byName.get(name) ?? 0,
    nameOf: glyph => names[glyph],
    glyphOfCid: () => 0,
    encoding,
    widthOf: glyph => {
      const width = widths[glyph]
      return width === undefined ? undefined : width * scale
    },
  }
}

function decrypt(data: Buffer, key: number, skipped: number): Buffer {
  const plain = Buffer.alloc(data.length)
  let state = key
  for (const [i, byte] of data.entries()) {
    plain[i] = byte ^ (state >> 8)
    state = ((byte + state) * 52_845 + 22_719) & 0xffff
  }
  return plain.subarray(skipped)
}

/** The width set by `hsbw` or `sbw`, with which outlines begin. */
function sideBearingWidth(outline: Buffer): number | undefined {
  const stack: number[] = []
  for (let at = 0; at < outline.length; ) {
    const byte = outline[at++]!
    if (byte === 255) {
      if (at + 4 > outline.length) return undefined
      stack.push(outline.readInt32BE(at))
      at += 4
    } else if (byte >= 251) stack.push(-(byte - 251) * 256 - (outline[at++] ?? 0) - 108)
    else if (byte >= 247) stack.push((byte - 247) * 256 + (outline[at++] ?? 0) + 108)
    else if (byte >= 32) stack.push(byte - 139)
    else if (byte === 13) return stack[1]
    else if (byte === 12) {
      const second = outline[at++]
      if (second === 7) return stack[2]
      if (second !== 12) return undefined
      const divisor = stack.pop() ?? 1
      stack.push((stack.pop() ?? 0) / divisor)
    } else return undefined
  }
  return undefined
}
