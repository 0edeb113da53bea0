/** Gives the rows of a statement their amounts and signs. */
import type { AmountCell } from './cells.ts'
import type { Column } from './columns.ts'
import type { StatementRow } from './entries.ts'
import type { Account, Transaction } from './model.ts'

/** Converts rows to transactions in chronological order. */
export function transactionsOf(
  rows: readonly StatementRow[],
  columns: readonly Column[],
  { opening, closing }: Pick<Account, 'opening' | 'closing'>,
  marked: boolean,
  dateOf: (row: StatementRow) => Date,
  ofCard = false,
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
  if (ofCard && !marked && areOwed(rows, transactions, opening, closing))
    for (const transaction of transactions) transaction.amount = -transaction.amount
  return transactions
}

/** Whether the amounts of a credit card are printed as what is owed: purchases without a sign, payments with a minus. */
function areOwed(
  rows: readonly StatementRow[],
  transactions: readonly Transaction[],
  opening: number | null,
  closing: number | null,
): boolean {
  const signs = new Set(rows.map(({ cells }) => cells.at(-1)!.sign))
  const addUp = opening === null || closing === null || opening + sumOf(transactions) === closing
  return addUp && (opening ?? closing ?? 1) > 0 && signs.has(0) && !signs.has(1)
}

const sumOf = (part: readonly Transaction[]) => part.reduce((sum, { amount }) => sum + amount, 0)

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
  const found = sumOf(transactions)
  // The balance of a credit card grows with each purchase.
  if (Math.abs(found) === Math.abs(movement) || sections.length > SETTLED_SECTIONS) return
  const turned = Array.from({ length: 2 ** sections.length }, (_, choice) =>
    sections.filter((_, index) => (choice >> index) & 1),
  ).filter(choice => found - 2 * sumOf(choice.flat()) === movement)
  if (turned.length !== 1) return
  for (const transaction of turned[0]!.flat()) transaction.amount = -transaction.amount
}

function sorted({ cells }: StatementRow, columns: readonly Column[]) {
  let printed: number | null = null
  const amounts: { role: 'debit' | 'credit' | 'amount'; cell: AmountCell }[] = []
  for (const cell of cells) {
    const column = columns.find(({ x, right }) => cell.x < right + 1 && cell.right > x - 1)
    if (!column) continue
    if (column.role === 'balance') printed = cell.sign < 0 ? -cell.cents : cell.cents
    else amounts.push({ role: column.role, cell })
  }
  // An empty column may be printed as 0.00.
  const filled = amounts.filter(({ cell }) => cell.cents > 0)
  return { amounts: filled.length > 0 ? filled : amounts, printed }
}
