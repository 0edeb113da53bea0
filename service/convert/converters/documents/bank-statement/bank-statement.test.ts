import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, isFull, kinds } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'
import { savedByLibreOffice, UTF8_TEXT } from '../../../../../testing/libreoffice.ts'
import { makePdf } from '../../../../../testing/pdf.ts'
import { rowsOf as csvRows, layouts, makeStatement } from '../../../../../testing/statements.ts'
import { dateAt } from './dates.ts'
import { namesDate, roleOf } from './words.ts'

const files = testFiles('statements')
const JOB = 'document.bank-statement-to-excel'
const SEEDS = kinds([1, 2, 3, 4], seed => seed === 1)

const rowsOf = (path: string) => csvRows(readFileSync(path, 'utf8'))

describe.each(few(4, layouts))('$name', layout => {
  test.each(SEEDS)('every date, amount and sign is right, and the checks pass (%i)', async seed => {
    const truth = await makeStatement(files.path(`${layout.name} ${seed}.pdf`), layout, seed)
    const { path, warnings } = await convertFile(JOB, truth.path, { format: 'csv' })
    const rows = rowsOf(path)
    expect(rows.map(({ date, amount, balance }) => ({ date, amount, balance }))).toEqual(truth.transactions)
    expect(warnings).toEqual([])
    if (layout.details) expect(rows[0]!.description).toMatch(/Reference 1000 of the order$/)
  })
})

test('the workbook has real dates and numbers on three sheets', async () => {
  const truth = await makeStatement(files.path('workbook.pdf'), layouts[0]!, 7)
  const { path } = await convertFile(JOB, truth.path)
  const xml = (number: number) => tool('unzip', '-p', path, `xl/worksheets/sheet${number}.xml`)
  expect(tool('unzip', '-p', path, 'xl/workbook.xml').match(/<sheet [^>]*name="(\w+)"/g)).toHaveLength(3)
  const [first] = truth.transactions
  // The serial number counts days since 30 December 1899.
  const serial = Date.parse(`${first!.date}T00:00:00Z`) / 86_400_000 + 25_569
  expect(xml(1)).toContain(`<v>${serial}</v>`)
  expect(xml(1)).toContain(`<v>${first!.amount / 100}</v>`)
  const checks = xml(2)
  expect(checks).toContain(`<v>${truth.closing / 100}</v>`)
  const strings = tool('unzip', '-p', path, 'xl/sharedStrings.xml')
  expect(strings).toContain('>pass<')
  expect(strings).not.toContain('>fail<')
  for (const number of [1, 2, 3])
    tool('sh', '-c', `unzip -p "$0" xl/worksheets/sheet${number}.xml | xmllint --noout -`, path)
  expect(xml(3)).toContain(`<v>${truth.transactions.length}</v>`)
})

testFull('LibreOffice reads every date and amount of a statement that was converted to Word', async () => {
  const truth = await makeStatement(files.path('reopened.pdf'), layouts[0]!, 8)
  const shown = (cents: number) =>
    (cents / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(String)

  const { path } = await convertFile('document.pdf-to-docx', truth.path)
  const [opened = ''] = savedByLibreOffice(UTF8_TEXT, [path])
  const text = readFileSync(opened, 'utf8')
  const days = truth.transactions.map(({ date }) =>
    new Date(date).toLocaleDateString('en-GB', { day: '2-digit', month: 'short', year: 'numeric' }),
  )
  expect(matches(text, /\d\d \w{3} \d{4}/g)).toEqual(expect.arrayContaining(days))
  const found = matches(text, /-?[\d,]+\.\d\d/g)
  for (const { amount, balance } of truth.transactions) {
    for (const sum of [shown(Math.abs(amount)), shown(balance!)]) {
      expect(found).toContain(sum)
      found.splice(found.indexOf(sum), 1)
    }
  }
})

/** A statement with one line per row: a date, a description, an amount and a balance. */
const listed = (name: string, rows: readonly (readonly string[])[]) =>
  makePdf(files.path(name), pdf => {
    pdf.font('Helvetica', 10)
    for (const [index, row] of rows.entries()) {
      const y = 60 + index * 16
      for (const [column, text] of row.entries()) {
        const x = [50, 130, 480, 560][column]!
        pdf.text(text, column < 2 ? x : x - pdf.widthOfString(text), y, { lineBreak: false })
      }
    }
  })

test('signs that two choices would settle stay as they are printed, with a warning', async () => {
  const path = await listed('twofold.pdf', [
    ['Statement period 03/01/2024 to 03/31/2024', ''],
    ['', 'Beginning balance', '', '$1,000.00'],
    ['Zahlungsausgänge der Firma', ''],
    ['03/04', 'Landlord', '$500.00'],
    ['Bewegungen der Firma', ''],
    ['03/05', 'Payroll', '$500.00'],
    ['', 'Ending balance', '', '$1,000.00'],
  ])
  const { path: csv, warnings } = await convertFile(JOB, path, { format: 'csv' })
  expect(rowsOf(csv).map(({ amount }) => amount)).toEqual([50_000, 50_000])
  expect(warnings).toEqual([expect.stringContaining('of the statement failed')])
})

test('a statement that does not add up is converted, and the workbook shows where', async () => {
  const path = await listed('wrong.pdf', [
    ['Date', 'Description', 'Amount', 'Balance'],
    ['', 'Opening balance', '', '100.00'],
    ['01/02/2024', 'Shop', '-20.00', '80.00'],
    ['02/02/2024', 'Misprinted', '-10.00', '75.00'],
    ['13/02/2024', 'Wages', '50.00', '125.00'],
    ['', 'Closing balance', '', '125.00'],
  ])
  const { path: workbook, warnings } = await convertFile(JOB, path)
  expect(warnings).toEqual(['2 checks of the statement failed. The sheet "Checks" says where.'])
  const strings = tool('unzip', '-p', workbook, 'xl/sharedStrings.xml')
  expect(strings).toContain('fail')
  expect(strings).toContain('page 1: Misprinted')
})

test('several accounts in one file are kept apart', async () => {
  const path = await listed('several.pdf', [
    ['Account number 1234 5678', ''],
    ['Date', 'Description', 'Amount', 'Balance'],
    ['', 'Opening balance', '', '10.00'],
    ['01/02/2024', 'First', '5.00', '15.00'],
    ['', 'Closing balance', '', '15.00'],
    ['Account number 8765 4321', ''],
    ['Date', 'Description', 'Amount', 'Balance'],
    ['', 'Opening balance', '', '1,000.00'],
    ['13/02/2024', '=cmd|second', '-300.00', '700.00'],
    ['', 'Closing balance', '', '700.00'],
  ])
  const { path: csv, warnings } = await convertFile(JOB, path, { format: 'csv' })
  expect(warnings).toEqual([])
  expect(rowsOf(csv)).toMatchObject([
    { date: '2024-02-01', amount: 500, account: '1234 5678' },
    // Text that looks like a formula stays text.
    { date: '2024-02-13', amount: -30_000, account: '8765 4321', description: "'=cmd|second" },
  ])
})

test('sections in different currencies are separate accounts', async () => {
  const section = (currency: string, opening: string, amount: string, closing: string) => [
    [`Currency: ${currency}`, ''],
    ['Date', 'Description', 'Amount', 'Balance'],
    ['', 'Opening balance', '', opening],
    ['13/02/2024', `Exchange into ${currency}`, amount, closing],
    ['', 'Closing balance', '', closing],
  ]
  const path = await listed('currencies.pdf', [
    ['Account number 1234 5678', ''],
    ...section('CHF', "1'000.00", "-1'234.50", '-234.50'),
    ...section('EUR', '10.00', '5.00', '15.00'),
  ])
  const { path: csv, warnings } = await convertFile(JOB, path, { format: 'csv' })
  expect(warnings).toEqual([])
  expect(rowsOf(csv)).toMatchObject([
    { amount: -123_450, balance: -23_450, account: '1234 5678 CHF' },
    { amount: 500, balance: 1500, account: '1234 5678 EUR' },
  ])
})

test('sums in yen are written without decimals', async () => {
  const yen = layouts.find(({ name }) => name.startsWith('yen'))
  const { path } = await convertFile(JOB, (await makeStatement(files.path('yen.pdf'), yen!, 5)).path)
  expect(tool('unzip', '-p', path, 'xl/styles.xml')).not.toContain('0.00')
})

/** A statement whose amounts say only by the heading above them what they are. */
const sectioned = (outgoing: string) =>
  listed(`${outgoing.replace(/\W+/g, ' ')}.pdf`, [
    ['Statement period 03/01/2024 to 03/31/2024', ''],
    ['', 'Beginning balance', '', '$1,000.00'],
    ['DEPOSITS AND OTHER CREDITS', ''],
    ['03/04', 'Payroll', '$2,500.00'],
    ['03/18', 'Interest', '$1.25'],
    [outgoing, ''],
    ['03/05', 'Landlord', '$1,200.00'],
    ['03/20', 'Grocery', '$85.40'],
    ['', 'Ending balance', '', '$2,215.85'],
  ])

test.each([
  'ELECTRONIC WITHDRAWALS',
  'ATM & DEBIT CARD WITHDRAWALS',
  'Other Subtractions',
  'Card Transactions',
  'Electronic Payments',
  // No list names it: opening and closing balance settle its sign.
  'Zahlungsausgänge der Firma',
])('what is under "%s" is outgoing', async outgoing => {
  const { path, warnings } = await convertFile(JOB, await sectioned(outgoing), { format: 'csv' })
  expect(rowsOf(path).map(({ date, amount }) => [date, amount])).toEqual([
    ['2024-03-04', 250_000],
    ['2024-03-18', 125],
    ['2024-03-05', -120_000],
    ['2024-03-20', -8540],
  ])
  expect(warnings).toEqual([])
})

test('streets and companies are not dates', async () => {
  const path = await listed('streets.pdf', [
    ['Date', 'Description', 'Amount', 'Balance'],
    ['', 'Opening balance', '', '100.00'],
    ['01/12/1999', 'Shop', '-20.00', '80.00'],
    ['', '12 Market Street', '-5.00', '75.00'],
    ['31/12/99', '24 Octopus Energy', '-10.00', '65.00'],
    ['', 'Closing balance', '', '65.00'],
  ])
  const { path: csv, warnings } = await convertFile(JOB, path, { format: 'csv' })
  expect(rowsOf(csv).map(({ date, description }) => [date, description])).toEqual([
    ['1999-12-01', 'Shop'],
    ['1999-12-01', '12 Market Street'],
    ['1999-12-31', '24 Octopus Energy'],
  ])
  expect(warnings).toEqual([])
})

test.each(['30 February 2024', '31/04/2024', '29.02.2023', '12 Market Street', '24 Octopus Energy'])(
  '%s is no date',
  text => expect(dateAt(text, 'day-first')).toBeNull(),
)

test('dates stand above their transactions', async () => {
  const path = await listed('days.pdf', [
    ['', 'Opening balance', '', '100.00'],
    ['Monday, 4 March 2024'],
    ['', 'Bakery', '-20.00', '80.00'],
    ['', 'Wages', '50.00', '130.00'],
    ['Tuesday, 5 March 2024'],
    ['', 'Train', '-30.00', '100.00'],
    ['', 'Closing balance', '', '100.00'],
  ])
  const { path: csv, warnings } = await convertFile(JOB, path, { format: 'csv' })
  expect(rowsOf(csv).map(({ date, description, amount }) => [date, description, amount])).toEqual([
    ['2024-03-04', 'Bakery', -2000],
    ['2024-03-04', 'Wages', 5000],
    ['2024-03-05', 'Train', -3000],
  ])
  expect(warnings).toEqual([])
})

test('the balance of a credit card grows with each purchase', async () => {
  const path = await listed('card.pdf', [
    ['Date', 'Description', 'Amount'],
    ['', 'Previous balance', '', '500.00'],
    ['13/03/2024', 'Payment, thank you', '200.00 CR'],
    ['14/03/2024', 'Bookshop', '120.50'],
    ['', 'New balance', '', '420.50'],
  ])
  const { path: csv, warnings } = await convertFile(JOB, path, { format: 'csv' })
  expect(rowsOf(csv).map(({ amount }) => amount)).toEqual([20_000, -12_050])
  expect(warnings).toEqual([])
})

/** Amounts in columns, as banks of several countries print them, and their values. */
const printed: [country: string, columns: number, sums: number, cells: string[], amounts: number[]][] = [
  [
    'Germany, with days without a year and marks behind the amounts',
    4,
    1,
    `Buchungstag|Wert|Verwendungszweck|Betrag EUR|||Alter Kontostand vom 28.02.2025|1.234,56 H|03.03.|03.03.|SEPA Miete|850,00 S
    |05.03.|05.03.|Gehalt Firma|2.500,00 H|17.03.|18.03.|Kartenzahlung REWE|64,37 S|||Neuer Kontostand vom 31.03.2025|2.820,19 H`.split(
      /\s*\|/,
    ),
    [-85_000, 250_000, -6437],
  ],
  [
    'France, with balances on days',
    4,
    2,
    `Date|Libellé|Débit|Crédit||Solde au 31/12/2024||3 210,45|02/01/2025|PRLV EDF|89,90||06/01/2025|VIR SALAIRE||1 950,00
    |15/01/2025|CB CARREFOUR|123,45|||Solde au 31/01/2025||4 947,10`.split(/\s*\|/),
    [-8990, 195_000, -12_345],
  ],
  [
    'Switzerland',
    5,
    3,
    `Datum|Text|Belastung|Gutschrift|Saldo|01.05.25|Saldovortrag|||12’345.60|02.05.25|Dauerauftrag|1’650.00||10’695.60
    |23.05.25|Lohn||6’200.00|16’895.60|31.05.25|Schlusssaldo|||16’895.60`.split(/\s*\|/),
    [-165_000, 620_000],
  ],
  [
    'Japan, with a single amount in a column',
    5,
    3,
    `日付|摘要|お支払金額|お預り金額|差引残高||繰越残高|||523,400|2025年4月3日|デンキ|8,214||515,186|2025年4月25日|給与||285,000|800,186
    |2025年4月28日|家賃|72,000||728,186`.split(/\s*\|/),
    [-821_400, 28_500_000, -7_200_000],
  ],
  [
    'India, with lakhs',
    5,
    3,
    `Txn Date|Particulars|Withdrawal|Deposit|Balance||Opening Balance|||1,05,250.00|02-04-2025|UPI/512345/SHOP|450.00||1,04,800.00
    |07-04-2025|NEFT SALARY||12,50,000.00|13,54,800.00||Closing Balance|||13,54,800.00`.split(/\s*\|/),
    [-45_000, 125_000_000],
  ],
]

test.each(printed)('%s', async (_, columns, sums, cells, amounts) => {
  const align = Array.from({ length: columns }, (_, column) => (column < columns - sums ? 'left' : 'right'))
  const source = `#set page(width: 595pt, height: 842pt, margin: 45pt)
#set text(size: 9pt, font: ("Libertinus Serif", "Noto Sans SC"))
#table(columns: ${columns}, column-gutter: 14pt, stroke: none, align: (${align.join(', ')}), ${cells
    .map(cell => `text(${JSON.stringify(cell)})`)
    .join(', ')})`
  const { path, warnings } = await convertFile(JOB, files.write(typeset(source), 'pdf'), { format: 'csv' })
  expect(rowsOf(path).map(({ amount }) => amount)).toEqual(amounts)
  expect(warnings).toEqual([])
})

test('Korean headings are recognised', () => {
  expect(['출금', '입금', '잔액', '금액'].map(roleOf)).toEqual(['debit', 'credit', 'balance', 'amount'])
  expect(namesDate('거래일')).toBe(true)
})

testFull('a scanned statement is read by text recognition', async () => {
  const truth = await makeStatement(files.path('born.pdf'), layouts[11]!, 3, isFull ? 12 : 5)
  tool(
    'pdftoppm',
    '-r',
    '200',
    '-gray',
    '-jpeg',
    '-f',
    '1',
    '-l',
    '1',
    '-singlefile',
    truth.path,
    files.path('scan'),
  )
  const path = await makePdf(
    files.path('scanned.pdf'),
    pdf => pdf.image(files.path('scan.jpg'), 0, 0, { width: 595, height: 842 }),
    { size: [595, 842] },
  )
  const rows = rowsOf((await convertFile(JOB, path, { format: 'csv' })).path)
  const right = truth.transactions.filter(({ date, amount }) =>
    rows.some(row => row.date === date && row.amount === amount),
  )
  expect(right.length).toBeGreaterThanOrEqual(truth.transactions.length * 0.95)
})

test('a file that is not a statement is refused', async () => {
  const path = await makePdf(files.path('letter.pdf'), pdf =>
    pdf.text('Dear customer, on 1 May 2024 nothing happened.', 50, 50),
  )
  await expect(convertFile(JOB, path)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
    detail: expect.stringContaining('No transactions were found'),
  })
})
