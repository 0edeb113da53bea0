import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../../testing/files.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { typeset, untagged } from '../../../../../../testing/fixtures/typst.ts'
import { printedRows } from './printed.ts'

const files = testFiles('pdf-data')

/** Cells of each sheet with their number formats, as openpyxl reads them. */
const CELLS = `import json, sys, openpyxl
cell = lambda c: c.value.isoformat()[:10] if hasattr(c.value, 'isoformat') else [c.value, c.number_format] if c.number_format != 'General' else c.value
print(json.dumps({s.title: [[cell(c) for c in r] for r in s.iter_rows()] for s in openpyxl.load_workbook(sys.argv[1])}))`
const sheetsOf = (path: string) => JSON.parse(tool('/usr/bin/python3', '-c', CELLS, path))

const printed = String.raw`
= Accounts
Some words before the first table, which no sheet holds.

#let t(columns, head, ..rows) = table(columns: columns, table.header(..head), ..rows.pos().flatten())
Table 1: Revenue by region

#t(5, ([Region], [Revenue], [Change], [Share], [Booked]),
  ([North], [\$1,204.32], [(3.4)], [12 %], [03/14/2024]),
  ([South], [\$980.00], [5.1], [8.5 %], [12/31/2023]))
#pagebreak()
Tabelle 2: Umsatz je Filiale

#t(4, ([Filiale], [Umsatz], [Kunden], [Seit]),
  ([Köln], [1.204,32], [1.204], [5. März 2021]),
  ([01067], [88,10], [312], [17.02.2019]))`

let made: string | undefined
const pdf = () => (made ??= files.write(untagged(typeset(printed)), 'pdf'))

test('each table of a PDF becomes a sheet with numbers, shares and dates as the columns write them', async () => {
  const { path, warnings } = await convertFile('document.pdf-to-xlsx', pdf())
  expect(warnings).toEqual([])
  expect(sheetsOf(path)).toEqual({
    'p1 Table 1 Revenue by region': [
      ['Region', 'Revenue', 'Change', 'Share', 'Booked'],
      ['North', [1204.32, '"$"#,##0.00'], [-3.4, '0.0;(0.0)'], [0.12, '0%'], '2024-03-14'],
      ['South', [980, '"$"0.00'], [5.1, '0.0'], [0.085, '0.0%'], '2023-12-31'],
    ],
    'p2 Tabelle 2 Umsatz je Filiale': [
      ['Filiale', 'Umsatz', 'Kunden', 'Seit'],
      ['Köln', [1204.32, '#,##0.00'], [1204, '#,##0'], '2021-03-05'],
      ['01067', [88.1, '0.00'], 312, '2019-02-17'],
    ],
  })
})

test('CSV gets a file for each table, and only of the chosen pages; JSON objects by the heads', async () => {
  const { outputs } = await convertFile('document.pdf-to-csv', pdf(), { byteOrderMark: false })
  const stem = basename(pdf(), '.pdf')
  expect(outputs.map(({ name }) => name)).toEqual([
    `${stem}-p1 Table 1 Revenue by region.csv`,
    `${stem}-p2 Tabelle 2 Umsatz je Filiale.csv`,
  ])
  const second = await convertFile('document.pdf-to-csv', pdf(), { pages: '2', values: 'text' })
  expect(second.outputs).toHaveLength(1)
  expect(readFileSync(second.path, 'utf8')).toContain('Köln,"1.204,32",1.204,5. März 2021')
  const json = await convertFile('document.pdf-to-json', pdf(), { pages: '1' })
  expect(JSON.parse(readFileSync(json.path, 'utf8'))[0]).toEqual({
    Region: 'North',
    Revenue: 1204.32,
    Change: -3.4,
    Share: 0.12,
    Booked: '2024-03-14',
  })
})

test('a PDF without a table is refused', async () => {
  const path = files.write(typeset('Words, and no table at all.'), 'pdf')
  await expect(convertFile('document.pdf-to-xlsx', path)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
    detail: expect.stringMatching(/^No table was found/),
  })
})

test.each([
  ['points by a clear neighbour', ['1.204', '1.204,5'], [1204, 1204.5]],
  ['points without any other sign', ['1.204', '2.5'], [1.204, 2.5]],
  ['spaces', ['12 204', '1 204,5'], [12204, 1204.5]],
  ['two numbers in a cell', ['12 20', '45 11'], ['12 20', '45 11']],
  ['lakhs', ['12,34,567', '5'], [1234567, 5]],
  ['signs behind and before', ['3.4-', '−2.0', '+1.5'], [-3.4, -2, 1.5]],
  ['currencies', ['CHF 5.00', '€7', '9 kr'], [5, 7, 9]],
  ['postcodes', ['01067', '50667'], ['01067', '50667']],
  ['long names', ['4111111111111111', '5'], ['4111111111111111', '5']],
  ['dates that may be either way round', ['03/04/2024', '05/06/2024'], ['03/04/2024', '05/06/2024']],
  ['dates by one of them', ['03/04/2024', '25/06/2024'], ['2024-04-03', '2024-06-25']],
  ['versions and times', ['1.2.3', '10:30', '2010–12', '(5', ''], ['1.2.3', '10:30', '2010–12', '(5', null]],
])('a column of %s', (_, texts, values) => {
  const rows = printedRows(
    texts.map(text => [text]),
    0,
    'en',
  )
  const plain = rows.map(([value]) => (typeof value === 'object' && value ? Number(value.text) : value))
  expect(plain).toEqual(values)
})
