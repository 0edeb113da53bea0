/** Writes a statement as a workbook or as comma-separated values. */
import { writeCsv } from '../../../engines/data/csv.ts'
import { Numeral } from '../../../engines/data/values.ts'
import { type Cell, writeSpreadsheet } from '../../../engines/data/workbook/spreadsheet.ts'
import { checksOf } from './checks.ts'
import type { Account, Statement } from './model.ts'

type Row = (Cell | null)[]

const DATE = 'yyyy-mm-dd'

const head = (...names: string[]): Row => names.map(value => ({ value, isBold: true }))
/** Formats hundredths with as many decimals as the statement has. */
const moneyOf =
  (decimals: number) =>
  (cents: number | null): Cell | null =>
    cents === null ? null : { value: cents / 100, format: decimals ? '#,##0.00' : '#,##0' }
const text = (value: string): Cell | null => (value === '' ? null : { value })
const date = (value: Date): Cell => ({ value, format: DATE })
const count = (value: number): Cell => ({ value })

/** @param decimals number of decimals of its amounts: two, or none */
export function workbookOf({ accounts, descending }: Statement, decimals: number): Uint8Array {
  const money = moneyOf(decimals)
  const several = accounts.length > 1
  const transactions: Row[] = [
    head('Date', 'Description', 'Amount', 'Balance', 'Page', ...(several ? ['Account'] : [])),
  ]
  for (const account of accounts)
    for (const each of account.transactions)
      transactions.push([
        date(each.date),
        text(each.description),
        money(each.amount),
        money(each.balance),
        count(each.page),
        ...(several ? [text(account.name)] : []),
      ])
  const checks: Row[] = [head('Account', 'Check', 'Expected', 'Found', 'Difference', 'Result', 'Where')]
  for (const account of accounts)
    for (const { account: name, name: check, expected, found, unit, passed, detail } of checksOf(
      account,
      descending,
    )) {
      const value = unit === 'money' ? money : count
      checks.push([
        text(name),
        text(check),
        value(expected),
        value(found),
        value(found - expected),
        text(passed ? 'pass' : 'fail'),
        text(detail),
      ])
    }
  const summary: Row[] = [
    head(
      'Account',
      'From',
      'To',
      'Transactions',
      'Money in',
      'Money out',
      'Net',
      'Opening balance',
      'Closing balance',
    ),
    ...accounts.map(account => summaryRow(account, money)),
  ]
  return writeSpreadsheet([
    {
      rows: transactions,
      name: 'Transactions',
      hasHead: true,
      widths: [12, 60, 14, 14, 7, 26],
    },
    {
      rows: checks,
      name: 'Checks',
      hasHead: true,
      widths: [26, 46, 14, 14, 14, 9, 60],
    },
    {
      rows: summary,
      name: 'Summary',
      hasHead: true,
      widths: [26, ...Array<number>(8).fill(16)],
    },
  ])
}

function summaryRow(
  { name, opening, closing, transactions }: Account,
  money: (cents: number | null) => Cell | null,
): Row {
  const times = transactions.map(each => each.date.getTime())
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const amounts = transactions.map(({ amount }) => amount)
  return [
    text(name),
    date(new Date(Math.min(...times))),
    date(new Date(Math.max(...times))),
    count(transactions.length),
    money(sum(amounts.filter(amount => amount > 0))),
    money(sum(amounts.filter(amount => amount < 0))),
    money(sum(amounts)),
    money(opening),
    money(closing),
  ]
}

/** The transactions only, as UTF-8 with the byte order mark that spreadsheets expect. */
export function csvOf({ accounts }: Statement, decimals: number): string {
  const number = (cents: number | null) =>
    cents === null ? null : new Numeral((cents / 100).toFixed(decimals))
  const rows = accounts.flatMap(({ name, transactions }) =>
    transactions.map(({ date, description, amount, balance, page }) => [
      date.toISOString().slice(0, 10),
      description,
      number(amount),
      number(balance),
      page,
      name,
    ]),
  )
  const head = ['Date', 'Description', 'Amount', 'Balance', 'Page', 'Account']
  return `\ufeff${writeCsv({ name: '', rows: [head, ...rows] }, ',')}`
}
