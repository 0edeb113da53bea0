/** The map from codes to glyphs in a TrueType font; https://learn.microsoft.com/typography/opentype/spec/cmap */

export interface CharacterMap {
  platform: number
  encoding: number
  /** Glyph of a code, 0 if there is none. */
  glyph(code: number): number
}

/** A `cmap` that maps the 256 codes of a symbolic font, from U+F000 on, to glyphs: subtable (3, 0) in format 6. */
export function symbolicMap(glyphs: ArrayLike<number>): Buffer {
  const map = Buffer.alloc(12 + 10 + 512)
  map.writeUInt16BE(1, 2)
  map.writeUInt16BE(3, 4)
  map.writeUInt32BE(12, 8)
  map.writeUInt16BE(6, 12)
  map.writeUInt16BE(10 + 512, 14)
  map.writeUInt16BE(0xf000, 18)
  map.writeUInt16BE(256, 20)
  for (let code = 0; code < 256; code++) map.writeUInt16BE(glyphs[code] ?? 0, 22 + code * 2)
  return map
}

/** Subtables of a `cmap` in the formats 0, 4, 6 and 12. */
export function readMaps(bytes: Uint8Array | undefined): CharacterMap[] {
  if (!bytes || bytes.length < 4) return []
  const table = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const maps: CharacterMap[] = []
  for (let i = 0; i < table.readUInt16BE(2) && 12 + i * 8 <= table.length; i++) {
    const at = 4 + i * 8
    const start = table.readUInt32BE(at + 4)
    const lookup = start + 6 <= table.length ? readSubtable(table.subarray(start)) : undefined
    if (!lookup) continue
    const glyph = (code: number) => {
      try {
        return lookup(code)
      } catch {
        return 0
      }
    }
    maps.push({ platform: table.readUInt16BE(at), encoding: table.readUInt16BE(at + 2), glyph })
  }
  return maps
}

function readSubtable(table: Buffer): ((code: number) => number) | undefined {
  const format = table.readUInt16BE(0)
  if (format === 0) return code => (code < 256 ? (table[6 + code] ?? 0) : 0)
  if (format === 6) {
    const first = table.readUInt16BE(6)
    const count = table.readUInt16BE(8)
    return code => (code >= first && code < first + count ? table.readUInt16BE(10 + (code - first) * 2) : 0)
  }
  if (format === 12) {
    const groups = table.readUInt32BE(12)
    return code => {
      for (let i = 0; i < groups; i++) {
        const at = 16 + i * 12
        const start = table.readUInt32BE(at)
        if (code >= start && code <= table.readUInt32BE(at + 4))
          return table.readUInt32BE(at + 8) + code - start
      }
      return 0
    }
  }
  if (format !== 4) return undefined
  const segments = table.readUInt16BE(6) / 2
  const ends = 14
  const starts = ends + segments * 2 + 2
  const deltas = starts + segments * 2
  const offsets = deltas + segments * 2
  return code => {
    for (let i = 0; i < segments; i++) {
      if (code > table.readUInt16BE(ends + i * 2)) continue
      const start = table.readUInt16BE(starts + i * 2)
      if (code < start) return 0
      const delta = table.readUInt16BE(deltas + i * 2)
      const offset = table.readUInt16BE(offsets + i * 2)
      if (offset === 0) return (code + delta) & 0xffff
      const glyph = table.readUInt16BE(offsets + i * 2 + offset + (code - start) * 2)
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}
