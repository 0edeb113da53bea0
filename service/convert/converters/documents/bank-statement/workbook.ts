/** Writes a statement as a workbook or as comma-separated values. */
import writeXlsxFile, { type Cell, type Row, type SheetData } from 'write-excel-file/node'
import { checksOf } from './checks.ts'
import type { Account, Statement } from './model.ts'

const DATE = 'yyyy-mm-dd'

const head = (...names: string[]): Row => names.map(value => ({ value, fontWeight: 'bold' as const }))
/** Formats hundredths with as many decimals as the statement has. */
const moneyOf =
  (decimals: number) =>
  (cents: number | null): Cell =>
    cents === null ? null : { value: cents / 100, type: Number, format: decimals ? '#,##0.00' : '#,##0' }
const text = (value: string): Cell => (value === '' ? null : { value, type: String })
const date = (value: Date): Cell => ({ value, type: Date, format: DATE })
const count = (value: number): Cell => ({ value, type: Number })

/** @param decimals number of decimals of its amounts: two, or none */
export async function workbookOf({ accounts, descending }: Statement, decimals: number): Promise<Uint8Array> {
  const money = moneyOf(decimals)
  const several = accounts.length > 1
  const transactions: SheetData = [
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
  const checks: SheetData = [head('Account', 'Check', 'Expected', 'Found', 'Difference', 'Result', 'Where')]
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
  const summary: SheetData = [
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
  const file = writeXlsxFile([
    {
      data: transactions,
      sheet: 'Transactions',
      stickyRowsCount: 1,
      columns: [{ width: 12 }, { width: 60 }, { width: 14 }, { width: 14 }, { width: 7 }, { width: 26 }],
    },
    {
      data: checks,
      sheet: 'Checks',
      stickyRowsCount: 1,
      columns: [
        { width: 26 },
        { width: 46 },
        { width: 14 },
        { width: 14 },
        { width: 14 },
        { width: 9 },
        { width: 60 },
      ],
    },
    {
      data: summary,
      sheet: 'Summary',
      stickyRowsCount: 1,
      columns: [{ width: 26 }, ...Array.from({ length: 8 }, () => ({ width: 16 }))],
    },
  ])
  return new Uint8Array(await file.toBuffer())
}

function summaryRow(
  { name, opening, closing, transactions }: Account,
  money: (cents: number | null) => Cell,
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

/** The transactions only, as UTF-8 with the byte order mark that spreadsheets expect; RFC 4180. */
export function csvOf({ accounts }: Statement, decimals: number): string {
  const quoted = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
  // A description that starts like a formula must not become one.
  const safe = (value: string) => quoted(/^[=+\-@\t]/.test(value) ? `'${value}` : value)
  const number = (cents: number | null) => (cents === null ? '' : (cents / 100).toFixed(decimals))
  const lines = accounts.flatMap(({ name, transactions }) =>
    transactions.map(each =>
      [
        each.date.toISOString().slice(0, 10),
        safe(each.description),
        number(each.amount),
        number(each.balance),
        String(each.page),
        safe(name),
      ].join(','),
    ),
  )
  return `\ufeff${['Date,Description,Amount,Balance,Page,Account', ...lines].join('\r\n')}\r\n`
}
