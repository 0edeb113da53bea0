/** Numbers and dates as ISO 9660 stores them: ECMA-119, https://ecma-international.org/publications-and-standards/standards/ecma-119/ */

export const SECTOR_BYTES = 2048

/** Sectors that so many bytes take. */
export const sectorsOf = (bytes: number): number => Math.ceil(bytes / SECTOR_BYTES)

/** Bytes between a position and the next whole sector. */
export const paddingOf = (bytes: number): number => sectorsOf(bytes) * SECTOR_BYTES - bytes

/** 16 bits in both byte orders, 4 bytes (ECMA-119, 7.2.3). */
export function both16(bytes: Buffer, offset: number, value: number): void {
  bytes.writeUInt16LE(value, offset)
  bytes.writeUInt16BE(value, offset + 2)
}

/** 32 bits in both byte orders, 8 bytes (ECMA-119, 7.3.3). */
export function both32(bytes: Buffer, offset: number, value: number): void {
  bytes.writeUInt32LE(value, offset)
  bytes.writeUInt32BE(value, offset + 4)
}

/** The years a directory record can say, which counts them in a byte from 1900 on. */
const FIRST = Date.UTC(1900, 0, 1)
const LAST = Date.UTC(2155, 11, 31, 23, 59, 59)

/** Writes a date of 7 bytes in UTC (ECMA-119, 9.1.5); one that it cannot say becomes the nearest it can. */
export function writeDate(bytes: Buffer, offset: number, date: Date): void {
  const within = new Date(Math.min(LAST, Math.max(FIRST, date.getTime())))
  bytes[offset] = within.getUTCFullYear() - 1900
  bytes[offset + 1] = within.getUTCMonth() + 1
  bytes[offset + 2] = within.getUTCDate()
  bytes[offset + 3] = within.getUTCHours()
  bytes[offset + 4] = within.getUTCMinutes()
  bytes[offset + 5] = within.getUTCSeconds()
  bytes[offset + 6] = 0
}

/** Bytes of a date that `writeDate` writes. */
export const DATE_BYTES = 7

/** A text in UCS-2, big-endian, as Joliet and UDF have it. */
export const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
