import { expect, test } from 'vitest'
import { checkPages, checkXls, openSheets, sheetOf } from './sheets.ts'

const sheet = (...cells: string[]) =>
  `<worksheet><sheetData>${cells.map(cell => `<row><c s="1" r="${cell}"><v>1</v></c></row>`).join('')}</sheetData></worksheet>`

test.each([
  ['a million rows', ['A1', 'T1048576']],
  ['every column', ['XFD1']],
  ['no places', []],
])('%s can become pages', (_, cells) => {
  expect(() => checkPages([sheetOf(sheet(...cells))])).not.toThrow()
})

test('cells in opposite corners become no pages, whichever comes first', () => {
  for (const cells of [
    ['A1', 'XFD1048576'],
    ['XFD1', 'A1048576'],
    ['A1048576', 'XFD1'],
  ]) {
    const refused = expect.objectContaining({ code: 'jobs.too_many_pages' })
    expect(() => checkPages([sheetOf(sheet(...cells))])).toThrow(refused)
    expect(() => checkPages([sheetOf(sheet(...cells).replaceAll('<c ', '<x:c '))])).toThrow(refused)
  }
})

test('an XLS takes 65,536 rows of 256 columns, and empty cells beyond them', () => {
  const refused = expect.objectContaining({ code: 'jobs.too_large' })
  const empty = '<row><c r="XFD1048576" s="1"/></row></sheetData>'
  expect(() => checkXls([sheetOf(sheet('A65536', 'IV1').replace('</sheetData>', empty))])).not.toThrow()
  for (const cell of ['A65537', 'IW1']) expect(() => checkXls([sheetOf(sheet(cell))])).toThrow(refused)
})

test('cells of OpenDocument are found behind repeated rows and columns', () => {
  const filled =
    '<table:table-cell office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell>'
  const rows = [
    '<table:table-row table:number-rows-repeated="99"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
    `<table:table-row table:style-name="r"><table:covered-table-cell table:number-columns-repeated="9"/>${filled}<table:table-cell table:number-columns-repeated="7"/></table:table-row>`,
    '<table:table-row table:number-rows-repeated="1048476"><table:table-cell/></table:table-row>',
  ]
  const table = `<table:table table:name="a"><table:table-column table:number-columns-repeated="9"/>${rows.join('')}</table:table>`
  expect(openSheets(table + table.replace(rows[0]!, '')).map(each => each.filled)).toEqual([
    { columns: 10, rows: 100 },
    { columns: 10, rows: 1 },
  ])
})
