/** Writes a statement as a workbook or as comma-separated values. */
import { writeCsv } from '../../../engines/data/csv.ts'
import { Numeral } from '../../../engines/data/values.ts'
import { type Cell, type Sheet, writeSpreadsheet } from '../../../engines/data/workbook/spreadsheet.ts'
import { checksOf } from './checks.ts'
import type { Account, Statement } from './model.ts'

type Column<Item> = [head: string, width: number, cell: (item: Item) => Cell | null]

/** A sheet with a row for each item. */
const sheet = <Item>(name: string, columns: Column<Item>[], items: readonly Item[]): Sheet => ({
  name,
  hasHead: true,
  widths: columns.map(([, width]) => width),
  rows: [
    columns.map(([value]) => ({ value, isBold: true })),
    ...items.map(item => columns.map(([, , cell]) => cell(item))),
  ],
})

const text = (value: string): Cell | null => (value === '' ? null : { value })
const date = (value: Date | number): Cell => ({ value: new Date(value), format: 'yyyy-mm-dd' })
const count = (value: number): Cell => ({ value })
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

const transactionsOf = ({ accounts }: Statement) =>
  accounts.flatMap(({ name, transactions }) => transactions.map(each => ({ ...each, account: name })))

/** @param decimals number of decimals of its amounts: two, or none */
export function workbookOf(statement: Statement, decimals: number): Uint8Array {
  const { accounts, descending } = statement
  // Formats hundredths with as many decimals as the statement has.
  const money = (cents: number | null): Cell | null =>
    cents === null ? null : { value: cents / 100, format: decimals ? '#,##0.00' : '#,##0' }
  const timesOf = ({ transactions }: Account) => transactions.map(each => each.date.getTime())
  const amountsOf = ({ transactions }: Account) => transactions.map(({ amount }) => amount)
  const checks = accounts
    .flatMap(account => checksOf(account, descending))
    .map(check => ({ ...check, value: check.unit === 'money' ? money : count }))
  const transactions: Column<ReturnType<typeof transactionsOf>[number]>[] = [
    ['Date', 12, each => date(each.date)],
    ['Description', 60, ({ description }) => text(description)],
    ['Amount', 14, ({ amount }) => money(amount)],
    ['Balance', 14, ({ balance }) => money(balance)],
    ['Page', 7, ({ page }) => count(page)],
  ]
  if (accounts.length > 1) transactions.push(['Account', 26, ({ account }) => text(account)])
  return writeSpreadsheet([
    sheet('Transactions', transactions, transactionsOf(statement)),
    sheet(
      'Checks',
      [
        ['Account', 26, ({ account }) => text(account)],
        ['Check', 46, ({ name }) => text(name)],
        ['Expected', 14, ({ value, expected }) => value(expected)],
        ['Found', 14, ({ value, found }) => value(found)],
        ['Difference', 14, ({ value, found, expected }) => value(found - expected)],
        ['Result', 9, ({ passed }) => text(passed ? 'pass' : 'fail')],
        ['Where', 60, ({ detail }) => text(detail)],
      ],
      checks,
    ),
    sheet(
      'Summary',
      [
        ['Account', 26, ({ name }) => text(name)],
        ['From', 16, account => date(Math.min(...timesOf(account)))],
        ['To', 16, account => date(Math.max(...timesOf(account)))],
        ['Transactions', 16, ({ transactions: own }) => count(own.length)],
        ['Money in', 16, account => money(sum(amountsOf(account).filter(amount => amount > 0)))],
        ['Money out', 16, account => money(sum(amountsOf(account).filter(amount => amount < 0)))],
        ['Net', 16, account => money(sum(amountsOf(account)))],
        ['Opening balance', 16, ({ opening }) => money(opening)],
        ['Closing balance', 16, ({ closing }) => money(closing)],
      ],
      accounts,
    ),
  ])
}

/** The transactions only, as UTF-8 with the byte order mark that spreadsheets expect. */
export function csvOf(statement: Statement, decimals: number): string {
  const number = (cents: number | null) =>
    cents === null ? null : new Numeral((cents / 100).toFixed(decimals))
  const rows = transactionsOf(statement).map(({ date: day, description, amount, balance, page, account }) => [
    day.toISOString().slice(0, 10),
    description,
    number(amount),
    number(balance),
    page,
    account,
  ])
  const head = ['Date', 'Description', 'Amount', 'Balance', 'Page', 'Account']
  return `\ufeff${writeCsv({ name: '', rows: [head, ...rows] }, ',')}`
}
