/** WOFF File Format 2.0: https://www.w3.org/TR/WOFF2/ */
import { brotliCompressSync, constants } from 'node:zlib'
import { ByteWriter } from '../data.ts'
import { copyOf, type Font, tableOf } from '../font.ts'
import { GlyphTable } from '../glyf/read.ts'
import { layOut, padded } from '../sfnt.ts'
import { type PackedGlyphs, packGlyphs, unpackGlyphs } from './glyf.ts'
import { packMetrics } from './hmtx.ts'
import { writeBase128 } from './numbers.ts'
import { HEADER_BYTES, knownTags, OTHER_TAG, SIGNATURE, transformationsOf } from './tags.ts'

/** Size of `glyf` up to which 16-bit offsets are always enough, even if a decoder rebuilds the table less compactly. */
const SHORT_OFFSETS = 100_000
/** Tables of bitmaps, which are compressed already: the highest quality takes half a minute and saves nothing. */
const PICTURES = ['CBDT', 'EBDT', 'sbix']
const [BEST, QUICK] = [11, 9]
/** Flag in `head` for a font that was losslessly compressed. */
const LOSSLESS = 0x0800

/** Whether `glyf` has any outline; without one the transformed table would unpack to an empty one, which sanitisers reject. */
function hasOutlines({ tables }: Font): boolean {
  return tables.has('glyf') && (tables.get('loca')?.some(byte => byte !== 0) ?? false)
}

/** How one table is stored. */
interface Stored {
  tag: string
  /** Size of the table itself. */
  length: number
  bytes: Uint8Array
  transformed?: boolean
}

/** Writes a font with its metadata and private data, but without its signature, which would be invalid. */
export function writeWoff2(source: Font): Buffer {
  const { font, long } = prepare(source)
  const glyphs = hasOutlines(font) ? packGlyphs(font, long) : undefined
  const { tables: laidOut, size } = layOut(asUnpacked(font, glyphs))
  // `head` with the checksum of the unpacked font.
  const tables = new Map(laidOut.map(({ tag, bytes }) => [tag, bytes]))
  const stored = store({ ...font, tables }, glyphs)
  const directory = new ByteWriter()
  for (const { tag, length, bytes, transformed } of stored) {
    const known = knownTags.indexOf(tag)
    const { none, real = none } = transformationsOf(tag)
    directory.u8((known < 0 ? OTHER_TAG : known) | ((transformed ? real : none) << 6))
    if (known < 0) directory.tag(tag)
    writeBase128(directory, length)
    if (transformed) writeBase128(directory, bytes.length)
  }
  const packed = pack(Buffer.concat(stored.map(({ bytes }) => bytes)), qualityFor(tables))
  const metadata = font.metadata ? pack(font.metadata, BEST) : undefined
  return assemble(font, { tables: stored.length, size, directory: directory.take(), packed, metadata })
}

/** The font as it is stored: without signature, marked as compressed, with offsets that are large enough. */
function prepare(source: Font): { font: Font; long: boolean } {
  const tables = new Map(source.tables)
  tables.delete('DSIG')
  const head = copyOf(source, 'head', 54)
  head.writeUInt16BE(head.readUInt16BE(16) | LOSSLESS, 16)
  const long = head.readInt16BE(50) !== 0 || (tables.get('glyf')?.length ?? 0) > SHORT_OFFSETS
  if (tables.has('glyf')) head.writeInt16BE(long ? 1 : 0, 50)
  tables.set('head', head)
  const font = { ...source, tables }
  // `head` and `loca` have to agree on the size of offsets, since glyphs are read from this font.
  if (tables.has('glyf') && long && tableOf(source, 'head').i16(50) === 0) {
    const { offsets } = new GlyphTable(source)
    const wide = new ByteWriter(4 * offsets.length)
    for (const offset of offsets) wide.u32(offset)
    tables.set('loca', wide.take())
  }
  return { font, long }
}

/** The font as decoders unpack it, since its size and checksums are stored: with tables in order and rebuilt outlines. */
function asUnpacked(font: Font, glyphs: PackedGlyphs | undefined): Font {
  const tables = new Map(font.tables)
  if (glyphs) {
    const { glyf, loca } = unpackGlyphs(glyphs.packed)
    tables.set('glyf', glyf)
    tables.set('loca', loca)
  }
  return { ...font, tables: new Map(orderOf(tables).map(tag => [tag, tables.get(tag)!])) }
}

/** Tags in alphabetical order, except that `loca` follows `glyf`. */
function orderOf(tables: ReadonlyMap<string, Uint8Array>): string[] {
  const tags = [...tables.keys()].sort()
  return tables.has('glyf') && tables.has('loca')
    ? tags.flatMap(tag => (tag === 'glyf' ? ['glyf', 'loca'] : tag === 'loca' ? [] : [tag]))
    : tags
}

function store(font: Font, glyphs: PackedGlyphs | undefined): Stored[] {
  return orderOf(font.tables).map((tag): Stored => {
    const bytes = font.tables.get(tag)!
    const { length } = bytes
    if (glyphs && tag === 'glyf') return { tag, length, bytes: glyphs.packed, transformed: true }
    if (glyphs && tag === 'loca') return { tag, length, bytes: new Uint8Array(), transformed: true }
    if (glyphs && tag === 'hmtx') {
      const packed = packMetrics(bytes, tableOf(font, 'hhea').u16(34), glyphs.xMin)
      if (packed) return { tag, length, bytes: packed, transformed: true }
    }
    return { tag, length, bytes }
  })
}

function qualityFor(tables: ReadonlyMap<string, Uint8Array>): number {
  let [pictures, all] = [0, 0]
  for (const [tag, bytes] of tables) {
    all += bytes.length
    if (PICTURES.includes(tag)) pictures += bytes.length
  }
  return pictures > all / 2 ? QUICK : BEST
}

const pack = (bytes: Uint8Array, quality: number): Buffer =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT,
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

interface Parts {
  tables: number
  /** Size of the font as an sfnt file. */
  size: number
  directory: Uint8Array
  packed: Uint8Array
  metadata: Uint8Array | undefined
}

function assemble(font: Font, { tables, size, directory, packed, metadata }: Parts): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const parts = [{ bytes: directory, offset: HEADER_BYTES }]
  parts.push({ bytes: packed, offset: HEADER_BYTES + directory.length })
  let end = HEADER_BYTES + directory.length + packed.length
  header.writeUInt32BE(SIGNATURE, 0)
  header.writeUInt32BE(font.flavor, 4)
  header.writeUInt16BE(tables, 12)
  header.writeUInt32BE(size, 16)
  header.writeUInt32BE(packed.length, 20)
  header.writeUInt16BE(1, 24)
  if (metadata && font.metadata) {
    const offset = padded(end)
    parts.push({ bytes: metadata, offset })
    header.writeUInt32BE(offset, 28)
    header.writeUInt32BE(metadata.length, 32)
    header.writeUInt32BE(font.metadata.length, 36)
    end = offset + metadata.length
  }
  if (font.privateData) {
    const offset = padded(end)
    parts.push({ bytes: font.privateData, offset })
    header.writeUInt32BE(offset, 40)
    header.writeUInt32BE(font.privateData.length, 44)
    end = offset + font.privateData.length
  }
  // If no block follows, the compressed stream is padded to a multiple of four.
  if (!metadata && !font.privateData) end = padded(end)
  header.writeUInt32BE(end, 8)
  const file = Buffer.alloc(end)
  file.set(header)
  for (const { bytes, offset } of parts) file.set(bytes, offset)
  return file
}
