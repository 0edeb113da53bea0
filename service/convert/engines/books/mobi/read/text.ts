/** The text of a book, or of its KF8 part: its records without trailing entries, decompressed and joined. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { DamagedFile } from '../../../common/damage.ts'
import { COMPRESSION } from '../format/header.ts'
import type { Header } from './header.ts'
import { HuffCdic } from './huff-cdic.ts'
import { unpackPalmDoc } from './palmdoc.ts'

/** Largest text; the longest books have about 40 MB. */
export const TEXT_BYTES_LIMIT = 2 ** 27

/** @throws JobFailure too_large, unsupported_input; DamagedFile when it is damaged */
export function readText(records: readonly Buffer[], header: Header): Buffer {
  const unpack = unpacker(records, header)
  const parts: Buffer[] = []
  let length = 0
  for (let index = 1; index <= header.textRecords; index++) {
    const record = records[header.record + index]
    if (!record) throw new DamagedFile('the text breaks off')
    const part = unpack(withoutTrailingEntries(record, header.trailingEntries))
    length += part.length
    if (length > TEXT_BYTES_LIMIT) throw new JobFailure('jobs.too_large')
    parts.push(part)
  }
  return Buffer.concat(parts, length)
}

function unpacker(records: readonly Buffer[], header: Header): (record: Buffer) => Buffer {
  if (header.compression === COMPRESSION.none) return record => record
  // The result is copied, since the buffer it was unpacked into is much larger.
  if (header.compression === COMPRESSION.palmDoc) return record => Buffer.from(unpackPalmDoc(record))
  if (header.compression !== COMPRESSION.huffCdic) throw new JobFailure('jobs.unsupported_input')
  const first = header.record + header.huffRecord
  const [huff, ...dictionaries] = records.slice(first, first + header.huffRecords)
  if (!huff) throw new DamagedFile('there is no table of codes')
  const codes = new HuffCdic(huff, dictionaries)
  return record => codes.unpack(record)
}

/**
 * Removes the trailing entries of a record. Bits 1 to 15 of the flags indicate one entry each, whose size is stored
 * backwards at its end; bit 0 indicates the rest of a character that is repeated at the start of the next record.
 */
function withoutTrailingEntries(record: Buffer, flags: number): Buffer {
  let end = record.length
  for (let rest = flags >> 1; rest > 0; rest >>= 1)
    if (rest & 1) end -= Math.min(end, sizeBefore(record, end))
  if (flags & 1 && end > 0) end -= Math.min(end, (record[end - 1]! & 3) + 1)
  return record.subarray(0, end)
}

function sizeBefore(record: Buffer, end: number): number {
  let size = 0
  for (let at = end - 1, shift = 0; at >= 0 && shift < 28; at--, shift += 7) {
    size |= (record[at]! & 0x7f) << shift
    if (record[at]! & 0x80) break
  }
  return size
}
