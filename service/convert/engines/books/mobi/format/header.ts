/**
 * Fields of a Mobipocket book's first record (https://wiki.mobileread.com/wiki/MOBI), all big-endian. In a file with both
 * versions, the KF8 part has its own such record, and its record numbers are relative to it.
 */

/** Value of a field without a record, index or position. */
export const NOT_SET = 0xffff_ffff

/** Types of the Palm database, at byte 60 of the file. */
export const BOOK_TYPE = 'BOOKMOBI'
export const PLAIN_TYPE = 'TEXtREAd'

/** The record before the KF8 part of a file with both versions. */
export const BOUNDARY = 'BOUNDARY'

export const COMPRESSION = { none: 1, palmDoc: 2, huffCdic: 17_480 } as const

export const ENCODING = { windows1252: 1252, utf8: 65_001 } as const

/** Offsets in the record of the fields of the PalmDOC header (first 16 bytes) and the MOBI header. */
export const FIELD = {
  compression: 0,
  textLength: 4,
  textRecords: 8,
  recordSize: 10,
  encryption: 12,
  magic: 16,
  headerLength: 20,
  type: 24,
  encoding: 28,
  uniqueId: 32,
  version: 36,
  orthographicIndex: 40,
  firstNonText: 80,
  titleOffset: 84,
  titleLength: 88,
  locale: 92,
  minimumVersion: 104,
  firstResource: 108,
  huffRecord: 112,
  huffRecords: 116,
  exthFlags: 128,
  /** KF8 only; in version 6, the numbers of its first and last content records, 16 bits each. */
  fdstRecord: 192,
  flowCount: 196,
  fcisRecord: 200,
  flisRecord: 208,
  /** 16 bits: which trailing entries the text records have. */
  trailingEntries: 242,
  contentsIndex: 244,
  fragmentIndex: 248,
  skeletonIndex: 252,
  guideIndex: 260,
} as const

/** Set in `exthFlags` when EXTH records follow the header. */
export const HAS_EXTH = 0x40
