/** Statements of many countries, printed by LibreOffice; every row of both outputs is compared with what was printed. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { savedByLibreOffice } from '../../../../../testing/libreoffice.ts'
import { localStatements } from '../../../../../testing/statement-locales.ts'
import { rowsOf } from '../../../../../testing/statements.ts'

const files = testFiles('statement-locales')
const JOB = 'document.bank-statement-to-excel'
const workbooks = files.path('workbooks')
const statements = new Map<string, string>()

beforeAll(() => {
  mkdirSync(workbooks)
  for (const { name, html } of localStatements) writeFileSync(files.path(`${name}.html`), html)
  const pages = localStatements.map(({ name }) => files.path(`${name}.html`))
  const printed = savedByLibreOffice('pdf:writer_pdf_Export', pages, '--infilter=HTML (StarWriter)')
  for (const [index, { name }] of localStatements.entries()) statements.set(name, printed[index]!)
})

test.each(localStatements)(
  '$name: every date, description, amount, sign and balance is right',
  async ({ name, rows }) => {
    const { path, warnings } = await convertFile(JOB, statements.get(name)!, { format: 'csv' })
    expect(warnings).toEqual([])
    expect(rowsOf(readFileSync(path, 'utf8'))).toMatchObject(rows)
    const { path: workbook } = await convertFile(JOB, statements.get(name)!)
    copyFileSync(workbook, `${workbooks}/${name}.xlsx`)
  },
)

test('openpyxl reads the same from the workbooks', () => {
  const script = `
import sys, json, openpyxl
def rows(path):
    sheet = openpyxl.load_workbook(path).worksheets[0]
    for date, text, amount, balance, *_ in sheet.iter_rows(min_row=2, values_only=True):
        yield dict(date=date.strftime('%Y-%m-%d'), description=text, amount=round(amount * 100),
                   balance=None if balance is None else round(balance * 100))
print(json.dumps([list(rows(path)) for path in sys.argv[1:]]))`
  const read = tool(
    '/usr/bin/python3',
    '-c',
    script,
    ...localStatements.map(({ name }) => `${workbooks}/${name}.xlsx`),
  )
  expect(JSON.parse(read)).toEqual(localStatements.map(({ rows }) => rows))
})
