/** WOFF File Format 2.0: https://www.w3.org/TR/WOFF2/ */
import { brotliDecompressSync } from 'node:zlib'
import { damagedFont, FontCursor, FontData } from '../data.ts'
import { checkUnpacked, type Font, knownFlavor } from '../font.ts'
import { checkFaces } from '../sfnt.ts'
import { type UnpackedGlyphs, unpackGlyphs } from './glyf.ts'
import { unpackMetrics } from './hmtx.ts'
import { read255, readBase128 } from './numbers.ts'
import { HEADER_BYTES, knownTags, OTHER_TAG, untransformed } from './tags.ts'

/** "ttcf" */
const COLLECTION = 0x7474_6366

interface Entry {
  tag: string
  transformed: boolean
  /** Bytes in the compressed stream. */
  length: number
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
  const faces =
    flavor === COLLECTION ? readFaces(cursor, entries) : [{ flavor: knownFlavor(flavor), entries }]
  const total = entries.reduce((sum, entry) => sum + entry.length, 0)
  checkUnpacked(total)
  const stream = new FontCursor(unpack(data.slice(cursor.position, data.u32(20)), total))
  for (const entry of entries) entry.bytes = stream.take(entry.length)
  const extras = extrasOf(data)
  return faces.map(face => ({ flavor: face.flavor, tables: tablesOf(face.entries), ...extras }))
}

function readEntry(cursor: FontCursor): Entry {
  const flags = cursor.u8()
  const tag = (flags & 63) === OTHER_TAG ? cursor.tag() : knownTags[flags & 63]!
  const version = flags >> 6
  const length = readBase128(cursor)
  const transformed = version !== untransformed(tag)
  const stored = transformed ? readBase128(cursor) : length
  return { tag, transformed, length: stored, bytes: new Uint8Array() }
}

function readFaces(cursor: FontCursor, entries: readonly Entry[]): Face[] {
  cursor.u32()
  const count = read255(cursor)
  checkFaces(count)
  return Array.from({ length: count }, () => {
    const tables = read255(cursor)
    const flavor = knownFlavor(cursor.u32())
    const chosen = Array.from({ length: tables }, () => {
      const entry = entries[read255(cursor)]
      if (!entry) throw damagedFont()
      return entry
    })
    return { flavor, entries: chosen }
  })
}

/** Decompresses to exactly `length` bytes. */
function unpack(packed: Uint8Array, length: number): Uint8Array {
  let unpacked: Buffer
  try {
    unpacked = brotliDecompressSync(packed, { maxOutputLength: Math.max(1, length) })
  } catch (cause) {
    throw damagedFont(cause)
  }
  if (unpacked.length !== length) throw damagedFont()
  return unpacked
}

function tablesOf(entries: readonly Entry[]): Map<string, Uint8Array> {
  const tables = new Map<string, Uint8Array>()
  for (const { tag, bytes } of entries) {
    if (tables.has(tag)) throw damagedFont()
    tables.set(tag, bytes)
  }
  const transformed = (tag: string) => entries.find(entry => entry.tag === tag && entry.transformed)
  const glyf = transformed('glyf')
  const loca = transformed('loca')
  if ((glyf === undefined) !== (loca === undefined) || (loca && loca.length > 0)) throw damagedFont()
  if (entries.some(({ tag, transformed }) => transformed && !/^(glyf|loca|hmtx)$/.test(tag)))
    throw damagedFont()
  if (glyf) {
    glyf.glyphs ??= unpackGlyphs(glyf.bytes)
    tables.set('glyf', glyf.glyphs.glyf)
    tables.set('loca', glyf.glyphs.loca)
    tables.set('head', withOffsets(tables.get('head'), glyf.glyphs.long))
  }
  const hmtx = transformed('hmtx')
  if (hmtx) {
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

function extrasOf(data: FontData): Pick<Font, 'metadata' | 'privateData'> {
  const [metaStart, metaPacked, metaLength] = [data.u32(28), data.u32(32), data.u32(36)]
  const [privateStart, privateLength] = [data.u32(40), data.u32(44)]
  checkUnpacked(metaLength)
  return {
    metadata: metaPacked > 0 ? unpack(data.slice(metaStart, metaPacked), metaLength) : undefined,
    privateData: privateLength > 0 ? data.slice(privateStart, privateLength) : undefined,
  }
}
