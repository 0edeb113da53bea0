/** Finds out what the amount columns of a statement mean. */
import { segmentsOf } from '../pdf/layout/table-runs.ts'
import type { AmountCell, StatementLine } from './cells.ts'
import { namesDate, type Role, roleOf } from './words.ts'

/** A column of amounts, or the heading of one. */
export interface Column {
  x: number
  right: number
  role: Role
}

/** Headings of different columns are further apart than this share of the size. */
const HEADING_GAP = 0.9

const headingsOf = ({ line }: StatementLine): Column[] =>
  segmentsOf(line, HEADING_GAP).flatMap(({ words, x, right }) => {
    const text = words.map(word => word.text).join(' ')
    const role = text.length < 40 ? roleOf(text) : null
    return role ? [{ x, right, role }] : []
  })

/** Whether a line is the header of a table of transactions. */
export function isHeader(line: StatementLine): boolean {
  if (line.amounts.length > 0 || !namesDate(line.text)) return false
  const roles = headingsOf(line).map(({ role }) => role)
  return roles.some(role => role !== 'balance')
}

/** Headings of a header line, and of the lines above and below it that continue it. */
export function headings(lines: readonly StatementLine[], index: number): Column[] {
  const header = lines[index]!
  const found = headingsOf(header)
  for (const other of [lines[index - 1], lines[index + 1]]) {
    if (!other || other.page !== header.page || other.amounts.length > 0) continue
    if (Math.abs(other.line.baseline - header.line.baseline) > header.line.size * 1.8) continue
    for (const heading of headingsOf(other))
      if (!found.some(({ x, right }) => heading.x < right && heading.right > x)) found.push(heading)
  }
  return found
}

/** Positions where amounts are aligned in columns. */
export function clustersOf(cells: readonly AmountCell[]): { x: number; right: number; count: number }[] {
  const clusters: { x: number; right: number; count: number }[] = []
  for (const { x, right } of cells.toSorted((one, other) => one.x - other.x)) {
    const last = clusters.at(-1)
    if (last && x < last.right + 1) {
      last.right = Math.max(last.right, right)
      last.count += 1
    } else clusters.push({ x, right, count: 1 })
  }
  return clusters
}

/** Columns named by the headings above them. */
export function namedColumns(
  clusters: readonly { x: number; right: number; count: number }[],
  named: readonly Column[],
): Column[] {
  return clusters.flatMap(({ x, right }) => {
    let best: Column | undefined
    let least = Number.POSITIVE_INFINITY
    for (const heading of named) {
      const overlaps = x < heading.right && right > heading.x
      const apart = Math.min(
        Math.abs(heading.right - right),
        Math.abs(heading.x - x),
        Math.abs(heading.x + heading.right - x - right) / 2,
      )
      const distance = overlaps ? apart / 10 : apart
      if (distance < least) {
        least = distance
        best = heading
      }
    }
    return best && least < 60 ? [{ x, right, role: best.role }] : []
  })
}

/** Possible meanings of columns without headings, the most common first. */
export function guesses(count: number): Role[][] {
  if (count === 1) return [['amount']]
  if (count === 2)
    return [
      ['amount', 'balance'],
      ['debit', 'credit'],
      ['balance', 'amount'],
    ]
  return [
    ['debit', 'credit', 'balance'],
    ['credit', 'debit', 'balance'],
    ['amount', 'balance', 'balance'],
  ]
}
