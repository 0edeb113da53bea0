import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../../testing/files.ts'
import { kinds } from '../../../../../../testing/fixtures/full.ts'
import { typeset as tagged, untagged } from '../../../../../../testing/fixtures/typst.ts'
import { makePdf } from '../../../../../../testing/pdf.ts'
import { cellScore, orderScore, wordRecall, wordsOf } from '../../../../../../testing/words.ts'
import { type Block, type List, plainText, type Table, type TextDocument, type TextSpan } from './model.ts'
import { readPdf } from './read.ts'

const files = testFiles('layout')

/** Typeset without tags, so that the structure has to be found from the layout alone. */
const typeset = (source: string) => untagged(tagged(source))

async function read(pdf: Uint8Array | string): Promise<TextDocument> {
  const path = typeof pdf === 'string' ? pdf : files.write(pdf, 'pdf')
  const { document } = await readPdf(path, { progress: () => {} })
  return document
}

const SENTENCES = [
  'The archive was opened on a quiet morning when the river had fallen back to its ordinary level.',
  'Three clerks carried the boxes upstairs, counting each of them aloud and writing the numbers down.',
  'Nobody had expected that the catalogue would survive the flood, let alone the long years of neglect.',
  'Its pages were stiff and brown, yet every line of the careful handwriting could still be made out.',
  'They began with the letters, because letters tell more about a town than its ledgers ever will.',
  'By evening the first table was covered, and a second one had to be borrowed from the school.',
  'The work went on through the winter, slowly at first and then with a steadiness that surprised everyone.',
  'When spring came the list held four thousand names, of which barely a hundred were known before.',
]

/** Paragraphs of text without repetitions, so that a misplaced word shows. */
const paragraphs = (count: number, offset = 0) =>
  Array.from({ length: count }, (_, index) => {
    const number = index + offset
    const pick = (step: number) => SENTENCES[(number * 3 + step) % SENTENCES.length]!
    return `Paragraph ${number + 1}. ${pick(0)} ${pick(1)} ${pick(2)} ${pick(number % 3)}`
  })

const textsOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(block => {
    switch (block.kind) {
      case 'picture':
        return []
      case 'code':
        return [block.text]
      case 'list':
        return block.items.flatMap(item => [plainText(item.content), ...textsOf(item.blocks)])
      case 'table':
        return block.rows.flat().flatMap(cell => (cell ? [plainText(cell.content)] : []))
      default:
        return [plainText(block.content)]
    }
  })

const wholeText = (document: TextDocument) => textsOf(document.blocks).join('\n')
const ofKind = <Kind extends Block['kind']>(document: TextDocument, kind: Kind) =>
  document.blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind)
const cellsOf = (table: Table) =>
  table.rows.map(row => row.map(cell => (cell ? plainText(cell.content) : '')))

const HEADER = '#set page(header: [The town and its archive #h(1fr) A report], numbering: "1")'

test.each(kinds([1, 2, 3], columns => columns === 2))(
  '%i columns are read one after the other, and paragraphs continue across lines, columns and pages',
  async columns => {
    const truth = paragraphs(24)
    const document = await read(
      typeset(`#set page(width: 480pt, height: 420pt, margin: 40pt, columns: ${columns})
      ${HEADER}
      #set par(justify: true)
      #set text(size: ${12 - columns}pt, lang: "en")
      ${truth.join('\n\n')}`),
    )
    expect(document.blocks.every(block => block.kind === 'paragraph')).toBe(true)
    const [source, result] = [wordsOf(truth.join(' ')), wordsOf(wholeText(document))]
    expect(wordRecall(source, result)).toBe(1)
    expect(orderScore(source, result)).toBe(1)
    // Running heads and page numbers are removed, and words broken at line ends are joined.
    expect(result).toHaveLength(source.length)
    // A paragraph that ends with a full line cannot be told from one that continues.
    expect(document.blocks.length).toBeGreaterThan(truth.length * 0.9)
    expect(textsOf(document.blocks).filter(text => truth.includes(text)).length).toBeGreaterThan(
      truth.length * 0.85,
    )
  },
)

test('a title, separate columns and a closing line keep their order', async () => {
  const [left, right] = [paragraphs(3), paragraphs(3, 3)]
  const document = await read(
    typeset(`#set page(width: 500pt, height: 700pt, margin: 50pt)
      #align(center)[#text(size: 22pt, weight: "bold")[A title across both columns]]
      ${SENTENCES[0]} ${SENTENCES[3]} ${SENTENCES[6]}
      #v(1em)
      #grid(columns: (1fr, 1fr), gutter: 20pt, [${left.join('\n\n')}], [${right.join('\n\n')}])
      #v(2em)
      The closing line of the page, which stands below both columns.`),
  )
  const texts = textsOf(document.blocks)
  expect(document.blocks[0]).toMatchObject({ kind: 'heading', level: 1 })
  expect(texts.slice(2)).toEqual([
    ...left,
    ...right,
    'The closing line of the page, which stands below both columns.',
  ])
})

test('headings get levels from their style, lists are nested, code keeps its spaces', async () => {
  const document = await read(
    typeset(`#set page(width: 480pt, height: 640pt, margin: 50pt)
      #set heading(numbering: "1.1")
      = First chapter
      ${SENTENCES[0]} ${SENTENCES[1]}
      == A section in it
      ${SENTENCES[2]}
      - apples and pears
        - of the old kinds, among which there are some that nobody has planted for a hundred years
        - of the new kinds
      - plums
      1. open the box
      2. count what is in it
         + by weight
         + by number
      3. close it
      = Second chapter
      #raw("for name in names:\\n    if name:\\n        print(name)\\n\\nexit()", block: true)
      Water is H#sub(typographic: false)[2]O, and the area is 12 m#super(typographic: false)[2].`),
  )
  const headings = ofKind(document, 'heading').map(({ level, content }) => [level, plainText(content)])
  expect(headings).toEqual([
    [1, '1 First chapter'],
    [2, '1.1 A section in it'],
    [1, '2 Second chapter'],
  ])
  const shape = ({ ordered, start, items }: List): unknown => [
    ordered ? start : '•',
    ...items.flatMap(({ content, blocks }) => [
      plainText(content),
      ...blocks.map(block => shape(block as List)),
    ]),
  ]
  expect(ofKind(document, 'list').map(shape)).toEqual([
    [
      '•',
      'apples and pears',
      [
        '•',
        'of the old kinds, among which there are some that nobody has planted for a hundred years',
        'of the new kinds',
      ],
      'plums',
    ],
    [1, 'open the box', 'count what is in it', [1, 'by weight', 'by number'], 'close it'],
  ])
  expect(ofKind(document, 'code').map(({ text }) => text)).toEqual([
    'for name in names:\n    if name:\n        print(name)\n\nexit()',
  ])
  const last = document.blocks.at(-1) as { content: TextSpan[] }
  expect(last.content.filter(span => span.superscript || span.subscript)).toEqual([
    { text: '2', subscript: true },
    { text: '2', superscript: true },
  ])
})

const RIVERS = [
  ['River', 'Length in km', 'Mouth', 'Basin'],
  ['Danube', '2850', 'Black Sea', '801,463'],
  ['Rhine', '1233', 'North Sea', '185,000'],
  ['Elbe', '1094', 'North Sea', '148,268'],
  ['Loire', '1006', 'Atlantic', '117,000'],
  ['Po', '652', 'Adriatic', '74,000'],
]
const cells = RIVERS.flat()
  .map(cell => `[${cell}]`)
  .join(', ')

test.each([
  ['lines around every cell', '0.5pt'],
  ['no lines', 'none'],
  ['lines between rows', '(x: none, y: 0.5pt)'],
  ['lines between columns', '(x: 0.5pt, y: none)'],
  ['a line below the header', '(_, y) => if y == 1 { (top: 0.7pt) }'],
])('a table with %s', async (_, stroke) => {
  const document = await read(
    typeset(`#set page(width: 480pt, height: 400pt, margin: 50pt)
      ${SENTENCES.slice(0, 3).join(' ')}
      #table(columns: 4, align: (left, right, left, right), stroke: ${stroke}, column-gutter: 1.5em, ${cells})
      ${SENTENCES.slice(3, 6).join(' ')}`),
  )
  expect(document.blocks.map(block => block.kind)).toEqual(['paragraph', 'table', 'paragraph'])
  expect(cellScore(RIVERS, cellsOf(ofKind(document, 'table')[0]!))).toBe(1)
})

test('cells that span several columns and rows are merged', async () => {
  const document = await read(
    typeset(`#set page(width: 400pt, height: 300pt, margin: 50pt)
      #table(columns: 3, table.header([*Name*], table.cell(colspan: 2)[*Both years*]),
        table.cell(rowspan: 2)[North], [10], [11], [12], [13], [South], [14], [15])`),
  )
  const [table] = ofKind(document, 'table')
  expect(cellsOf(table!)).toEqual([
    ['Name', 'Both years', ''],
    ['North', '10', '11'],
    ['', '12', '13'],
    ['South', '14', '15'],
  ])
  expect(table).toMatchObject({ headerRows: 1 })
  expect(table!.rows[0]![1]).toMatchObject({ columns: 2, rows: 1 })
  expect(table!.rows[1]![0]).toMatchObject({ columns: 1, rows: 2 })
})

test('footnotes are recognised by their references', async () => {
  const document = await read(
    typeset(`#set page(width: 400pt, height: 400pt, margin: 50pt, numbering: "1")
      ${SENTENCES[0]}#footnote[The level of the year before.] ${SENTENCES[1]}#footnote[Two of them were related.]
      #pagebreak()
      ${SENTENCES[2]}#footnote[It was kept in the cellar, where nobody went because of the damp and of the stories that were told about it.]`),
  )
  const marks = document.blocks.flatMap(block =>
    block.kind === 'paragraph' ? block.content.flatMap(span => span.footnote ?? []) : [],
  )
  expect(marks).toEqual(['1', '2', '3'])
  expect([...document.footnotes].map(([key, content]) => [key, plainText(content)])).toEqual([
    ['1', 'The level of the year before.'],
    ['2', 'Two of them were related.'],
    [
      '3',
      'It was kept in the cellar, where nobody went because of the damp and of the stories that were told about it.',
    ],
  ])
  expect(document.blocks).toHaveLength(2)
})

test('Chinese is joined without spaces, Arabic is in reading order', async () => {
  const chinese =
    '中文文本没有空格。这是一个关于排版的段落，它足够长，可以跨越多行，以便测试行的连接是否正确，没有多余的空格。'
  const arabic =
    'هذا نص عربي طويل بما يكفي ليمتد على عدة أسطر حتى نختبر ترتيب القراءة من اليمين إلى اليسار مع كلمات English words في الوسط ورقم 2024 في النهاية.'
  const hebrew = 'זהו טקסט בעברית שארוך מספיק כדי להתפרס על כמה שורות כדי לבדוק את סדר הקריאה מימין לשמאל.'
  const document = await read(
    typeset(`#set page(width: 300pt, height: 500pt, margin: 40pt)
      #text(font: "Noto Sans SC")[${chinese}]

      #text(font: "DejaVu Sans", lang: "ar")[${arabic}]

      #text(font: "DejaVu Sans", lang: "he")[${hebrew}]`),
  )
  expect(textsOf(document.blocks)).toEqual([chinese, arabic, hebrew])
})

test('hyphens at line ends are removed, those of words are kept', async () => {
  const path = await makePdf(files.path('hyphens.pdf'), pdf => {
    pdf.font('Times-Roman', 11)
    for (const [index, line] of [
      'The library keeps a well-known collec-',
      'tion of maps, which is open to every-',
      'one. It is a well-',
      'known place, built in the years 1905-',
      '1910 for the town.',
    ].entries())
      pdf.text(line, 50, 50 + index * 14, { lineBreak: false })
  })
  expect(wholeText(await read(path))).toBe(
    'The library keeps a well-known collection of maps, which is open to everyone. It is a well-known place, built in the years 1905-1910 for the town.',
  )
})

test('links, pictures and rotated text', async () => {
  const document = await read(
    typeset(`#set page(width: 400pt, height: 400pt, margin: 50pt)
      ${SENTENCES[0]} See #link("https://example.com/a?b=1")[the whole report] for it.
      #image(bytes("<svg xmlns='http://www.w3.org/2000/svg' width='120' height='90'><circle cx='40' cy='45' r='30' fill='#c33'/><circle cx='80' cy='45' r='30' fill='#3c3'/><path d='M10 80 Q60 10 110 80' stroke='#33c' fill='none'/></svg>"), width: 120pt)
      ${SENTENCES[1]}
      #place(top + left, dx: -30pt, rotate(-90deg, reflow: true)[a note in the margin])`),
  )
  expect(document.blocks.map(block => block.kind)).toEqual(['paragraph', 'picture', 'paragraph', 'paragraph'])
  const [first] = ofKind(document, 'paragraph')
  expect(first!.content.filter(span => span.link)).toEqual([
    { text: 'the whole report', link: 'https://example.com/a?b=1' },
  ])
  expect(document.pictures).toHaveLength(1)
  expect(textsOf(document.blocks).at(-1)).toBe('a note in the margin')
})

test('tags define headings and tables, whatever they look like', async () => {
  const document = await read(
    tagged(`#set page(width: 400pt, height: 400pt, margin: 50pt)
      #show heading: set text(size: 11pt, weight: "regular")
      = Looks like text
      ${SENTENCES[0]}
      #table(columns: 2, stroke: none, [one], [${SENTENCES[1]}], table.cell(rowspan: 2)[two], [three], [four])
      #text(size: 18pt)[Large, and no heading.]`),
  )
  expect(ofKind(document, 'heading').map(({ level, content }) => [level, plainText(content)])).toEqual([
    [1, 'Looks like text'],
  ])
  expect(ofKind(document, 'table').map(cellsOf)).toEqual([
    [
      ['one', SENTENCES[1]],
      ['two', 'three'],
      ['', 'four'],
    ],
  ])
})

const PICTURE = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c04020' } })
  .png()
  .toBuffer()

test('lines that number the pages are kept where they are all that the pages say', async () => {
  const lines = async (text: (page: number) => string, picture = false) => {
    const path = await makePdf(files.path('furniture.pdf'), document => {
      for (let page = 1; page <= 8; page++) {
        if (page > 1) document.addPage()
        document.text(text(page), 72, 40)
        if (picture) document.image(PICTURE, 100, 200, { width: 300 })
      }
    })
    return wholeText(await read(path)).split('\n')
  }
  expect(await lines(page => `Original page ${page}`)).toEqual(
    Array.from({ length: 8 }, (_, index) => `Original page ${index + 1}`),
  )
  expect(await lines(page => `Figure ${page}`, true)).toHaveLength(8)
  expect(await lines(page => `Page ${page}`)).toHaveLength(8)
  expect(await lines(page => `Page ${page}`, true)).toEqual([''])
})

test('on a single page, a head with its number is left out and notes of the margin stand at their paragraphs', async () => {
  const [first, second] = paragraphs(2)
  const source = `#set page(width: 420pt, height: 500pt, margin: (left: 120pt, right: 40pt, y: 60pt))
#set text(size: 10pt)
#place(top + left, dy: -30pt)[#text(8pt)[45]]
#place(top + right, dy: -30pt)[#text(8pt)[J. Doe and others]]
#let note(body) = place(left, dx: -100pt)[#box(width: 85pt)[#text(7pt)[#body]]]
#note[A note at the first of them]
${first}

#note[Another at the second]
${second}

#place(bottom + center, dy: 25pt)[#text(8pt)[Sent to a journal]]`
  const document = await read(files.write(untagged(typeset(source)), 'pdf'))
  expect(textsOf(document.blocks)).toEqual([
    first,
    'A note at the first of them',
    second,
    'Another at the second',
    'Sent to a journal',
  ])
})

test('short lines that are alone on their pages stay apart', async () => {
  const path = await makePdf(files.path('short.pdf'), document => {
    for (const [index, line] of ['Sea without shore', 'Blue mountain', 'Evening'].entries()) {
      if (index > 0) document.addPage()
      document.text(line, 72, 200)
    }
  })
  expect(textsOf((await read(path)).blocks)).toEqual(['Sea without shore', 'Blue mountain', 'Evening'])
})

test('the head of a page that is there twice is kept', async () => {
  const path = await makePdf(files.path('copies.pdf'), document => {
    for (const copy of ['original', 'copy']) {
      if (copy === 'copy') document.addPage()
      document.text('Invoice number 17/2021 of 26 April', 72, 40).text(copy, 400, 40)
      document.text(SENTENCES.join(' '), 72, 150)
      document.text('Issued by the office of the archive', 72, 720)
    }
  })
  const text = wholeText(await read(path))
  expect(text.match(/Invoice number 17\/2021 of 26 April/g)).toHaveLength(2)
  expect(text.match(/Issued by the office/g)).toHaveLength(2)
})

test('rows of a table at the top of two pages are kept, whose numbers only grow', async () => {
  const path = await makePdf(
    files.path('rows.pdf'),
    document => {
      for (const page of [0, 1]) {
        if (page > 0) document.addPage()
        for (let row = 0; row < 20; row++) {
          const number = page * 20 + row + 1
          const cells = [`Order ${number}`, 'Blue paint', `${number * 3} tins`, `${number * 12}.50`]
          for (const [column, cell] of cells.entries())
            document.text(cell, 60 + column * 120, 40 + row * 36, { lineBreak: false })
        }
        document.text(`Page ${page + 1}`, 280, 800, { lineBreak: false })
      }
    },
    { margin: 0 },
  )
  const content = JSON.stringify((await read(path)).blocks)
  for (let row = 1; row <= 40; row++) expect(content).toContain(`${row * 12}.50`)
  expect(content).not.toContain('Page 1')
})
