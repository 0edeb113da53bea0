import { expect, test } from 'vitest'
import { checkExtent } from './sheets.ts'

const sheet = (...cells: string[]) =>
  `<worksheet><sheetData>${cells.map(cell => `<row><c s="1" r="${cell}"><v>1</v></c></row>`).join('')}</sheetData></worksheet>`

test.each([
  ['a million rows', ['A1', 'T1048576']],
  ['every column', ['XFD1']],
  ['no places', []],
])('%s pass', (_, cells) => {
  expect(() => checkExtent(sheet(...cells))).not.toThrow()
})

test('cells in opposite corners are refused, whichever comes first', () => {
  for (const cells of [
    ['A1', 'XFD1048576'],
    ['XFD1', 'A1048576'],
    ['A1048576', 'XFD1'],
  ]) {
    const refused = expect.objectContaining({ code: 'jobs.too_many_pages' })
    expect(() => checkExtent(sheet(...cells))).toThrow(refused)
    expect(() => checkExtent(sheet(...cells).replaceAll('<c ', '<x:c '))).toThrow(refused)
  }
})
