/** Text at other angles than quarter turns. */
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../../testing/files.ts'
import { kinds } from '../../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { makePdf } from '../../../../../../testing/pdf.ts'
import { type Block, plainText } from './model.ts'
import { readPdf } from './read.ts'

const files = testFiles('slanted')

async function textsOf(path: string): Promise<string[]> {
  const { document } = await readPdf(path, { progress: () => {} })
  const text = (block: Block): string =>
    block.kind === 'table'
      ? block.rows.map(row => row.map(cell => (cell ? plainText(cell.content) : '')).join('|')).join('/')
      : block.kind === 'paragraph' || block.kind === 'heading'
        ? plainText(block.content)
        : ''
  return document.blocks.map(text)
}

const lettersIn = (text: string) => [...text.replace(/\s/g, '')].sort().join('')

/** Draws a text that begins at a place and goes in a direction, in degrees clockwise. */
function slanted(pdf: PDFKit.PDFDocument, text: string, x: number, y: number, degrees: number, size = 10) {
  pdf.save().rotate(degrees, { origin: [x, y] })
  for (const [index, line] of text.split('\n').entries())
    pdf.fontSize(size).text(line, x, y + index * size * 1.3, { lineBreak: false })
  pdf.restore()
}

test.each(
  kinds([13, 30, 45, 60, 77, 120, 135, 200, 225, 290, 315, 345], angle => /^(13|135|290)$/.test(`${angle}`)),
)('text at %i degrees is read like level text', async degrees => {
  const text = 'Letters along a slanted line keep their\nwords, of which not a single one is lost.'
  const path = await makePdf(files.path(`${degrees}.pdf`), pdf => {
    pdf.fontSize(11).text('A level sentence comes first.', 72, 72)
    slanted(pdf, text, 300, 400, degrees)
  })
  expect(await textsOf(path)).toEqual(['A level sentence comes first.', text.replace('\n', ' ')])
  // Poppler cuts words of slanted lines, but finds all their letters.
  expect(lettersIn((await textsOf(path)).join(' '))).toBe(lettersIn(tool('pdftotext', path, '-')))
})

test.each([-45, -60])('headings of columns at %i degrees follow their page', async degrees => {
  const headings = ['Population', 'Area in hectares', 'Founded', 'Market days']
  const path = await makePdf(files.path(`table${degrees}.pdf`), pdf => {
    pdf.fontSize(10).text('The towns of the valley, with what the census of that year says of each.', 72, 72)
    for (const [column, heading] of headings.entries()) slanted(pdf, heading, 190 + column * 60, 220, degrees)
    for (let row = 0; row < 4; row++) {
      pdf.fontSize(10).text(`Town ${row}`, 80, 240 + row * 20, { lineBreak: false })
      for (let column = 0; column < 4; column++)
        pdf.text(`${(row + 3) * (column + 17)}`, 190 + column * 60, 240 + row * 20, { lineBreak: false })
    }
    for (let row = 0; row <= 4; row++)
      pdf
        .moveTo(72, 235 + row * 20)
        .lineTo(420, 235 + row * 20)
        .stroke()
    for (const x of [72, 180, 240, 300, 360, 420]) pdf.moveTo(x, 235).lineTo(x, 315).stroke()
    pdf.text('The sentence below the table.', 72, 340)
  })
  const texts = await textsOf(path)
  expect(texts[1]).toMatch(/^Town 0\|51\|54\|57\|60\/Town 1/)
  expect(texts[2]).toBe('The sentence below the table.')
  expect(texts.slice(3)).toEqual(headings)
})

test('watermarks are left out where they recur on most pages; on a single page they stay', async () => {
  const draw = (pages: number) =>
    makePdf(files.path(`${pages}.pdf`), pdf => {
      for (let page = 0; page < pages; page++) {
        if (page > 0) pdf.addPage()
        pdf.fontSize(11).fillColor('black').text(`The text of sheet ${page} is short.`, 72, 300)
        pdf.fillColor('#dddddd')
        slanted(pdf, 'DRAFT', 150, 500, -50, 120)
      }
    })
  expect(await textsOf(await draw(1))).toEqual(['The text of sheet 0 is short.', 'DRAFT'])
  expect(await textsOf(await draw(3))).toEqual([0, 1, 2].map(page => `The text of sheet ${page} is short.`))
})

test('slanted text stays if its words differ between pages', async () => {
  const path = await makePdf(files.path('labels.pdf'), pdf => {
    for (let page = 0; page < 3; page++) {
      if (page > 0) pdf.addPage()
      pdf.fontSize(11).text(`The text of sheet ${page} is short.`, 72, 100)
      slanted(pdf, `Label ${page}`, 150, 300, -45)
    }
  })
  const pages = [0, 1, 2].flatMap(page => [`The text of sheet ${page} is short.`, `Label ${page}`])
  expect((await textsOf(path)).sort()).toEqual(pages.sort())
})
