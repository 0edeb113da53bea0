/** Counts the filled cells of workbooks, since their number decides how much a tagged PDF of them takes. */
import { recordsOf } from './binary-encryption.ts'

/** How the parts of Office Open XML and OpenDocument mark a filled cell, with or without a namespace prefix. */
const MARKS = { xlsx: ['</c>', ':c>'], ods: ['office:value-type='] }

/** Counts the cells of a part in XML. */
export const countCells = (xml: Buffer, format: keyof typeof MARKS): number =>
  MARKS[format].reduce((cells, mark) => cells + countOf(xml, mark), 0)

function countOf(bytes: Buffer, mark: string): number {
  let count = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) count++
  return count
}

/** Records of a cell: FORMULA, NUMBER, LABEL, BOOLERR, RK, LABELSST, RSTRING ([MS-XLS] 2.3). */
const CELLS = new Set([0x06, 0x203, 0x204, 0x205, 0x27e, 0xfd, 0xd6])
/** Several numbers of a row: six bytes for each, besides six for their place. */
const MULRK = 0xbd

/** Counts the cells of the stream `Workbook` or `Book` of an older workbook. */
export function countRecords(stream: Buffer): number {
  let cells = 0
  for (const { type, start, end } of recordsOf(stream)) {
    if (CELLS.has(type)) cells++
    else if (type === MULRK) cells += Math.max(0, Math.floor((end - start - 6) / 6))
  }
  return cells
}

/** The last type of record that is a cell with a value, the first being 2, for a part of a binary workbook ([MS-XLSB] 2.5.97). */
const LAST_CELL = 11

/** Counts the cells of the part of a sheet of a binary workbook. */
export function countBinaryCells(part: Buffer): number {
  let cells = 0
  let at = 0
  /** A number in groups of seven bits, of which each but the last has the highest bit set. */
  const number = (bytes: number) => {
    let value = 0
    for (let index = 0; index < bytes; index++) {
      const byte = part[at++] ?? 0
      value |= (byte & 0x7f) << (7 * index)
      if (byte < 0x80) break
    }
    return value
  }
  while (at < part.length) {
    const type = number(2)
    if (type >= 2 && type <= LAST_CELL) cells++
    const size = number(4)
    at += size
  }
  return cells
}
