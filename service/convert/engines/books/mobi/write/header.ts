import { ByteWriter } from '../../../fonts/sfnt/data.ts'
import type { Book } from '../../book/model.ts'
import { COMPRESSION, ENCODING, FIELD, HAS_EXTH, NOT_SET } from '../format/header.ts'
import { localeOf } from '../format/locales.ts'
import { RECORD_BYTES } from './palmdoc.ts'
import { TRAILING_ENTRIES } from './text-records.ts'

/** Content of the first record of a part. Record numbers are relative to that record. */
export interface HeaderFields {
  version: 6 | 8
  book: Book
  uniqueId: number
  exth: Uint8Array
  /** Uncompressed, in bytes. */
  textLength: number
  textRecords: number
  firstResource?: number | undefined
  fcisRecord: number | undefined
  flisRecord: number | undefined
  contentsIndex?: number | undefined
  /** Whether KF8 follows this part. */
  isHybrid?: boolean
  hasFonts?: boolean
  /** In version 6: the last content record. */
  lastContent?: number
  kf8?:
    | (Record<'fdstRecord' | 'fragmentIndex' | 'skeletonIndex' | 'guideIndex', number | undefined> & {
        flows: number
      })
    | undefined
}

/** Space for programs that edit the metadata later. */
const SPARE_BYTES = 8192
const HEADER_BYTES = { 6: 232, 8: 264 } as const
const FLAGS = { usual: 0x10, hybrid: 0x800, fonts: 0x1000 } as const
const TYPE_BOOK = 2

/** The first record of a part: PalmDOC header, MOBI header, EXTH and title (https://wiki.mobileread.com/wiki/MOBI). */
export function headerRecord(fields: HeaderFields): Uint8Array {
  const { version, book, exth, textLength, textRecords, kf8 } = fields
  const length = HEADER_BYTES[version]
  const fixed = Buffer.alloc(16 + length)
  const set = (at: number, value = NOT_SET) => fixed.writeUInt32BE(value >>> 0, at)
  fixed.writeUInt16BE(COMPRESSION.palmDoc, FIELD.compression)
  set(FIELD.textLength, textLength)
  fixed.writeUInt16BE(textRecords, FIELD.textRecords)
  set(FIELD.recordSize, RECORD_BYTES << 16)
  fixed.write('MOBI', FIELD.magic, 'latin1')
  set(FIELD.headerLength, length)
  set(FIELD.type, TYPE_BOOK)
  set(FIELD.encoding, ENCODING.utf8)
  set(FIELD.uniqueId, fields.uniqueId)
  set(FIELD.version, version)
  for (let at = FIELD.orthographicIndex; at < FIELD.firstNonText; at += 4) set(at)
  set(FIELD.firstNonText, textRecords + 1)
  set(FIELD.locale, localeOf(book.metadata.languages[0] ?? ''))
  set(FIELD.minimumVersion, version)
  set(FIELD.firstResource, fields.firstResource)
  const flags = HAS_EXTH | FLAGS.usual
  set(
    FIELD.exthFlags,
    flags | (fields.isHybrid ? FLAGS.hybrid : 0) | (fields.hasFonts && kf8 ? FLAGS.fonts : 0),
  )
  // Nothing is encrypted: 168 is where the keys would be.
  set(164)
  set(168)
  if (kf8) {
    set(FIELD.fdstRecord, kf8.fdstRecord)
    set(FIELD.flowCount, kf8.flows)
  } else {
    set(FIELD.fdstRecord, 0x10000 | (fields.lastContent ?? 0))
    set(FIELD.flowCount, 1)
  }
  set(FIELD.fcisRecord, fields.fcisRecord)
  set(FIELD.fcisRecord + 4, 1)
  set(FIELD.flisRecord, fields.flisRecord)
  set(FIELD.flisRecord + 4, 1)
  set(224)
  set(232)
  set(236)
  fixed.writeUInt16BE(TRAILING_ENTRIES, FIELD.trailingEntries)
  set(FIELD.contentsIndex, fields.contentsIndex)
  if (kf8) {
    set(FIELD.fragmentIndex, kf8.fragmentIndex)
    set(FIELD.skeletonIndex, kf8.skeletonIndex)
    set(256)
    set(FIELD.guideIndex, kf8.guideIndex)
    set(264)
    set(272)
  }
  const title = Buffer.from(book.metadata.title)
  set(FIELD.titleOffset, fixed.length + exth.length)
  set(FIELD.titleLength, title.length)
  const record = new ByteWriter(fixed.length + exth.length + title.length + SPARE_BYTES + 8)
  record.bytes(fixed)
  record.bytes(exth)
  record.bytes(title)
  record.bytes(new Uint8Array(SPARE_BYTES + 2))
  record.pad(4)
  return record.take()
}
