import { expect, test } from 'vitest'
import { testFiles } from '../../../../../../testing/files.ts'
import { makePdf } from '../../../../../../testing/pdf.ts'
import { readPdf } from './read.ts'

const files = testFiles('lists')

const blocksOf = async (name: string, rows: string[][]) => {
  const path = await makePdf(files.path(`${name}.pdf`), pdf => {
    pdf.fontSize(11).text('What is to be done before the winter comes to the valley:', 72, 72)
    for (const [index, [mark, text]] of rows.entries())
      pdf.text(mark!, 72, 100 + index * 15, { lineBreak: false }).text(text!, 108, 100 + index * 15)
  })
  return (await readPdf(path, { progress: () => {} })).document.blocks
}

const ENTRIES = [
  ['1', 'Bring in the harvest'],
  ['2', 'Mend the roof of the barn'],
  ['', 'and of the old mill'],
  ['3', 'Store the wood'],
]

test('numbers without full stops make a list', async () => {
  const list = (await blocksOf('list', ENTRIES)).find(block => block.kind === 'list')
  expect(list).toMatchObject({ ordered: true, start: 1 })
  expect(list?.items.map(({ content }) => content.map(({ text }) => text).join(''))).toEqual([
    'Bring in the harvest',
    'Mend the roof of the barn and of the old mill',
    'Store the wood',
  ])
})

test('numbers below a header, or beside figures, stay cells of a table', async () => {
  const headed = await blocksOf('headed', [['No', 'Task'], ...ENTRIES.filter(([mark]) => mark)])
  expect(headed.map(({ kind }) => kind)).toEqual(['paragraph', 'table'])
  const figures = await blocksOf('figures', [
    ['1', '12.50'],
    ['2', '13.75'],
    ['3', '14.25'],
  ])
  expect(figures.map(({ kind }) => kind)).toEqual(['paragraph', 'table'])
})
