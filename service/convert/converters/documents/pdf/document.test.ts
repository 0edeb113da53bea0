import { expect, test } from 'vitest'
import { documentOf } from './document.ts'
import type { TableCell, TextDocument } from './layout/model.ts'

const cell = (text: string, columns = 1, rows = 1): TableCell => ({
  content: [{ text }],
  columns,
  rows,
  fill: 0xff,
})

test('a row into which a cell of the head reaches belongs to the head', () => {
  const rows = [
    [cell('Country', 1, 2), cell('Unemployed', 2), null],
    [null, cell('1995'), cell('1996')],
    [cell('Finland'), cell('12'), cell('13')],
  ]
  const read: TextDocument = {
    ...{
      title: '',
      author: '',
      subject: '',
      keywords: '',
      created: undefined,
      language: '',
      rightToLeft: false,
    },
    ...{ outline: [], footnotes: new Map(), pictures: [], pageWidth: 600, pageHeight: 800 },
    blocks: [{ kind: 'table', rows, headerRows: 1, page: 0, heights: [20, 20, 20] }],
  }
  const [table] = documentOf(read, 'file').blocks
  expect(table).toMatchObject({ kind: 'table' })
  const found = table?.kind === 'table' ? table.rows : []
  expect(found.map(({ isHeader, cells }) => [isHeader, ...cells.map(each => each.rows)])).toEqual([
    [true, 2, 1],
    [true, 1, 1],
    [false, 1, 1, 1],
  ])
  // Without places, nothing says how it looks.
  expect(JSON.stringify(found)).not.toMatch(/height|fill|place/)
})
