/** The items of a HEIF file: ISO/IEC 23008-12 on top of the meta box of ISO/IEC 14496-12, 8.11. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { brandsOf, HEAD_BYTES } from '../../../../shared/picture-signatures.ts'
import { ByteReader } from '../../common/byte-reader.ts'
import { type Box, boxes, readFullBox, wholeBoxes, zeroTerminated } from '../../common/iso-boxes.ts'

export const corrupt = (): JobFailure => new JobFailure('jobs.corrupt_input', message('heic.damaged'))

export const unknownCoding = (): JobFailure =>
  new JobFailure('jobs.unsupported_input', message('heic.unknown_coding'))

export interface Item {
  id: number
  /** Coding or kind, such as `hvc1`, `grid`, `Exif`; empty if the file does not say. */
  type: string
  /** Media type of a `mime` item. */
  mime: string
  /** Properties in the order of their association, in which transformations apply. */
  properties: Box[]
  /** Ids of the items that this one refers to, by kind of reference: `dimg`, `auxl`, `thmb`, `cdsc`, … */
  references: Map<string, number[]>
}

/** Marks data in another file, which is never opened. */
const EXTERNAL = 16

interface Location {
  /** 0 in the file, 1 in the `idat` box; others are in another item or another file. */
  method: number
  extents: { offset: number; length: number }[]
}

export interface Items {
  /** What the file declares to conform to, such as `heic` or `miaf`. */
  brands: readonly string[]
  primary: Item
  all: ReadonlyMap<number, Item>
  /** Coded data of an item, in one piece. Throws `JobFailure` if part of it is outside the file. */
  data(item: Item): Uint8Array
}

/** Items with this kind of reference to the primary one, such as `auxl` or `cdsc`. */
export const referring = ({ primary, all }: Items, kind: string) =>
  all.values().filter(item => item.references.get(kind)?.includes(primary.id))

const ITEM_LIMIT = 20_000
const EXTENT_LIMIT = 100_000

const tooMany = () => new JobFailure('jobs.too_large', message('heic.too_many_parts'))

/**
 * Reads the item structure of a HEIF file.
 * @throws JobFailure corrupt_input, too_large, or unsupported_input for sequences without a primary item
 */
export function readItems(file: Uint8Array): Items {
  const top = topLevel(file)
  if (!top.has('ftyp')) throw corrupt()
  const meta = top.get('meta')
  if (!meta) {
    if (isShortened(file)) throw unknownCoding()
    throw top.has('moov') ? new JobFailure('jobs.unsupported_input', message('heic.only_video')) : corrupt()
  }
  const parts = new Map<string, Uint8Array>()
  for (const { type, body } of boxes(meta.subarray(4))) if (!parts.has(type)) parts.set(type, body)
  const part = (type: string) => parts.get(type) ?? fail()

  const all = readInfo(part('iinf'))
  readProperties(part('iprp'), all)
  if (parts.has('iref')) readReferences(part('iref'), all)
  const locations = readLocations(part('iloc'))
  const primary = all.get(readPrimary(part('pitm'))) ?? fail()

  const data = (item: Item): Uint8Array => {
    const { method, extents } = locations.get(item.id) ?? fail()
    // What no program writes.
    if (method > 1) throw unknownCoding()
    const source = method === 0 ? file : part('idat')
    const pieces = extents.map(({ offset, length }) => {
      const end = length === 0 ? source.length : offset + length
      if (offset > source.length || end > source.length) throw corrupt()
      return source.subarray(offset, end)
    })
    if (pieces.length === 1) return pieces[0]!
    if (pieces.reduce((sum, piece) => sum + piece.length, 0) > file.length) throw corrupt()
    return Buffer.concat(pieces)
  }
  return {
    brands: brandsOf(Buffer.from(file.subarray(0, HEAD_BYTES))),
    primary,
    all,
    data,
  }
}

function fail(): never {
  throw corrupt()
}

/** Whether a file describes its picture in one short box (`mini`, ISO/IEC 23008-12), which no decoder here reads. */
export const isShortened = (file: Uint8Array): boolean => topLevel(file).has('mini')

/** First box of each type. A last box that extends beyond the file, as in a truncated one, is left out. */
function topLevel(file: Uint8Array): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  // Items specify the position of their data themselves, which is checked to be inside the file.
  for (const { type, body } of wholeBoxes(file)) if (!found.has(type)) found.set(type, body)
  return found
}

function readPrimary(body: Uint8Array): number {
  const { version, reader } = readFullBox(body)
  return version === 0 ? reader.u16() : reader.u32()
}

function readInfo(body: Uint8Array): Map<number, Item> {
  const items = new Map<number, Item>()
  const { version, reader } = readFullBox(body)
  if (version === 0) reader.u16()
  else reader.u32()
  for (const entry of boxes(body.subarray(reader.position))) {
    if (entry.type !== 'infe') continue
    const { version, reader } = readFullBox(entry.body)
    // Older versions describe files rather than coded pictures.
    if (version < 2) continue
    const id = version === 2 ? reader.u16() : reader.u32()
    reader.u16() // protection
    const type = reader.latin1(4)
    zeroTerminated(reader) // name
    const mime = type === 'mime' ? zeroTerminated(reader) : ''
    if (items.size >= ITEM_LIMIT) throw tooMany()
    items.set(id, { id, type, mime, properties: [], references: new Map() })
  }
  return items
}

function readProperties(body: Uint8Array, items: Map<number, Item>): void {
  const properties: Box[] = []
  const associations: Uint8Array[] = []
  for (const box of boxes(body)) {
    if (box.type === 'ipma') associations.push(box.body)
    else if (box.type === 'ipco')
      for (const property of boxes(box.body)) {
        if (properties.length >= ITEM_LIMIT) throw tooMany()
        properties.push(property)
      }
  }
  for (const association of associations) {
    const { version, flags, reader } = readFullBox(association)
    const count = reader.u32()
    for (let entry = 0; entry < count; entry++) {
      const item = items.get(version < 1 ? reader.u16() : reader.u32())
      const links = reader.u8()
      for (let link = 0; link < links; link++) {
        // The topmost bit says that a reader must understand the property.
        const index = flags & 1 ? reader.u16() & 0x7fff : reader.u8() & 0x7f
        const property = properties[index - 1]
        if (property) item?.properties.push(property)
      }
    }
  }
}

function readReferences(body: Uint8Array, items: Map<number, Item>): void {
  const { version, reader } = readFullBox(body)
  for (const box of boxes(body.subarray(reader.position))) {
    const reader = new ByteReader(box.body)
    const id = () => (version === 0 ? reader.u16() : reader.u32())
    const from = items.get(id())
    const to = Array.from({ length: reader.u16() }, id)
    if (!from) continue
    const known = from.references.get(box.type)
    if (known) known.push(...to)
    else from.references.set(box.type, to)
  }
}

/** An unsigned field of 0, 4 or 8 bytes; 0 bytes mean 0. */
function sized(reader: ByteReader, size: number): number {
  if (size === 0) return 0
  if (size === 4) return reader.u32()
  if (size === 8) return reader.u64()
  throw corrupt()
}

function readLocations(body: Uint8Array): Map<number, Location> {
  const locations = new Map<number, Location>()
  const { version, reader } = readFullBox(body)
  const sizes = reader.u16()
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version > 0 ? sizes & 15 : 0
  const count = version < 2 ? reader.u16() : reader.u32()
  let total = 0
  for (let entry = 0; entry < count; entry++) {
    const id = version < 2 ? reader.u16() : reader.u32()
    const method = version > 0 ? reader.u16() & 15 : 0
    const isExternal = reader.u16() !== 0
    const base = sized(reader, baseSize)
    const extentCount = reader.u16()
    total += extentCount
    // Fields may be declared 0 bytes wide, so the box's own size is no limit.
    if (total > EXTENT_LIMIT || locations.size > ITEM_LIMIT) throw tooMany()
    const extents: Location['extents'] = []
    for (let extent = 0; extent < extentCount; extent++) {
      sized(reader, indexSize)
      const offset = base + sized(reader, offsetSize)
      extents.push({ offset, length: sized(reader, lengthSize) })
    }
    locations.set(id, { method: isExternal ? EXTERNAL : method, extents })
  }
  return locations
}
