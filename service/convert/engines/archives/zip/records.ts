/** Records of ZIP: headers of entries, the directory, its end. */
import { cutUtf8 } from '../../../../shared/names/cut-utf8.ts'
import { type ArchiveEntry, typeAndMode } from '../model.ts'
import { dosTimeOf, timeField } from './extra.ts'

/** An entry as it was written. */
export interface WrittenEntry {
  entry: ArchiveEntry
  /** Of its local header. */
  offset: number
  crc: number
  size: number
  packedSize: number
  method: number
}

/** Larger numbers are stored in ZIP64 fields. */
const LIMIT32 = 0xffff_ffff
/** How much larger than the file the packed data may be, in headers that are written before their size is known. */
const SPARE_BYTES = 2 ** 24
const COUNT_LIMIT = 0xffff
const COMMENT_BYTES = 0xffff
const UTF8_NAMES = 0x800
const ZIP64_FIELD = 1
/** Required version of the format: folders and deflate, or ZIP64. */
const VERSION = 20
const VERSION64 = 45
const MADE_ON_UNIX = 3 << 8
const DOS_FOLDER = 0x10
/** 1 January 1980, the first DOS date; used for entries without a time. */
const FIRST_DOS_TIME = ((1 << 5) | 1) << 16

const isLarge = ({ size }: WrittenEntry) => size + SPARE_BYTES >= LIMIT32

export function localHeader(written: WrittenEntry): Buffer {
  const large = isLarge(written)
  const name = nameOf(written.entry)
  const extra = Buffer.concat([
    large ? field64([written.size, written.packedSize]) : Buffer.alloc(0),
    timeField(written.entry.modified),
  ])
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(large ? VERSION64 : VERSION, 4)
  writeShared(header, 6, written, { large, name, extra })
  return Buffer.concat([header, name, extra])
}

export function centralHeader(written: WrittenEntry): Buffer {
  const { entry, offset } = written
  const isFar = offset >= LIMIT32
  const large = isLarge(written)
  const name = nameOf(entry)
  const comment = commentOf(entry.comment)
  const numbers = [...(large ? [written.size, written.packedSize] : []), ...(isFar ? [offset] : [])]
  const extra = Buffer.concat([
    numbers.length > 0 ? field64(numbers) : Buffer.alloc(0),
    timeField(entry.modified),
  ])
  const header = Buffer.alloc(46)
  const version = large || isFar ? VERSION64 : VERSION
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(MADE_ON_UNIX | version, 4)
  header.writeUInt16LE(version, 6)
  writeShared(header, 8, written, { large, name, extra })
  header.writeUInt16LE(comment.length, 32)
  header.writeUInt32LE(typeAndMode(entry) * 0x10000 + (entry.kind === 'folder' ? DOS_FOLDER : 0), 38)
  header.writeUInt32LE(isFar ? LIMIT32 : offset, 42)
  return Buffer.concat([header, name, extra, comment])
}

/** The end-of-directory records of a directory that begins at `start`. */
export function endOfDirectory(
  { start, bytes, count }: { start: number; bytes: number; count: number },
  comment: string | undefined,
): Buffer {
  const text = commentOf(comment)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, COUNT_LIMIT), 8)
  end.writeUInt16LE(Math.min(count, COUNT_LIMIT), 10)
  end.writeUInt32LE(Math.min(bytes, LIMIT32), 12)
  end.writeUInt32LE(Math.min(start, LIMIT32), 16)
  end.writeUInt16LE(text.length, 20)
  if (count < COUNT_LIMIT && bytes < LIMIT32 && start < LIMIT32) return Buffer.concat([end, text])

  const end64 = Buffer.alloc(56)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(MADE_ON_UNIX | VERSION64, 12)
  end64.writeUInt16LE(VERSION64, 14)
  for (const [index, value] of [count, count, bytes, start].entries()) {
    end64.writeBigUInt64LE(BigInt(value), 24 + 8 * index)
  }
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(start + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([end64, locator, end, text])
}

/** The common part of local and central headers, from the flags on. */
function writeShared(
  header: Buffer,
  at: number,
  { entry, method, crc, size, packedSize }: WrittenEntry,
  { large, name, extra }: { large: boolean; name: Buffer; extra: Buffer },
): void {
  const isAscii = name.every(byte => byte < 128) && /^[\0-\x7f]*$/.test(entry.comment ?? '')
  header.writeUInt16LE(isAscii ? 0 : UTF8_NAMES, at)
  header.writeUInt16LE(method, at + 2)
  header.writeUInt32LE(entry.modified ? dosTimeOf(entry.modified) : FIRST_DOS_TIME, at + 4)
  header.writeUInt32LE(crc, at + 8)
  header.writeUInt32LE(large ? LIMIT32 : packedSize, at + 12)
  header.writeUInt32LE(large ? LIMIT32 : size, at + 16)
  header.writeUInt16LE(name.length, at + 20)
  header.writeUInt16LE(extra.length, at + 22)
}

/** A comment as bytes, with as many whole characters as fit. */
const commentOf = (comment = '') => Buffer.from(cutUtf8(comment, COMMENT_BYTES))

const nameOf = ({ kind, path }: ArchiveEntry) => Buffer.from(kind === 'folder' ? `${path}/` : path)

function field64(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(ZIP64_FIELD, 0)
  field.writeUInt16LE(8 * numbers.length, 2)
  for (const [index, value] of numbers.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  return field
}
