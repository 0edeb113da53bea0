import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { cutUtf8 } from '../../../../../shared/names/cut-utf8.ts'
import { ByteWriter } from '../../../fonts/sfnt/data.ts'
import { ENCODING, NOT_SET } from '../format/header.ts'
import { variableBytes } from '../format/variable-width.ts'

/**
 * Indexes of Mobipocket files (https://wiki.mobileread.com/wiki/MOBI#Index_meta_record): a record that describes the entries,
 * records with the entries, and records with the strings to which entries refer.
 */

/** A tag of the entries: its number, how many values make one group, and its bits in the control byte of an entry, if not one. */
export type Tag = readonly [tag: number, values: number, bits?: number]

interface Row {
  tag: number
  count: number
  mask: number
}

export interface IndexEntry {
  label: string
  /** Values by tag, one group or several. */
  values: Readonly<Record<number, readonly number[] | undefined>>
}

const HEADER_BYTES = 192
/** Maximum data size of a record; offsets within a record have 16 bits. */
const DATA_BYTES = 0xf000
const MAX_RECORDS = 0xffff
/** Longest string. */
const STRING_BYTES = 500

/**
 * Records of an index: the description, the entries, the strings.
 * @param entries in the order of their labels
 * @throws JobFailure too_large
 */
export function indexRecords(
  tags: readonly Tag[],
  entries: readonly IndexEntry[],
  strings?: IndexStrings,
): Uint8Array[] {
  let shift = 0
  const rows = tags.map(([tag, count, bits = 1]): Row => {
    const mask = ((1 << bits) - 1) << shift
    shift += bits
    return { tag, count, mask }
  })
  const data: DataRecord[] = []
  for (const entry of entries) {
    const bytes = entryBytes(rows, entry)
    let record = data.at(-1)
    if (
      !record ||
      HEADER_BYTES + record.bytes.length + bytes.length + 2 * record.places.length > DATA_BYTES
    ) {
      record = { bytes: new ByteWriter(4096), places: [], last: '' }
      data.push(record)
    }
    record.places.push(HEADER_BYTES + record.bytes.length)
    record.bytes.bytes(bytes)
    record.last = entry.label
  }
  const texts = strings?.records() ?? []
  if (data.length + texts.length > MAX_RECORDS) {
    throw new JobFailure('jobs.too_large', message('kindle.too_many_records'))
  }
  return [metaRecord(rows, data, entries.length, texts.length), ...data.map(dataRecord), ...texts]
}

interface DataRecord {
  bytes: ByteWriter
  places: number[]
  /** Label of the last entry. */
  last: string
}

function entryBytes(rows: readonly Row[], { label, values }: IndexEntry): number[] {
  const bytes = [label.length, ...Buffer.from(label, 'latin1')]
  const control = bytes.push(0) - 1
  for (const { tag, count, mask } of rows) {
    const given = values[tag]
    if (!given) continue
    bytes[control]! |= (given.length / count) * (mask & -mask)
    for (const value of given) bytes.push(...variableBytes(value))
  }
  return bytes
}

function metaRecord(rows: readonly Row[], data: readonly DataRecord[], entries: number, texts: number) {
  const record = header(2, data.length)
  const view = new DataView(record.buffer)
  view.setUint32(28, ENCODING.utf8)
  view.setUint32(36, entries)
  view.setUint32(52, texts)
  view.setUint32(180, HEADER_BYTES)
  const writer = new ByteWriter(1024)
  writer.bytes(record)
  writer.tag('TAGX')
  writer.u32(12 + 4 * (rows.length + 1))
  writer.u32(1)
  for (const { tag, count, mask } of rows) writer.bytes([tag, count, mask, 0])
  writer.bytes([0, 0, 0, 1])
  const places = data.map(({ last, places }) => {
    const place = writer.length
    writer.u8(last.length)
    writer.bytes(Buffer.from(last, 'latin1'))
    writer.u16(places.length)
    return place
  })
  return withPlaces(writer, places)
}

function dataRecord({ bytes, places }: DataRecord): Uint8Array {
  const record = header(0, places.length)
  const view = new DataView(record.buffer)
  view.setUint32(12, 1)
  view.setUint32(28, NOT_SET)
  const writer = new ByteWriter(HEADER_BYTES + bytes.length + 2 * places.length + 16)
  writer.bytes(record)
  writer.bytes(bytes.take())
  return withPlaces(writer, places)
}

function header(type: number, count: number): Uint8Array<ArrayBuffer> {
  const record = new Uint8Array(HEADER_BYTES)
  record.set([0x49, 0x4e, 0x44, 0x58]) // INDX
  const view = new DataView(record.buffer)
  view.setUint32(4, HEADER_BYTES)
  view.setUint32(16, type)
  view.setUint32(24, count)
  view.setUint32(32, NOT_SET)
  return record
}

/** Ends a record with the table of where its entries are. */
function withPlaces(writer: ByteWriter, places: readonly number[]): Uint8Array {
  writer.pad(4)
  const table = writer.length
  writer.tag('IDXT')
  for (const place of places) writer.u16(place)
  writer.pad(4)
  const record = writer.take()
  new DataView(record.buffer, record.byteOffset).setUint32(20, table)
  return record
}

/** Strings of an index, in records of up to 64 kB (CNCX). */
export class IndexStrings {
  readonly #records: ByteWriter[] = []
  readonly #places = new Map<string, number>()

  /**
   * Adds a string, truncated if it is too long for the format.
   * @returns the value with which entries refer to it
   */
  add(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    const bytes = Buffer.from(cutUtf8(text, STRING_BYTES))
    let record = this.#records.at(-1)
    if (!record || record.length + bytes.length + 2 > 0xfbf8) {
      record = new ByteWriter(1024)
      this.#records.push(record)
    }
    const place = (this.#records.length - 1) * 0x10000 + record.length
    record.bytes(variableBytes(bytes.length))
    record.bytes(bytes)
    this.#places.set(text, place)
    return place
  }

  records(): Uint8Array[] {
    return this.#records.map(record => {
      record.pad(4)
      return record.take()
    })
  }
}
