/** Scanned pages, judged by the command line of Tesseract on the same pictures. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'
import { makePdf } from '../../../../../testing/pdf.ts'

const files = testFiles('scans')

const SIZE: [width: number, height: number] = [420, 420]

/** A page of Typst markup as a scanner delivers it, and its picture. */
async function scan(name: string, markup: string, dpi: number, ...disturbed: string[]) {
  const page = `#set page(width: ${SIZE[0]}pt, height: ${SIZE[1]}pt, margin: 24pt)\n#set text(size: 10pt)\n${markup}`
  const source = files.write(typeset(page), 'pdf')
  const picture = files.path(`${name}.png`)
  tool('pdftoppm', '-gray', '-r', String(dpi), '-png', '-singlefile', source, picture.replace('.png', ''))
  if (disturbed.length > 0)
    tool('convert', picture, '-seed', '7', ...disturbed, '-colorspace', 'Gray', '-depth', '8', picture)
  const path = await makePdf(
    files.path(`${name}.pdf`),
    pdf => void pdf.image(picture, 0, 0, { width: SIZE[0], height: SIZE[1] }),
    { size: SIZE, margin: 0 },
  )
  return { source, picture, path }
}

const wordsOf = (text: string) => text.replace(/[–—]/g, '-').split(/\s+/).filter(Boolean)

/** How many words of a text another one has, counting repetitions. */
function found(text: string, truth: string): number {
  const left = wordsOf(text)
  return wordsOf(truth).filter(word => {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }).length
}

const ROWS = [
  ['Opening balance', '', '12,840.10'],
  ['Rent', '(1,204.32)', '11,635.78'],
  ['Supplies', '(555)', '11,080.78'],
  ['Tax refund', '3.15', '11,083.93'],
  ['Wages', '(8,000.00)', '3,083.93'],
  ['Sales', '14,250.75', '17,334.68'],
  ['Insurance', '(310.40)', '17,024.28'],
]
const AMOUNTS = `The figures in brackets [13] are negative, see (7) and the note on page [2].
#table(columns: (1fr, auto, auto), stroke: none, align: (left, right, right), ${ROWS.flat()
  .map(cell => `text(${JSON.stringify(cell)})`)
  .join(', ')})
The board – after a talk – carried the profit of (42.5) thousand forward.`

test.each([150, 300])('figures keep their brackets and their rows at %i dpi', async dpi => {
  const { source, picture, path } = await scan(
    `amounts-${dpi}`,
    AMOUNTS,
    dpi,
    '-attenuate',
    '0.3',
    '+noise',
    'Gaussian',
  )
  const truth = tool('pdftotext', source, '-')
  const { path: written } = await convertFile('document.pdf-to-md', path)
  const markdown = readFileSync(written, 'utf8')
  expect(markdown).toMatch(
    /^The board .{0,2}after a talk [–—-] carried the profit of \(42\.5\) thousand forward\.$/m,
  )
  const cells = markdown.split('\n').map(line => line.split('|').map(cell => cell.trim()))
  for (const row of ROWS) expect(cells).toContainEqual(['', ...row, ''])
  const plain = markdown.replaceAll('\\', '')
  for (const figure of truth.match(/[([][\d.,]+[)\]]/g)!) expect(plain).toContain(figure)
  const judge = tool('tesseract', picture, '-', '--dpi', String(dpi))
  const searchable = await convertFile('document.pdf-to-pdfa', path, { ocr: { enabled: true } })
  const text = tool('pdftotext', searchable.path, '-')
  expect(found(text, truth)).toBeGreaterThanOrEqual(found(judge, truth))
  for (const figure of truth.match(/[([][\d.,]+[)\]]/g)!) expect(text).toContain(figure)
})

const COLUMN = [
  'The quick brown fox jumps over the lazy dog while seventeen farmers count their sheep beside the river.',
  'Nobody had expected the harvest to be so plentiful after a winter of storms, yet every barn was filled.',
  'Merchants travelled from distant towns to buy wheat and barley, and the price of apples fell to (12) pence.',
  'Every applicant [4] must provide a certificate of good standing unless the committee waives the duty.',
]

test('columns are read one after the other on a noisy page', async () => {
  const markup = `#columns(2)[${[...COLUMN, ...COLUMN.toReversed()].map(text => `#text(${JSON.stringify(text)})`).join('\n\n')}]`
  const noise = [
    '-attenuate',
    '0.6',
    '+noise',
    'Gaussian',
    '-blur',
    '0x0.6',
    '-attenuate',
    '0.4',
    '+noise',
    'Gaussian',
  ]
  const { picture, path } = await scan('columns', markup, 150, ...noise)
  const truth = [...COLUMN, ...COLUMN.toReversed()].join(' ')
  const judge = tool('tesseract', picture, '-', '--dpi', '150')
  const { path: written } = await convertFile('document.pdf-to-md', path)
  const text = readFileSync(written, 'utf8').replace(/\\/g, '')
  expect(found(text, truth)).toBeGreaterThanOrEqual(found(judge, truth))
  const starts = [...text.matchAll(/The quick|Nobody|Merchants|Every applicant/g)].map(String)
  const order = ['The quick', 'Nobody', 'Merchants', 'Every applicant']
  expect(starts).toEqual([...order, ...order.toReversed()])
})

const STEPS = [
  ...['Open the lid of the box and take out the tray.', 'Put the tray on the table.', 'Close the lid again.'],
  ...[
    'Call the office and say the number.',
    'Wait for the answer of the office.',
    'Hang up.',
    'Lock the door.',
  ],
  ...['Bring the small key to the desk.', 'Write down when you left.', 'Take your coat.', 'Go home.'],
]
const EMPTY = [
  ['Rent', '–', '1,204.32'],
  ['Supplies', '555.10', '–'],
  ['Tax refund', '-', '3.15'],
  ['Gifts', '5', '—'],
]

test('dashes stay in their rows, and numbers of a list with it on the next page', async () => {
  const markup = `#set page(width: ${SIZE[0]}pt, height: 200pt, margin: 24pt)\n#set text(size: 10pt)
Profit and loss of the year in thousands of crowns
#table(columns: (1fr, 1fr, 1fr), stroke: none, align: (left, right, right), ${EMPTY.flat()
    .map(cell => `text(${JSON.stringify(cell)})`)
    .join(', ')})
The board gave the following orders to all of its members.\n${STEPS.map(step => `+ ${step}`).join('\n')}`
  const prefix = files.path('list')
  tool('pdftoppm', '-gray', '-r', '200', '-png', files.write(typeset(markup), 'pdf'), prefix)
  const path = await makePdf(
    files.path('list.pdf'),
    pdf => {
      for (const page of [1, 2]) {
        if (page > 1) pdf.addPage()
        pdf.image(`${prefix}-${page}.png`, 0, 0, { width: SIZE[0], height: 200 })
      }
    },
    { size: [SIZE[0], 200], margin: 0 },
  )
  const markdown = readFileSync((await convertFile('document.pdf-to-md', path)).path, 'utf8')
  const lines = markdown.split('\n')
  const rows = lines.map(line => line.split('|').map(cell => cell.trim().replace(/^[-–—]$/, '–')))
  for (const row of EMPTY)
    expect(rows).toContainEqual(['', ...row.map(cell => cell.replace(/^[-–—]$/, '–')), ''])
  expect(lines.filter(line => /^\d/.test(line))).toEqual(STEPS.map((step, index) => `${index + 1}. ${step}`))
})
