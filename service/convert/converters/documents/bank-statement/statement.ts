/** Reads the transactions of a statement of unknown layout. */
import type { AmountCell, StatementLine } from './cells.ts'
import { textBetween } from './cells.ts'
import { type Column, clustersOf, guesses, headings, isHeader, namedColumns } from './columns.ts'
import { dateAt, dayHeading, fullDates, type Order, type PrintedDate, resolved } from './dates.ts'
import { accountIn, currencyIn, isBalanceOn, isClosing, isOpening, isTotal, signOfSection } from './words.ts'

export interface Transaction {
  date: Date
  description: string
  /** Hundredths; negative for outgoing amounts. */
  amount: number
  /** Balance printed for it, in hundredths. */
  balance: number | null
  /** From 1. */
  page: number
}

export interface Account {
  /** As printed; empty if the file names none. */
  name: string
  opening: number | null
  closing: number | null
  transactions: Transaction[]
}

export interface Statement {
  accounts: Account[]
  /** Whether the newest transaction comes first. */
  descending: boolean
}

/** A line with a transaction whose sign is not known yet. */
interface Row {
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

interface Mark {
  kind: 'opening' | 'closing'
  cents: number
  account: string
}

type Entry = Row | Mark

/** @returns null if there is no table of transactions */
export function readStatement(lines: readonly StatementLine[], order: Order): Statement | null {
  const found = entriesOf(lines, order)
  const rows = found.filter(entry => entry.kind === 'row')
  if (rows.length === 0) return null
  const period = periodOf(lines, order)
  const columns = columnsOf(lines, rows, found)
  const dates = rows.map(row => resolved(row.date, period))
  const falls = dates.filter((date, index) => index > 0 && date < dates[index - 1]!).length
  const rises = dates.filter((date, index) => index > 0 && date > dates[index - 1]!).length
  const descending = falls > rises
  const accounts = new Map<string, Account>()
  const accountOf = (name: string) => {
    let account = accounts.get(name)
    if (!account) {
      account = { name, opening: null, closing: null, transactions: [] }
      accounts.set(name, account)
    }
    return account
  }
  for (const entry of found) {
    if (entry.kind === 'row') continue
    const account = accountOf(entry.account)
    // A balance carried over from page to page counts as the opening balance only the first time.
    if (entry.kind === 'opening') account.opening ??= entry.cents
    else account.closing = entry.cents
  }
  const marked = rows.some(({ cells }) => cells.some(cell => cell.marked && cell.sign > 0))
  for (const [name, own] of byAccount(rows)) {
    const account = accountOf(name)
    const ordered = descending ? own.toReversed() : own
    const read = transactionsOf(ordered, columns, account, marked, row => dates[rows.indexOf(row)]!)
    account.transactions = descending ? read.toReversed() : read
  }
  return {
    accounts: [...accounts.values()].filter(({ transactions }) => transactions.length > 0),
    descending,
  }
}

const byAccount = (rows: readonly Row[]) => {
  const found = new Map<string, Row[]>()
  for (const row of rows) found.set(row.account, [...(found.get(row.account) ?? []), row])
  return found
}

function periodOf(lines: readonly StatementLine[], order: Order): { from: Date; to: Date } | null {
  const all: Date[] = []
  for (const { text } of lines) {
    const dates = fullDates(text, order)
    if (
      dates.length === 2 &&
      dates[0]! < dates[1]! &&
      dates[1]!.getTime() - dates[0]!.getTime() < 400 * 86_400_000
    )
      return { from: dates[0]!, to: dates[1]! }
    all.push(...dates)
  }
  if (all.length === 0) return null
  const times = all.map(date => date.getTime())
  // The statement date comes after all transaction dates.
  const to = new Date(Math.max(...times))
  return { from: new Date(to.getTime() - 92 * 86_400_000), to }
}

/** Lines of one transaction are no further apart than this, as a share of the size. */
const LINE_PITCH = 2

function entriesOf(lines: readonly StatementLine[], order: Order): Entry[] {
  const entries: Entry[] = []
  let account = ''
  let number = ''
  let currency = ''
  let section: -1 | 0 | 1 = 0
  let heading = ''
  let date: PrintedDate | null = null
  // Dates may stand above their transactions instead of before them.
  const byDay = lines.filter(({ text }) => dayHeading(text, order)).length > 1
  let last: { row: Row; line: StatementLine; left: number; right: number } | undefined
  for (const line of lines) {
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
      if (last && goesOn(last, line, order)) {
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
    const description = descriptionOf(line, from, cells)
    const row: Row = { kind: 'row', line, date, description, cells, account, section, heading }
    entries.push(row)
    const left = line.line.words[from]?.x ?? line.line.x
    last = { row, line, left, right: cells[0]!.x }
  }
  return entries
}

/** How many words the first characters of a line take. */
function wordsTaken({ line }: StatementLine, length: number): number {
  let at = 0
  for (const [index, word] of line.words.entries()) {
    if (at >= length) return index
    at += word.text.length + (line.words[index + 1]?.joined ? 0 : 1)
  }
  return line.words.length
}

/** Skips the value date next to the booking date. */
function skipSecondDate(line: StatementLine, first: number, order: Order): number {
  const rest = textBetween(line.line, first, Math.min(line.line.words.length, first + 4))
  const second = dateAt(rest, order)
  if (!second) return first
  let at = 0
  let index = first
  while (index < line.line.words.length && at < second.length) {
    at += line.line.words[index]!.text.length + 1
    index += 1
  }
  return index
}

const descriptionOf = ({ line }: StatementLine, from: number, cells: readonly AmountCell[]) => {
  const [first, last] = [cells[0]!, cells.at(-1)!]
  const before = textBetween(line, from, first.from)
  // Some statements print the description after the amount.
  return before !== '' ? before : textBetween(line, last.to, line.words.length)
}

/** Whether a line continues the description of the transaction above it. */
function goesOn(
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

/** Columns by their headings, or else by the meaning that makes the balances add up. */
function columnsOf(
  lines: readonly StatementLine[],
  rows: readonly Row[],
  entries: readonly Entry[],
): Column[] {
  const all = clustersOf(rows.flatMap(({ cells }) => cells))
  const header = lines.findIndex(isHeader)
  const named = header >= 0 ? namedColumns(all, headings(lines, header)) : []
  if (named.some(({ role }) => role !== 'balance')) return named
  // Numbers within descriptions are scattered.
  const clusters = all.filter(({ count }) => count >= Math.max(1, rows.length * 0.04)).slice(-3)
  const first = entries.find(entry => entry.kind === 'opening')
  const opening = first?.kind === 'opening' ? first.cents : null
  const choices = guesses(clusters.length).map(roles =>
    clusters.map(({ x, right }, index) => ({ x, right, role: roles[index]! })),
  )
  let best = choices[0]!
  let most = -1
  for (const columns of choices) {
    for (const ordered of [rows, rows.toReversed()]) {
      const read = transactionsOf(ordered, columns, { opening, closing: null }, false, () => new Date(0))
      const right = matching(read, opening)
      if (right > most) {
        most = right
        best = columns
      }
    }
  }
  return best
}

/** The number of transactions whose balance is the previous balance plus their amount. */
function matching(transactions: readonly Transaction[], opening: number | null): number {
  let balance = opening
  let right = 0
  for (const { amount, balance: printed } of transactions) {
    if (balance !== null) balance += amount
    if (printed === null) continue
    if (balance === printed) right += 1
    balance = printed
  }
  return right
}

/** Converts rows to transactions in chronological order. */
function transactionsOf(
  rows: readonly Row[],
  columns: readonly Column[],
  { opening, closing }: Pick<Account, 'opening' | 'closing'>,
  marked: boolean,
  dateOf: (row: Row) => Date,
): Transaction[] {
  let balance = opening
  const transactions: Transaction[] = []
  const guessed = new Map<string, Transaction[]>()
  for (const row of rows) {
    const { amounts, printed } = sorted(row, columns)
    const [first] = amounts
    if (!first) continue
    const { cents, sign } = first.cell
    let amount: number
    let isGuess = false
    if (first.role === 'debit') amount = sign < 0 && !first.cell.marked ? -cents : sign > 0 ? cents : -cents
    else if (first.role === 'credit') amount = sign < 0 ? -cents : cents
    else if (sign !== 0) amount = sign * cents
    else if (balance !== null && printed !== null && balance - cents === printed) amount = -cents
    else if (balance !== null && printed !== null && balance + cents === printed) amount = cents
    else {
      isGuess = true
      amount = row.section !== 0 ? row.section * cents : marked ? -cents : cents
    }
    const transaction = {
      date: dateOf(row),
      description: row.description,
      amount,
      balance: printed,
      page: row.line.page + 1,
    }
    transactions.push(transaction)
    if (isGuess) guessed.set(row.heading, [...(guessed.get(row.heading) ?? []), transaction])
    balance = printed ?? (balance === null ? null : balance + amount)
  }
  if (opening !== null && closing !== null) settle(transactions, [...guessed.values()], closing - opening)
  return transactions
}

/** More sections are left as they are: the ways to choose signs double with each. */
const SETTLED_SECTIONS = 12

/**
 * Turns the signs of whole sections that only their headings give, if exactly one choice makes the movements add up to
 * what the balances say.
 */
function settle(
  transactions: readonly Transaction[],
  sections: readonly Transaction[][],
  movement: number,
): void {
  const sum = (part: readonly Transaction[]) => part.reduce((total, { amount }) => total + amount, 0)
  const found = sum(transactions)
  // The balance of a credit card grows with each purchase.
  if (Math.abs(found) === Math.abs(movement) || sections.length > SETTLED_SECTIONS) return
  const turned = Array.from({ length: 2 ** sections.length }, (_, choice) =>
    sections.filter((_, index) => (choice >> index) & 1),
  ).filter(choice => found - 2 * sum(choice.flat()) === movement)
  if (turned.length !== 1) return
  for (const transaction of turned[0]!.flat()) transaction.amount = -transaction.amount
}

function sorted({ cells }: Row, columns: readonly Column[]) {
  let printed: number | null = null
  const amounts: { role: 'debit' | 'credit' | 'amount'; cell: AmountCell }[] = []
  for (const cell of cells) {
    const column = columns.find(({ x, right }) => cell.x < right + 1 && cell.right > x - 1)
    if (!column) continue
    if (column.role === 'balance') printed = cell.sign < 0 ? -cell.cents : cell.cents
    else if (cell.cents > 0 || amounts.length === 0) amounts.push({ role: column.role, cell })
  }
  // An empty column may be printed as 0.00.
  const filled = amounts.filter(({ cell }) => cell.cents > 0)
  return { amounts: filled.length > 0 ? filled : amounts, printed }
}
