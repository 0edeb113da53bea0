/** Reads the transactions of a statement of unknown layout. */
import type { StatementLine } from './cells.ts'
import { runningBalance } from './checks.ts'
import { type Column, clustersOf, guesses, headings, isHeader, namedColumns } from './columns.ts'
import { fullDates, type Order, resolved } from './dates.ts'
import { entriesOf, type StatementEntry, type StatementRow } from './entries.ts'
import type { Account, Statement } from './model.ts'
import { transactionsOf } from './signs.ts'
import { namesCard } from './words.ts'

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
  const ofCard = lines.slice(0, lines.indexOf(rows[0]!.line)).some(({ text }) => namesCard(text))
  for (const [name, own] of Map.groupBy(rows, row => row.account)) {
    const account = accountOf(name)
    const ordered = descending ? own.toReversed() : own
    const read = transactionsOf(ordered, columns, account, marked, row => dates[rows.indexOf(row)]!, ofCard)
    account.transactions = descending ? read.toReversed() : read
  }
  return {
    accounts: [...accounts.values()].filter(({ transactions }) => transactions.length > 0),
    descending,
  }
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

/** Columns by their headings, or else by the meaning that makes the balances add up. */
function columnsOf(
  lines: readonly StatementLine[],
  rows: readonly StatementRow[],
  entries: readonly StatementEntry[],
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
      const right = runningBalance(read, opening, 1).right
      if (right > most) {
        most = right
        best = columns
      }
    }
  }
  return best
}
