/** WOFF File Format 2.0: https://www.w3.org/TR/WOFF2/ */
import { brotliDecompressSync } from 'node:zlib'
import { damagedFont, FontCursor, FontData } from '../data.ts'
import { checkUnpacked, type Font, knownFlavor } from '../font.ts'
import { checkFaces } from '../sfnt.ts'
import { exactly, readBlocks } from '../web-blocks.ts'
import { type UnpackedGlyphs, unpackGlyphs } from './glyf.ts'
import { unpackMetrics } from './hmtx.ts'
import { read255, readBase128 } from './numbers.ts'
import { HEADER_BYTES, knownTags, OTHER_TAG, transformationsOf } from './tags.ts'

const unpack = exactly(brotliDecompressSync)

/** "ttcf" */
const COLLECTION = 0x7474_6366

interface Entry {
  tag: string
  transformed: boolean
  /** Bytes of the table itself; for a transformed one it need not be right. */
  length: number
  /** Bytes in the compressed stream. */
  storedLength: number
  bytes: Uint8Array
  /** The unpacked glyphs of a transformed `glyf`, which the faces of a collection share. */
  glyphs?: UnpackedGlyphs
}

/** A face as a list of tables. */
interface Face {
  flavor: number
  entries: Entry[]
}

/** All faces of a file; only a collection has several. @throws JobFailure corrupt_input, too_large */
export function readWoff2(bytes: Uint8Array): Font[] {
  const data = new FontData(bytes)
  const cursor = new FontCursor(data, HEADER_BYTES)
  const flavor = data.u32(4)
  const entries = Array.from({ length: data.u16(12) }, () => readEntry(cursor))
  if (entries.length === 0) throw damagedFont()
  const faces =
    flavor === COLLECTION ? readFaces(cursor, entries) : [{ flavor: knownFlavor(flavor), entries }]
  const total = entries.reduce((sum, entry) => sum + entry.storedLength, 0)
  checkUnpacked(total)
  const packedLength = data.u32(20)
  const stream = new FontCursor(unpack(data.slice(cursor.position, packedLength), total))
  for (const entry of entries) entry.bytes = stream.take(entry.storedLength)
  const blocks = readBlocks(data, { fields: 28, end: cursor.position + packedLength, unpack })
  return faces.map(face => ({ flavor: face.flavor, tables: tablesOf(face.entries), ...blocks }))
}

function readEntry(cursor: FontCursor): Entry {
  const flags = cursor.u8()
  const tag = (flags & 63) === OTHER_TAG ? cursor.tag() : knownTags[flags & 63]!
  const version = flags >> 6
  const length = readBase128(cursor)
  const { none, real } = transformationsOf(tag)
  const transformed = version !== none
  if (transformed && version !== real) throw damagedFont()
  const storedLength = transformed ? readBase128(cursor) : length
  return { tag, transformed, length, storedLength, bytes: new Uint8Array() }
}

function readFaces(cursor: FontCursor, entries: readonly Entry[]): Face[] {
  cursor.u32()
  const count = read255(cursor)
  checkFaces(count)
  return Array.from({ length: count }, () => {
    const tables = read255(cursor)
    const flavor = knownFlavor(cursor.u32())
    const indices = Array.from({ length: tables }, () => read255(cursor))
    if (indices.some(index => index >= entries.length)) throw damagedFont()
    indices.sort((a, b) => a - b)
    const [glyf, loca] = ['glyf', 'loca'].map(tag => indices.find(index => entries[index]!.tag === tag))
    // A `glyf` and its `loca` follow each other in the directory.
    if (glyf !== undefined && loca !== glyf + 1) throw damagedFont()
    return { flavor, entries: indices.map(index => entries[index]!) }
  })
}

function tablesOf(entries: readonly Entry[]): Map<string, Uint8Array> {
  const tables = new Map<string, Uint8Array>()
  for (const { tag, bytes } of entries) {
    if (tables.has(tag)) throw damagedFont()
    tables.set(tag, bytes)
  }
  const entryOf = (tag: string) => entries.find(entry => entry.tag === tag)
  const [glyf, loca, hmtx] = [entryOf('glyf'), entryOf('loca'), entryOf('hmtx')]
  if (glyf?.transformed !== loca?.transformed) throw damagedFont()
  if (glyf && loca && entries.indexOf(loca) < entries.indexOf(glyf)) throw damagedFont()
  if (glyf?.transformed && loca) {
    if (loca.storedLength > 0) throw damagedFont()
    glyf.glyphs ??= unpackGlyphs(glyf.bytes)
    if (loca.length !== glyf.glyphs.declaredLocaBytes) throw damagedFont()
    tables.set('glyf', glyf.glyphs.glyf)
    tables.set('loca', glyf.glyphs.loca)
    tables.set('head', withOffsets(tables.get('head'), glyf.glyphs.long))
  }
  if (hmtx?.transformed) {
    const hhea = tables.get('hhea')
    if (!glyf?.glyphs || !hhea) throw damagedFont()
    tables.set('hmtx', unpackMetrics(hmtx.bytes, new FontData(hhea).u16(34), glyf.glyphs.xMin))
  }
  return tables
}

/** A copy of `head` with the size of the offsets in `loca`. */
function withOffsets(head: Uint8Array | undefined, long: boolean): Uint8Array {
  if (!head || head.length < 54) throw damagedFont()
  const copy = Buffer.from(head)
  copy.writeInt16BE(long ? 1 : 0, 50)
  return copy
}
