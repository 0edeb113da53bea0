/** Extra fields that Info-ZIP and Windows add to ZIP: https://libzip.org/specifications/extrafld.txt */
import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { extraField, type ZipRecord } from '../zip-directory.ts'

const UNICODE_PATH = 0x7075
const NTFS = 0x000a
const EXTENDED_TIME = 0x5455
const OLD_UNIX = 0x5855

/** Number of 100 ns between 1601, the epoch of Windows, and 1970. */
const FILETIME_EPOCH = 116_444_736_000_000_000n

/** The Unicode name, if there is a field that belongs to this name. */
export function infoZipName(name: Buffer, extra: Buffer): string | undefined {
  const field = extraField(extra, UNICODE_PATH)
  if (!field || field.length < 6 || field[0] !== 1 || field.readUInt32LE(1) !== crc32(name)) return undefined
  const text = field.subarray(5)
  return isUtf8(text) ? text.toString() : undefined
}

/** When an entry was modified, from its most precise field; DOS times are in this machine's zone, as in every program. */
export function modifiedOf({ extra, dosTime }: ZipRecord): Date | null {
  const ntfs = extraField(extra, NTFS)
  if (ntfs && ntfs.length >= 16 && ntfs.readUInt16LE(4) === 1) {
    const ticks = ntfs.readBigUInt64LE(8)
    if (ticks > 0n) return new Date(Number((ticks - FILETIME_EPOCH) / 10_000n))
  }
  const extended = extraField(extra, EXTENDED_TIME)
  if (extended && extended.length >= 5 && extended[0]! & 1) {
    const seconds = extended.readInt32LE(1)
    // Some writers continue after January 2038, where the sign bit begins; the DOS time distinguishes that from 1901.
    const isLate = seconds < 0 && 1980 + (dosTime >>> 25) >= 2038
    return new Date((isLate ? seconds + 2 ** 32 : seconds) * 1000)
  }
  const old = extraField(extra, OLD_UNIX)
  if (old && old.length >= 8) return new Date(old.readInt32LE(4) * 1000)
  return ofDosTime(dosTime)
}

function ofDosTime(value: number): Date | null {
  const day = value >>> 16
  if ((day & 31) === 0 || ((day >>> 5) & 15) === 0) return null
  return new Date(
    1980 + (day >>> 9),
    ((day >>> 5) & 15) - 1,
    day & 31,
    (value >>> 11) & 31,
    (value >>> 5) & 63,
    (value & 31) * 2,
  )
}

/** A time in DOS format, in this machine's zone, with two-second precision; the nearest one from 1980 to 2107. */
export function dosTimeOf(date: Date): number {
  const year = date.getFullYear()
  if (year < 1980) return (1 << 21) | (1 << 16)
  if (year > 2107) return 0xff9f_bf7d
  const day = ((year - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate()
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}

/** 100 ns since 1601. */
export const windowsTime = (date: Date): bigint => BigInt(date.getTime()) * 10_000n + FILETIME_EPOCH

/** The modification time of an entry as a field; none for times that 32 bits of seconds do not hold, whose DOS times are left. */
export function timeField(modified: Date | null): Buffer {
  const seconds = Math.floor((modified?.getTime() ?? Number.NaN) / 1000)
  if (!(seconds >= -(2 ** 31) && seconds < 2 ** 31)) return Buffer.alloc(0)
  const field = Buffer.alloc(9)
  field.writeUInt16LE(EXTENDED_TIME, 0)
  field.writeUInt16LE(5, 2)
  field[4] = 1
  field.writeInt32LE(seconds, 5)
  return field
}
