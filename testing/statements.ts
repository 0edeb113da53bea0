/** Bank statements in the layouts and locales of many banks, with their true content. */
import { createRequire } from 'node:module'
import { randomFrom } from './fixtures/random.ts'
import { makePdf } from './pdf.ts'

export interface TrueTransaction {
  date: string
  amount: number
  balance: number | null
}

export interface TrueStatement {
  path: string
  opening: number
  closing: number
  transactions: TrueTransaction[]
}

interface Layout {
  name: string
  /** Writes day, month and year. */
  date: (day: number, month: number, year: number) => string
  /** Empty if amounts are whole numbers. */
  decimal: '.' | ',' | ''
  group: string
  /** Headings of date, description, then of the columns in `columns`. */
  headings: string[]
  columns: ('debit' | 'credit' | 'amount' | 'balance')[]
  /** How the column `amount` marks outgoing amounts. */
  sign?: 'minus' | 'trailing' | 'parentheses' | 'marks' | 'soll' | 'none'
  currency?: string
  opening: string
  closing: string
  period?: (from: string, to: string) => string
  /** Newest first. */
  descending?: boolean
  /** Dates are printed only on the first transaction of a day. */
  sparseDates?: boolean
  /** Balances are printed only on the last transaction of a day. */
  sparseBalances?: boolean
  withoutHeader?: boolean
  secondDate?: boolean
  details?: boolean
  /** The balance is printed at the end of each page and again on the next. */
  carried?: boolean
  /** A font file, if the usual fonts lack the letters. */
  font?: string
}

const two = (value: number) => String(value).padStart(2, '0')
const SHORT = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const FRENCH = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
]
const require = createRequire(import.meta.url)
/** It has Japanese too. */
const chinese = require.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf')
const between = (from: string, to: string) => `Statement period ${from} to ${to}`

export const layouts: readonly Layout[] = [
  {
    name: 'British, paid out and in',
    date: (d, m, y) => `${two(d)} ${SHORT[m - 1]} ${y}`,
    decimal: '.',
    group: ',',
    headings: ['Date', 'Details', 'Paid out', 'Paid in', 'Balance'],
    columns: ['debit', 'credit', 'balance'],
    opening: 'Balance brought forward',
    closing: 'Balance carried forward',
    details: true,
  },
  {
    name: 'British, days without a year',
    date: (d, m) => `${d} ${SHORT[m - 1]}`,
    decimal: '.',
    group: ',',
    headings: ['Date', 'Description', 'Money out', 'Money in', 'Balance'],
    columns: ['debit', 'credit', 'balance'],
    opening: 'Opening balance',
    closing: 'Closing balance',
    period: between,
    sparseDates: true,
    currency: '£',
  },
  {
    name: 'American, signed amounts',
    date: (d, m) => `${two(m)}/${two(d)}`,
    decimal: '.',
    group: ',',
    headings: ['Date', 'Description', 'Amount', 'Balance'],
    columns: ['amount', 'balance'],
    sign: 'minus',
    opening: 'Beginning balance',
    closing: 'Ending balance',
    period: between,
    currency: '$',
  },
  {
    name: 'American, withdrawals and deposits',
    date: (d, m, y) => `${two(m)}/${two(d)}/${y}`,
    decimal: '.',
    group: ',',
    headings: ['Date', 'Transaction', 'Withdrawals', 'Deposits', 'Balance'],
    columns: ['debit', 'credit', 'balance'],
    opening: 'Previous balance',
    closing: 'New balance',
    sparseBalances: true,
  },
  {
    name: 'German, signs behind',
    date: (d, m, y) => `${two(d)}.${two(m)}.${y}`,
    decimal: ',',
    group: '.',
    headings: ['Buchungstag', 'Verwendungszweck', 'Betrag EUR'],
    columns: ['amount'],
    sign: 'trailing',
    opening: 'Alter Kontostand',
    closing: 'Neuer Kontostand',
    secondDate: true,
    details: true,
  },
  {
    name: 'German, Soll and Haben as letters',
    date: (d, m) => `${two(d)}.${two(m)}.`,
    decimal: ',',
    group: '.',
    headings: ['Datum', 'Buchungstext', 'Betrag'],
    columns: ['amount'],
    sign: 'soll',
    opening: 'Anfangssaldo',
    closing: 'Endsaldo',
    period: (from, to) => `Kontoauszug vom ${from} bis ${to}`,
  },
  {
    name: 'French, spaces between thousands',
    date: (d, m, y) => `${two(d)}/${two(m)}/${y}`,
    decimal: ',',
    group: ' ',
    headings: ['Date', 'Libellé', 'Débit', 'Crédit'],
    columns: ['debit', 'credit'],
    opening: 'Ancien solde',
    closing: 'Nouveau solde',
    details: true,
  },
  {
    name: 'French, months by name',
    date: (d, m) => `${d} ${FRENCH[m - 1]}`,
    decimal: ',',
    group: '.',
    headings: ['Date', 'Opération', 'Montant', 'Solde'],
    columns: ['amount', 'balance'],
    sign: 'minus',
    opening: 'Solde initial',
    closing: 'Solde final',
    period: (from, to) => `Du ${from} au ${to}`,
    currency: '€',
  },
  {
    name: 'Swiss, apostrophes',
    date: (d, m, y) => `${two(d)}.${two(m)}.${String(y).slice(2)}`,
    decimal: '.',
    group: '’',
    headings: ['Datum', 'Text', 'Belastung', 'Gutschrift', 'Saldo'],
    columns: ['debit', 'credit', 'balance'],
    opening: 'Anfangssaldo',
    closing: 'Endsaldo',
    secondDate: true,
  },
  {
    name: 'Indian, lakhs and marks',
    date: (d, m, y) => `${two(d)}-${SHORT[m - 1]}-${y}`,
    decimal: '.',
    group: 'lakh',
    headings: ['Date', 'Narration', 'Amount', 'Balance'],
    columns: ['amount', 'balance'],
    sign: 'marks',
    opening: 'Opening Balance',
    closing: 'Closing Balance',
  },
  {
    name: 'Spanish, newest first',
    date: (d, m, y) => `${two(d)}/${two(m)}/${y}`,
    decimal: ',',
    group: '.',
    headings: ['Fecha', 'Concepto', 'Importe', 'Saldo'],
    columns: ['amount', 'balance'],
    sign: 'minus',
    opening: 'Saldo anterior',
    closing: 'Saldo final',
    descending: true,
  },
  {
    name: 'ISO dates, parentheses',
    date: (d, m, y) => `${y}-${two(m)}-${two(d)}`,
    decimal: '.',
    group: ',',
    headings: ['Date', 'Memo', 'Amount', 'Balance'],
    columns: ['amount', 'balance'],
    sign: 'parentheses',
    opening: 'Opening balance',
    closing: 'Closing balance',
  },
  {
    name: 'no headings, unsigned amounts',
    date: (d, m, y) => `${two(d)} ${SHORT[m - 1]} ${y}`,
    decimal: '.',
    group: ',',
    headings: [],
    columns: ['amount', 'balance'],
    sign: 'none',
    opening: 'Opening balance',
    closing: 'Closing balance',
    withoutHeader: true,
  },
  {
    name: 'no headings, three columns',
    date: (d, m, y) => `${two(d)}/${two(m)}/${y}`,
    decimal: '.',
    group: ',',
    headings: [],
    columns: ['debit', 'credit', 'balance'],
    opening: 'Balance brought forward',
    closing: 'Closing balance',
    withoutHeader: true,
  },
  {
    name: 'yen in English, balances carried over pages',
    date: (d, m, y) => `${y}/${two(m)}/${two(d)}`,
    decimal: '',
    group: ',',
    headings: ['Date', 'Description', 'Withdrawals', 'Deposits', 'Balance'],
    columns: ['debit', 'credit', 'balance'],
    opening: 'Balance brought forward',
    closing: 'Balance carried forward',
    currency: '¥',
    carried: true,
  },
  {
    name: 'Japanese',
    date: (d, m) => `${m}月${d}日`,
    decimal: '',
    group: ',',
    headings: ['日付', '摘要', 'お支払金額', 'お預り金額', '残高'],
    columns: ['debit', 'credit', 'balance'],
    opening: '繰越残高',
    closing: '期末残高',
    period: (from, to) => {
      const japanese = (date: string) => date.replace(/(\d+)\D(\d+)\D(\d+)/, '$3年$2月$1日')
      return `期間 ${japanese(from)} ～ ${japanese(to)}`
    },
    font: chinese,
  },
  {
    name: 'Chinese',
    date: (d, m, y) => `${y}年${m}月${d}日`,
    decimal: '.',
    group: ',',
    headings: ['日期', '摘要', '支出', '存入', '余额'],
    columns: ['debit', 'credit', 'balance'],
    opening: '期初余额',
    closing: '期末余额',
    font: chinese,
    carried: true,
  },
  {
    name: 'won, signed amounts',
    date: (d, m) => `${two(m)}-${two(d)}`,
    decimal: '',
    group: ',',
    headings: ['Date', 'Description', 'Amount (KRW)', 'Balance'],
    columns: ['amount', 'balance'],
    sign: 'minus',
    opening: 'Opening balance',
    closing: 'Closing balance',
    period: (from, to) => {
      const iso = (date: string) => date.replace(/(\d+)\D(\d+)\D(\d+)/, '$3-$2-$1')
      return `Period ${iso(from)} to ${iso(to)}`
    },
  },
  {
    name: 'Canadian, balances carried over pages',
    date: (d, m) => `${SHORT[m - 1]} ${d}`,
    decimal: '.',
    group: ',',
    headings: ['Date', 'Description', 'Withdrawals ($)', 'Deposits ($)', 'Balance ($)'],
    columns: ['debit', 'credit', 'balance'],
    opening: 'Opening balance',
    closing: 'Closing balance',
    period: between,
    carried: true,
    sparseBalances: true,
  },
]

function printed(cents: number, { decimal, group, currency = '' }: Layout): string {
  const digits = String(Math.floor(Math.abs(cents) / 100))
  const whole =
    group === 'lakh'
      ? digits.replace(/\B(?=(\d{2})*\d{3}$)/g, ',')
      : digits.replace(/\B(?=(\d{3})+$)/g, group)
  const text = decimal ? `${whole}${decimal}${two(Math.abs(cents) % 100)}` : whole
  return currency === '€' ? `${text} €` : `${currency}${text}`
}

function signed(cents: number, layout: Layout): string {
  const text = printed(cents, layout)
  if (layout.sign === 'marks') return `${text} ${cents < 0 ? 'DR' : 'CR'}`
  if (layout.sign === 'soll') return `${text} ${cents < 0 ? 'S' : 'H'}`
  if (cents >= 0) return layout.sign === 'trailing' ? `${text}+` : text
  if (layout.sign === 'trailing') return `${text}-`
  return layout.sign === 'parentheses' ? `(${text})` : layout.sign === 'none' ? text : `-${text}`
}

const balanced = (cents: number, layout: Layout) =>
  layout.sign === 'marks' || layout.sign === 'soll'
    ? signed(cents, layout)
    : cents < 0
      ? `-${printed(cents, layout)}`
      : printed(cents, layout)

const PAYEES = [
  'Corner Bakery',
  'City Council',
  'Salary Northern Mills',
  'Rail Tickets 24',
  'Rent Elm Street 7',
  'Water Works',
  'Card 4711 Bookshop',
  'Transfer A. Meyer',
  'Pharmacy No 3',
  'Insurance 2nd rate',
]

/** Transactions of a CSV file whose fields have no line breaks. */
export const rowsOf = (csv: string) =>
  csv
    .replace('\ufeff', '')
    .trimEnd()
    .split(/\r?\n/)
    .slice(1)
    .map(line => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(match => match[1]!))
    .map(([date, description, amount, balance = '', page, account]) => ({
      date,
      description,
      amount: Math.round(Number(amount) * 100),
      balance: balance === '' ? null : Math.round(Number(balance) * 100),
      page,
      account,
    }))

/** Writes a statement in this layout. */
export async function makeStatement(
  path: string,
  layout: Layout,
  seed: number,
  length?: number,
): Promise<TrueStatement> {
  const random = randomFrom(seed)
  const pick = (limit: number) => Math.floor(random() * limit)
  const [firstMonth, year] = [11, 2023 + (seed % 2)]
  const transactions: (TrueTransaction & { day: number; month: number; year: number; payee: string })[] = []
  // Whole amounts are multiples of 100 hundredths.
  const unit = layout.decimal ? 1 : 100
  const opening = (120_000 + pick(900_000)) * unit
  let balance = opening
  let [day, month, own] = [1, firstMonth, year]
  const count = length ?? 30 + pick(30)
  for (let index = 0; index < count; index++) {
    day += pick(3)
    if (day > 28) {
      ;[day, month] = [1 + pick(3), month + 1]
      if (month > 12) [month, own] = [1, own + 1]
    }
    const size = random() < 0.15 ? 12_000_000 : 90_000
    const amount =
      unit *
      (random() < 0.35 ? 1 : -1) *
      (1 + pick(Math.max(2, random() < 0.35 ? size : Math.min(size, 60_000))))
    balance += amount
    transactions.push({
      day,
      month,
      year: own,
      payee: PAYEES[pick(PAYEES.length)]!,
      date: `${own}-${two(month)}-${two(day)}`,
      amount,
      balance,
    })
  }
  const closing = balance
  const shown = layout.descending ? transactions.toReversed() : transactions
  const sameDay = (index: number, other: number) => shown[index]?.date === shown[other]?.date
  for (const [index, each] of shown.entries()) {
    if (!layout.columns.includes('balance') || (layout.sparseBalances && sameDay(index, index + 1)))
      each.balance = null
  }
  const rights = layout.columns.map((_, index) => 550 - (layout.columns.length - 1 - index) * 85)
  await makePdf(
    path,
    pdf => {
      let y = 40
      let page = 0
      const put = (text: string, x: number, right?: number) => {
        pdf.text(text, right === undefined ? x : right - pdf.widthOfString(text), y, { lineBreak: false })
      }
      const startPage = () => {
        if (page > 0) pdf.addPage()
        page += 1
        pdf.font(layout.font ?? 'Helvetica', 9)
        y = 40
        put('The Example Bank', 45)
        put(`Page ${page}`, 0, 550)
        y = 70
        if (page === 1) {
          const [first, last] = [transactions[0]!, transactions.at(-1)!]
          if (layout.period) {
            const full = (d: number, m: number, at: number) =>
              `${two(d)}${layout.decimal === ',' && !layout.currency ? '.' : '/'}${two(m)}${layout.decimal === ',' && !layout.currency ? '.' : '/'}${at}`
            const american = layout.name.startsWith('American')
            put(
              layout.period(
                american ? full(first.month, 1, first.year) : full(1, first.month, first.year),
                american ? full(last.month, 28, last.year) : full(28, last.month, last.year),
              ),
              45,
            )
          }
          y += 20
        }
        if (!layout.withoutHeader) {
          pdf.font(layout.font ?? 'Helvetica-Bold', 9)
          put(layout.headings[0]!, 45)
          put(layout.headings[1]!, 130)
          for (const [index, right] of rights.entries()) put(layout.headings[2 + index]!, 0, right)
          pdf.font(layout.font ?? 'Helvetica', 9)
          y += 18
        }
      }
      startPage()
      const runningAfter = (index: number) =>
        shown.slice(0, index + 1).reduce((sum, { amount }) => sum + amount, opening)
      const balanceLine = (label: string, cents: number) => {
        put(label, 130)
        put(balanced(cents, layout), 0, rights.at(-1)!)
        y += 16
      }
      balanceLine(layout.descending ? layout.closing : layout.opening, layout.descending ? closing : opening)
      for (const [index, each] of shown.entries()) {
        if (y > 740) {
          const carried = layout.carried ? runningAfter(index - 1) : undefined
          if (carried !== undefined) balanceLine('Balance carried forward', carried)
          startPage()
          if (carried !== undefined) balanceLine('Balance brought forward', carried)
        }
        const date = layout.date(each.day, each.month, each.year)
        if (!(layout.sparseDates && sameDay(index, index - 1) && y > 110)) put(date, 45)
        if (layout.secondDate) put(date, 95)
        put(each.payee, layout.secondDate ? 145 : 130)
        for (const [column, role] of layout.columns.entries()) {
          const right = rights[column]!
          if (role === 'balance') {
            if (each.balance !== null) put(balanced(each.balance, layout), 0, right)
          } else if (role === 'amount') put(signed(each.amount, layout), 0, right)
          else if (role === 'debit' ? each.amount < 0 : each.amount > 0)
            put(printed(each.amount, layout), 0, right)
        }
        y += 11
        if (layout.details && index % 3 === 0) {
          put(`Reference ${1000 + index} of the order`, layout.secondDate ? 145 : 130)
          y += 11
        }
        y += 3
      }
      balanceLine(layout.descending ? layout.opening : layout.closing, layout.descending ? opening : closing)
    },
    { size: [595, 842], margin: 0 },
  )
  return {
    path,
    opening,
    closing,
    transactions: shown.map(({ date, amount, balance: left }) => ({ date, amount, balance: left })),
  }
}
