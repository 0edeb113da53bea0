/** Glyphs of CFF font programs: their names or CIDs, and their widths. Adobe Technical Notes 5176 and 5177. */
import { standardStrings } from './cff-strings.ts'
import type { OutlineProgram } from './outline-program.ts'
import { readTables } from './truetype.ts'

/** Operators of DICTs; those of two bytes count from 1200. */
const OPS = {
  charset: 15,
  encoding: 16,
  charStrings: 17,
  private: 18,
  ros: 1230,
  fdArray: 1236,
  fdSelect: 1237,
  matrix: 1207,
}
const DEFAULT_WIDTH = 20
const NOMINAL_WIDTH = 21

/**
 * Reads a bare CFF font, or the one within an OpenType font.
 * @throws Error if it is neither
 */
export function readCff(program: Buffer): OutlineProgram {
  const font = bareCff(program)
  if (!font) throw new Error('no CFF')
  const names = readIndex(font, font[2] ?? 4)
  const tops = readIndex(font, names.end)
  const strings = readIndex(font, tops.end)
  const top = readDict(tops.items[0] ?? Buffer.alloc(0))
  const glyphs = readIndex(font, top.get(OPS.charStrings)?.[0] ?? font.length).items
  const charset = readCharset(font, top.get(OPS.charset)?.[0] ?? 0, glyphs.length)
  const isCid = top.has(OPS.ros)
  const nameOf = (id: number) =>
    standardStrings[id] ?? strings.items[id - standardStrings.length]?.toString('latin1') ?? ''
  const privates = isCid
    ? readIndex(font, top.get(OPS.fdArray)?.[0] ?? font.length).items.map(item =>
        readPrivate(font, readDict(item)),
      )
    : [readPrivate(font, top)]
  const select = isCid ? readSelect(font, top.get(OPS.fdSelect)?.[0] ?? font.length, glyphs.length) : () => 0
  const scale = (top.get(OPS.matrix)?.[0] ?? 0.001) * 1000
  const byName = new Map(isCid ? [] : charset.map((id, glyph) => [nameOf(id), glyph] as const))
  const byCid = new Map(isCid ? charset.map((id, glyph) => [id, glyph] as const) : [])
  return {
    glyphNamed: name => byName.get(name) ?? 0,
    glyphOfCid: cid => (isCid ? (byCid.get(cid) ?? 0) : cid < glyphs.length ? cid : 0),
    encoding: isCid ? [] : readEncoding(font, top.get(OPS.encoding)?.[0] ?? 0, charset),
    widthOf(glyph) {
      const outline = glyphs[glyph]
      const own = privates[select(glyph)]
      if (!outline || !own) return undefined
      const difference = leadingWidth(outline)
      if (difference === undefined) return undefined
      return (difference === null ? own.standard : own.nominal + difference) * scale
    },
  }
}

/** A CFF font, of an OpenType font the one within it; undefined if that has none. */
export function bareCff(program: Buffer): Buffer | undefined {
  const isWrapped = ['OTTO', '\0\x01\0\0', 'true'].includes(program.toString('latin1', 0, 4))
  return isWrapped ? readTables(program)?.get('CFF ') : program
}

function readIndex(font: Buffer, start: number): { items: Buffer[]; end: number } {
  const count = font.readUInt16BE(start)
  if (count === 0) return { items: [], end: start + 2 }
  const size = font[start + 2] ?? 0
  const offset = (i: number) => font.readUIntBE(start + 3 + i * size, size)
  const base = start + 2 + (count + 1) * size
  const items = Array.from({ length: count }, (_, i) => font.subarray(base + offset(i), base + offset(i + 1)))
  return { items, end: base + offset(count) }
}

function readDict(data: Buffer): Map<number, number[]> {
  const entries = new Map<number, number[]>()
  let operands: number[] = []
  for (let at = 0; at < data.length; ) {
    const byte = data[at++]!
    if (byte <= 21) {
      entries.set(byte === 12 ? 1200 + (data[at++] ?? 0) : byte, operands)
      operands = []
    } else if (byte === 28) {
      operands.push(data.readInt16BE(at))
      at += 2
    } else if (byte === 29) {
      operands.push(data.readInt32BE(at))
      at += 4
    } else if (byte === 30) {
      let text = ''
      for (let done = false; !done && at < data.length; at++) {
        for (const nibble of [data[at]! >> 4, data[at]! & 15]) {
          if (nibble === 15) done = true
          else if (!done) text += '0123456789.EE -'[nibble] + (nibble === 12 ? '-' : '')
        }
      }
      operands.push(Number.parseFloat(text.replace(/ /g, '')) || 0)
    } else if (byte <= 246) operands.push(byte - 139)
    else if (byte <= 250) operands.push((byte - 247) * 256 + data[at++]! + 108)
    else operands.push(-(byte - 251) * 256 - data[at++]! - 108)
  }
  return entries
}

function readPrivate(font: Buffer, dict: Map<number, number[]>): { standard: number; nominal: number } {
  const [size = 0, start = 0] = dict.get(OPS.private) ?? []
  const own = readDict(font.subarray(start, start + size))
  return { standard: own.get(DEFAULT_WIDTH)?.[0] ?? 0, nominal: own.get(NOMINAL_WIDTH)?.[0] ?? 0 }
}

/** The name or CID of each glyph. */
function readCharset(font: Buffer, start: number, count: number): number[] {
  // The predefined charsets: ISOAdobe numbers glyphs like names; the expert ones are not used with text fonts.
  if (start <= 2) return Array.from({ length: count }, (_, glyph) => glyph)
  const ids = [0]
  const format = font[start]
  let at = start + 1
  while (ids.length < count && at + 2 <= font.length) {
    const first = font.readUInt16BE(at)
    at += 2
    let left = 0
    if (format === 1) left = font[at++] ?? 0
    else if (format === 2) {
      left = font.readUInt16BE(at)
      at += 2
    }
    for (let i = 0; i <= left && ids.length < count; i++) ids.push(first + i)
  }
  return ids
}

function readSelect(font: Buffer, start: number, count: number): (glyph: number) => number {
  if (font[start] === 0) return glyph => font[start + 1 + glyph] ?? 0
  const dicts = new Uint8Array(count)
  const ranges = font.readUInt16BE(start + 1)
  for (let i = 0; i < ranges; i++) {
    const at = start + 3 + i * 3
    dicts.fill(font[at + 2]!, font.readUInt16BE(at), font.readUInt16BE(at + 3))
  }
  return glyph => dicts[glyph] ?? 0
}

/** Glyphs by code in the font's own encoding; empty for the standard encoding. */
function readEncoding(font: Buffer, start: number, charset: readonly number[]): number[] {
  if (start <= 1) return []
  const glyphs: number[] = []
  const format = font[start]! & 0x7f
  const count = font[start + 1]!
  let at = start + 2
  let glyph = 1
  for (let i = 0; i < count; i++) {
    const first = font[at++]!
    const left = format === 1 ? font[at++]! : 0
    for (let k = 0; k <= left; k++) glyphs[first + k] = glyph++
  }
  if (font[start]! & 0x80) {
    const supplements = font[at++]!
    for (let i = 0; i < supplements; i++, at += 3)
      glyphs[font[at]!] = charset.indexOf(font.readUInt16BE(at + 1))
  }
  return glyphs
}

/**
 * The width at the start of a Type 2 outline, as the difference from the nominal width; null if there is none,
 * undefined if it follows from a subroutine.
 */
function leadingWidth(outline: Buffer): number | null | undefined {
  const stack: number[] = []
  for (let at = 0; at < outline.length; ) {
    const byte = outline[at++]!
    if (byte === 28) {
      stack.push(outline.readInt16BE(at))
      at += 2
    } else if (byte === 255) {
      stack.push(outline.readInt32BE(at) / 65_536)
      at += 4
    } else if (byte >= 251) stack.push(-(byte - 251) * 256 - outline[at++]! - 108)
    else if (byte >= 247) stack.push((byte - 247) * 256 + outline[at++]! + 108)
    else if (byte >= 32) stack.push(byte - 139)
    else {
      // The number of operands of the first operator shows whether one is left over for the width.
      const isHints = [1, 3, 18, 23, 19, 20].includes(byte)
      if (isHints) return stack.length % 2 === 1 ? stack[0] : null
      if (byte === 21) return stack.length > 2 ? stack[0] : null
      if (byte === 4 || byte === 22) return stack.length > 1 ? stack[0] : null
      if (byte === 14) return stack.length === 1 || stack.length === 5 ? stack[0] : null
      return undefined
    }
  }
  return undefined
}
