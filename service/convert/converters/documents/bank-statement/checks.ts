/** Whether the numbers of a statement add up. */
import type { Account, Transaction } from './model.ts'

export interface Check {
  account: string
  name: string
  /** Hundredths, or a count. */
  expected: number
  found: number
  unit: 'money' | 'count'
  passed: boolean
  detail: string
}

/** @param descending whether transactions are listed newest first */
export function checksOf(account: Account, descending: boolean): Check[] {
  const growing = checksWith(account, descending, 1)
  if (growing.every(({ passed }) => passed)) return growing
  // The balance of a credit card is what is owed: it grows with each purchase.
  const owed = checksWith(account, descending, -1)
  return owed.every(({ passed }) => passed) ? owed : growing
}

function checksWith(account: Account, descending: boolean, direction: 1 | -1): Check[] {
  const { name, opening, closing } = account
  const transactions = descending ? account.transactions.toReversed() : account.transactions
  const checks: Check[] = []
  const movements = transactions.reduce((sum, { amount }) => sum + direction * amount, 0)
  const first = transactions.find(({ balance }) => balance !== null)
  const start =
    opening ?? (first === transactions[0] && first ? first.balance! - direction * first.amount : null)
  const end = closing ?? transactions.findLast(({ balance }) => balance !== null)?.balance ?? null
  if (start !== null && end !== null) {
    checks.push({
      account: name,
      name:
        direction > 0
          ? 'Opening balance + movements = closing balance'
          : 'Opening balance owed - movements = closing balance owed',
      expected: end,
      found: start + movements,
      unit: 'money',
      passed: start + movements === end,
      detail: '',
    })
  }
  const { compared, right, wrong } = runningBalance(transactions, start, direction)
  if (compared > 0) {
    checks.push({
      account: name,
      name: 'Running balance of every row',
      expected: compared,
      found: right,
      unit: 'count',
      passed: right === compared,
      detail: wrong.join('; '),
    })
  }
  return checks
}

/** How many printed balances there are, how many of them are those before plus the amounts, and places where they are not. */
export function runningBalance(
  transactions: readonly Transaction[],
  start: number | null,
  direction: 1 | -1,
) {
  let balance = start
  let [compared, right] = [0, 0]
  const wrong: string[] = []
  for (const { amount, balance: printed, page, description } of transactions) {
    if (balance !== null) balance += direction * amount
    if (printed === null) continue
    if (balance !== null) {
      compared += 1
      if (balance === printed) right += 1
      else if (wrong.length < 10) wrong.push(`page ${page}: ${description.slice(0, 40)}`)
    }
    balance = printed
  }
  return { compared, right, wrong }
}
