/** Numbers and dates as ISO 9660 stores them: ECMA-119, https://ecma-international.org/publications-and-standards/standards/ecma-119/ */

export const SECTOR_BYTES = 2048

/** Number of sectors that hold the given number of bytes. */
export const sectorsOf = (bytes: number): number => Math.ceil(bytes / SECTOR_BYTES)

/**
 * Zeros in Node's shared pool. Buffers of records are too many to have memory of their own, which V8 does not see and
 * collects late.
 */
export const zeroed = (bytes: number): Buffer => Buffer.allocUnsafe(bytes).fill(0)

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

/** The range of dates in a directory record, which stores years since 1900 in one byte. */
const FIRST = Date.UTC(1900, 0, 1)
const LAST = Date.UTC(2155, 11, 31, 23, 59, 59)

/** Writes a date of 7 bytes in UTC (ECMA-119, 9.1.5); dates out of range are clamped. */
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

/** Size of a date written by `writeDate`. */
export const DATE_BYTES = 7

/** Encodes a text as big-endian UCS-2, as used by Joliet. */
export const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
