/** Indexes of a book: a record that describes the index, records of entries, and records of their texts (CNCX). */
import { DamagedFile } from '../../../common/damage.ts'
import { readVariable } from '../format/variable-width.ts'

/** Maximum number of entries in an index, beyond any real book. */
const ENTRY_LIMIT = 500_000
/** Maximum number of values in all entries of an index. */
const VALUE_LIMIT = 5_000_000

export interface IndexEntry {
  label: string
  /** Values by tag. */
  tags: ReadonlyMap<number, readonly number[]>
}

export interface IndexTable {
  entries: readonly IndexEntry[]
  /** A text by its offset, which is the value of some tags; empty if there is none. */
  text(offset: number | undefined): string
}

interface Row {
  tag: number
  valuesEach: number
  mask: number
  endsControlByte: boolean
}

const RANK_OF_LAST_ROW = 1

/**
 * Reads the index whose first record has the given number in the file.
 * @throws DamagedFile when it is damaged
 */
export function readIndex(records: readonly Buffer[], number: number, decoder: TextDecoder): IndexTable {
  const head = recordOf(records, number, 'INDX')
  const { rows, controlBytes } = readRows(head)
  const recordCount = head.readUInt32BE(24)
  const textCount = head.readUInt32BE(52)
  const entries: IndexEntry[] = []
  const budget = { values: VALUE_LIMIT }
  for (let index = 1; index <= recordCount; index++) {
    const record = recordOf(records, number + index, 'INDX')
    const table = record.readUInt32BE(20)
    const count = record.readUInt32BE(24)
    if (entries.length + count > ENTRY_LIMIT) throw new DamagedFile('an index is too long')
    for (let entry = 0; entry < count; entry++)
      entries.push(readEntry(record, record.readUInt16BE(table + 4 + 2 * entry), rows, controlBytes, budget))
  }
  const texts = records.slice(number + 1 + recordCount, number + 1 + recordCount + textCount)
  return { entries, text: offset => textAt(texts, offset, decoder) }
}

function recordOf(records: readonly Buffer[], number: number, magic: string): Buffer {
  const record = records[number]
  if (record?.toString('latin1', 0, 4) !== magic) throw new DamagedFile('there is no index')
  return record
}

function readRows(head: Buffer): { rows: Row[]; controlBytes: number } {
  const start = head.readUInt32BE(4)
  if (head.toString('latin1', start, start + 4) !== 'TAGX') throw new DamagedFile('an index has no tags')
  const end = start + head.readUInt32BE(start + 4)
  if (end > head.length) throw new DamagedFile('an index has no tags')
  const rows: Row[] = []
  for (let at = start + 12; at + 4 <= end; at += 4) {
    const [tag = 0, valuesEach = 0, mask = 0, last = 0] = head.subarray(at, at + 4)
    rows.push({ tag, valuesEach, mask, endsControlByte: last === RANK_OF_LAST_ROW })
  }
  return { rows, controlBytes: Math.min(16, head.readUInt32BE(start + 8)) }
}

/** Value counts are in the control bytes; if all bits of a multi-bit mask are set, the size in bytes precedes the values. */
function readEntry(
  record: Buffer,
  start: number,
  rows: readonly Row[],
  controlBytes: number,
  budget: { values: number },
): IndexEntry {
  const labelEnd = start + 1 + record.readUInt8(start)
  let control = labelEnd
  let at = labelEnd + controlBytes
  const groups: { tag: number; count?: number; bytes?: number }[] = []
  for (const { tag, valuesEach, mask, endsControlByte } of rows) {
    if (endsControlByte) {
      control++
      continue
    }
    const bits = record.readUInt8(control) & mask
    if (bits === 0) continue
    if (bits === mask && (mask & (mask - 1)) !== 0) {
      const { value, next } = readVariable(record, at)
      groups.push({ tag, bytes: value })
      at = next
    } else groups.push({ tag, count: (bits / (mask & -mask)) * valuesEach })
  }
  const tags = new Map<number, number[]>()
  for (const { tag, count = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } of groups) {
    const values: number[] = []
    for (const end = at + bytes; values.length < count && at < end; ) {
      const { value, next } = readVariable(record, at)
      if (--budget.values < 0) throw new DamagedFile('an index is too long')
      values.push(value)
      at = next
    }
    tags.set(tag, values)
  }
  return { label: record.toString('latin1', start + 1, labelEnd), tags }
}

function textAt(texts: readonly Buffer[], offset: number | undefined, decoder: TextDecoder): string {
  const record = offset === undefined ? undefined : texts[offset >>> 16]
  if (offset === undefined || !record) return ''
  const { value, next } = readVariable(record, offset & 0xffff)
  return decoder.decode(record.subarray(next, next + value))
}
