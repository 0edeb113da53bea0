/** Reads and writes TrueType font programs table by table; https://learn.microsoft.com/typography/opentype/spec/otff */

export type Tables = Map<string, Buffer>

/** The tables of a font, or undefined if it is not one. */
export function readTables(font: Buffer): Tables | undefined {
  if (font.length < 12) return undefined
  const count = font.readUInt16BE(4)
  const tables: Tables = new Map()
  if (12 + count * 16 > font.length) return undefined
  for (let i = 0; i < count; i++) {
    const at = 12 + i * 16
    const start = font.readUInt32BE(at + 8)
    const length = font.readUInt32BE(at + 12)
    if (start > font.length) continue
    tables.set(font.toString('latin1', at, at + 4), font.subarray(start, start + length))
  }
  return tables
}

export function writeTables(tables: Tables): Buffer {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const power = Math.floor(Math.log2(sorted.length))
  const directory = Buffer.alloc(12 + sorted.length * 16)
  directory.writeUInt32BE(0x0001_0000, 0)
  directory.writeUInt16BE(sorted.length, 4)
  directory.writeUInt16BE(16 << power, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE(sorted.length * 16 - (16 << power), 10)
  const parts = [directory]
  let offset = directory.length
  for (const [i, [tag, data]] of sorted.entries()) {
    const at = 12 + i * 16
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
    directory.write(tag, at, 'latin1')
    directory.writeUInt32BE(checksum(padded), at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(data.length, at + 12)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}

function checksum(padded: Buffer): number {
  let sum = 0
  for (let i = 0; i < padded.length; i += 4) sum = (sum + padded.readUInt32BE(i)) >>> 0
  return sum
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

/** Advance of a glyph in font units, from `hhea` and `hmtx`. */
export function advanceOf(tables: Tables, glyph: number): number | undefined {
  const metrics = tables.get('hmtx')
  const header = tables.get('hhea')
  if (!metrics || !header || header.length < 36) return undefined
  const count = header.readUInt16BE(34)
  const at = Math.min(glyph, count - 1) * 4
  return count > 0 && at + 2 <= metrics.length ? metrics.readUInt16BE(at) : undefined
}

/**
 * Expands the metrics so that every glyph has its own entry and each advance can be set; returns the changed tables.
 */
export function withAdvances(tables: Tables, advances: ReadonlyMap<number, number>): Tables {
  const header = Buffer.from(tables.get('hhea') ?? [])
  const metrics = tables.get('hmtx')
  const glyphs = tables.get('maxp')?.readUInt16BE(4) ?? 0
  if (header.length < 36 || !metrics) return tables
  const count = header.readUInt16BE(34)
  const all = Buffer.alloc(glyphs * 4)
  for (let glyph = 0; glyph < glyphs; glyph++) {
    all.writeUInt16BE(advances.get(glyph) ?? advanceOf(tables, glyph) ?? 0, glyph * 4)
    // The entries with two numbers are followed by the left bearings of the other glyphs.
    const bearing = glyph < count ? glyph * 4 + 2 : count * 4 + (glyph - count) * 2
    if (bearing + 2 <= metrics.length) all.writeInt16BE(metrics.readInt16BE(bearing), glyph * 4 + 2)
  }
  header.writeUInt16BE(glyphs, 34)
  return new Map([...tables, ['hhea', header], ['hmtx', all]])
}

const COMPOSITE = { wordArguments: 1, scale: 8, more: 32, twoScales: 64, matrix: 128 }

/** The font with only these glyphs' outlines; glyph numbers stay the same. */
export function withGlyphs(tables: Tables, wanted: Iterable<number>): Tables {
  const outlines = tables.get('glyf')
  const locations = tables.get('loca')
  const head = tables.get('head')
  const count = tables.get('maxp')?.readUInt16BE(4) ?? 0
  if (!outlines || !locations || !head) return tables
  const long = head.readInt16BE(50) === 1
  const locate = (glyph: number) =>
    long ? locations.readUInt32BE(glyph * 4) : locations.readUInt16BE(glyph * 2) * 2
  const kept = new Set<number>()
  const keep = (glyph: number) => {
    if (glyph >= count || kept.has(glyph)) return
    kept.add(glyph)
    for (const part of components(outlines.subarray(locate(glyph), locate(glyph + 1)))) keep(part)
  }
  keep(0)
  for (const glyph of wanted) keep(glyph)
  const parts: Buffer[] = []
  const places = Buffer.alloc((count + 1) * 4)
  let offset = 0
  for (let glyph = 0; glyph < count; glyph++) {
    places.writeUInt32BE(offset, glyph * 4)
    if (!kept.has(glyph)) continue
    const data = outlines.subarray(locate(glyph), locate(glyph + 1))
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)])
    parts.push(padded)
    offset += padded.length
  }
  places.writeUInt32BE(offset, count * 4)
  const header = Buffer.from(head)
  header.writeInt16BE(1, 50)
  return new Map([...tables, ['glyf', Buffer.concat(parts)], ['loca', places], ['head', header]])
}

/** Components of a composite glyph. */
function* components(glyph: Buffer): Generator<number> {
  if (glyph.length < 10 || glyph.readInt16BE(0) >= 0) return
  for (let at = 10; at + 4 <= glyph.length; ) {
    const flags = glyph.readUInt16BE(at)
    yield glyph.readUInt16BE(at + 2)
    at += flags & COMPOSITE.wordArguments ? 8 : 6
    if (flags & COMPOSITE.scale) at += 2
    else if (flags & COMPOSITE.twoScales) at += 4
    else if (flags & COMPOSITE.matrix) at += 8
    if (!(flags & COMPOSITE.more)) return
  }
}
