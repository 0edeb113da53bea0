import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { BOOK_TYPE } from '../format/header.ts'

const HEADER_BYTES = 78
const MAX_RECORDS = 0xffff
const MAX_BYTES = 0xffff_ffff

/**
 * Header of a Palm database (https://wiki.mobileread.com/wiki/PDB), which precedes its records.
 * @param date used as the creation and modification time
 * @throws JobFailure too_large if there are too many records or they are too large for such a file
 */
export function databaseHead(title: string, date: Date, records: readonly Uint8Array[]): Uint8Array {
  if (records.length > MAX_RECORDS) {
    throw new JobFailure('jobs.too_large', message('kindle.too_many_records'))
  }
  const head = Buffer.alloc(HEADER_BYTES + 8 * records.length + 2)
  head.write(databaseName(title), 0, 31, 'latin1')
  const seconds = Math.min(Math.max(0, Math.floor(date.getTime() / 1000)), MAX_BYTES)
  head.writeUInt32BE(seconds, 36)
  head.writeUInt32BE(seconds, 40)
  head.write(BOOK_TYPE, 60, 'latin1')
  head.writeUInt32BE(2 * records.length - 1, 68)
  head.writeUInt16BE(records.length, 76)
  let place = head.length
  for (const [index, record] of records.entries()) {
    if (place > MAX_BYTES) throw new JobFailure('jobs.too_large', message('kindle.too_many_records'))
    head.writeUInt32BE(place, HEADER_BYTES + 8 * index)
    head.writeUInt32BE(2 * index, HEADER_BYTES + 8 * index + 4)
    place += record.length
  }
  return head
}

/** The title in ASCII without spaces, or a generic name if nothing is left of it. */
function databaseName(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x21-\x7e]+/g, '_')
    .slice(0, 31)
  return /[a-z\d]/i.test(plain) ? plain : 'Book'
}
