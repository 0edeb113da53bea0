/** Finds the rows of transactions and the balances between them in the lines of a statement. */
import type { AmountCell, StatementLine } from './cells.ts'
import { textBetween } from './cells.ts'
import { isHeader } from './columns.ts'
import { dateAt, dayHeading, type Order, type PrintedDate } from './dates.ts'
import { accountIn, currencyIn, isBalanceOn, isClosing, isOpening, isTotal, signOfSection } from './words.ts'

/** A line with a transaction whose sign is not known yet. */
export interface StatementRow {
  kind: 'row'
  line: StatementLine
  date: PrintedDate
  description: string
  cells: AmountCell[]
  account: string
  /** Sign of its section. */
  section: -1 | 0 | 1
  /** The heading above it. */
  heading: string
}

export type StatementEntry = StatementRow | { kind: 'opening' | 'closing'; cents: number; account: string }

/** Lines of one transaction are no further apart than this, as a share of the size. */
const LINE_PITCH = 2

/** Rows and balances, from top to bottom. */
export function entriesOf(lines: readonly StatementLine[], order: Order): StatementEntry[] {
  const entries: StatementEntry[] = []
  let account = ''
  let number = ''
  let currency = ''
  let section: -1 | 0 | 1 = 0
  let heading = ''
  let date: PrintedDate | null = null
  // Dates may stand above their transactions instead of before them.
  const byDay = lines.filter(({ text }) => dayHeading(text, order)).length > 1
  let last: { row: StatementRow; line: StatementLine; left: number; right: number } | undefined
  for (const [index, line] of lines.entries()) {
    const { text, amounts } = line
    const isHeading = amounts.length === 0 || !dateAt(text, order)
    const foundNumber = isHeading ? accountIn(text) : null
    if (foundNumber && foundNumber !== number) currency = ''
    number = foundNumber ?? number
    currency = (isHeading ? currencyIn(text) : null) ?? currency
    const named = [number, currency].filter(Boolean).join(' ')
    if (named !== account) {
      // Entries before the first account name belong to the first account.
      if (account === '') for (const entry of entries) entry.account = named
      account = named
      date = null
    }
    const amount = amounts.at(-1)
    if (amount && (isOpening(text) || isClosing(text) || isBalanceOn(text))) {
      const isBelow = entries.some(entry => entry.kind === 'row' && entry.account === account)
      const kind = isOpening(text) ? 'opening' : isClosing(text) || isBelow ? 'closing' : 'opening'
      entries.push({ kind, cents: amount.sign < 0 ? -amount.cents : amount.cents, account })
      last = undefined
      continue
    }
    if (isTotal(text) || isHeader(line)) {
      last = undefined
      if (isHeader(line)) date = null
      continue
    }
    if (amounts.length === 0) {
      const day = byDay ? dayHeading(text, order) : null
      if (day) {
        date = day
        last = undefined
        continue
      }
      section = signOfSection(text) || section
      if (last && continuesEntry(last, line, order)) {
        last.row.description += ` ${text}`
        last.line = line
      } else {
        last = undefined
        heading = text
      }
      continue
    }
    const own = dateAt(text, order)
    if (!own && !(date && (last || byDay))) continue
    date = own ?? date
    const first = own ? wordsTaken(line, own.length) : 0
    const cells = amounts.filter(({ from }) => from >= first)
    if (cells.length === 0 || !date) continue
    const from = skipSecondDate(line, first, order)
    // Dates and amounts may stand between the two lines of their description.
    const beside = descriptionOf(line, from, cells)
    const above = beside === '' && isCloseAbove(lines[index - 1], line) ? lines[index - 1] : undefined
    if (above && last?.line === above)
      last.row.description = last.row.description.slice(0, -above.text.length).trimEnd()
    const description = above?.text ?? beside
    const row: StatementRow = { kind: 'row', line, date, description, cells, account, section, heading }
    entries.push(row)
    const left = above?.line.x ?? line.line.words[from]?.x ?? line.line.x
    last = { row, line, left, right: cells[0]!.x }
  }
  return entries
}

/** The word after so many characters of a line from one of its words on. */
function wordsTaken({ line }: StatementLine, length: number, from = 0): number {
  let at = 0
  for (const [index, word] of line.words.entries()) {
    if (index < from) continue
    if (at >= length) return index
    at += word.text.length + (line.words[index + 1]?.joined ? 0 : 1)
  }
  return line.words.length
}

/** Skips the value date next to the booking date. */
function skipSecondDate(line: StatementLine, first: number, order: Order): number {
  const rest = textBetween(line.line, first, Math.min(line.line.words.length, first + 4))
  const second = dateAt(rest, order)
  return second ? wordsTaken(line, second.length, first) : first
}

const descriptionOf = ({ line }: StatementLine, from: number, cells: readonly AmountCell[]) => {
  const [first, last] = [cells[0]!, cells.at(-1)!]
  const before = textBetween(line, from, first.from)
  // Some statements print the description after the amount.
  return before !== '' ? before : textBetween(line, last.to, line.words.length)
}

/** Whether a line without amounts is less than a whole line above another. */
const isCloseAbove = (above: StatementLine | undefined, { page, line }: StatementLine) =>
  above?.page === page && above.amounts.length === 0 && line.baseline - above.line.baseline < line.size

/** Whether a line continues the description of the transaction above it. */
function continuesEntry(
  { line: above, left, right }: { line: StatementLine; left: number; right: number },
  line: StatementLine,
  order: Order,
): boolean {
  const { size } = line.line
  const distance = line.line.baseline - above.line.baseline
  if (above.page !== line.page || distance <= 0 || distance > size * LINE_PITCH) return false
  if (dateAt(line.text, order) && Math.abs(line.line.x - above.line.x) < size) return false
  return line.line.x > left - size * 0.6 && line.line.x < right && line.line.right < right + size * 8
}
