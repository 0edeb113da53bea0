import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { seeded } from '../../../../../testing/fixtures/pixels.ts'
import { typeset, untagged } from '../../../../../testing/fixtures/typst.ts'

const files = testFiles('tables')

const WORDS =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo'.split(
    ' ',
  )

const random = seeded(12)
const phrase = (least: number, most: number) =>
  Array.from({ length: least + random(most - least + 1) }, () => WORDS[random(WORDS.length)]).join(' ')

const priced = () => [
  ['Name', 'Description', 'Amount'],
  ...Array.from({ length: 8 }, (_, row) => [
    `Item ${row + 1}`,
    phrase(3, 11),
    `${100 + random(900)}.${10 + random(90)}`,
  ]),
]
const worded = () => [
  ['Key', 'Left', 'Right'],
  ...Array.from({ length: 6 }, () => [phrase(1, 4), phrase(2, 9), phrase(2, 9)]),
]

/** Ways to separate rows, as options of Typst's tables. */
const PARTED: [name: string, options: string, rows: () => string[][], widths: string][] = [
  ['space', 'stroke: none', priced, '70pt, 150pt, 70pt'],
  ['more space', 'stroke: none, row-gutter: 4pt', worded, '100pt, 130pt, 130pt'],
  ['level lines', 'stroke: (x: none, y: 0.5pt)', priced, '70pt, 150pt, 70pt'],
  [
    'a ground every other row',
    'stroke: none, fill: (x, y) => if calc.odd(y) { luma(220) }',
    priced,
    '70pt, 150pt, 70pt',
  ],
  ['a grid', 'stroke: 0.5pt', worded, '100pt, 130pt, 130pt'],
]
const ALIGNED = ['top', 'horizon', 'bottom']

const tables = PARTED.flatMap(([parted, options, rows, widths]) =>
  ALIGNED.map(aligned => ({ name: `${parted}, ${aligned}`, aligned, options, rows: rows(), widths })),
)

interface Pandoc {
  t: string
  c: unknown
}

/** Texts of the cells of each table, read by pandoc. */
function tablesOf(path: string): string[][][] {
  const { blocks } = JSON.parse(tool('pandoc', '-f', 'docx', '-t', 'json', path)) as { blocks: Pandoc[] }
  const textOf = (node: unknown): string => {
    if (Array.isArray(node)) return node.map(textOf).join('')
    const { t, c } = (node ?? {}) as Partial<Pandoc>
    if (t === 'Str') return c as string
    return t === 'Space' || t === 'SoftBreak' || t === 'LineBreak' ? ' ' : c ? textOf(c) : ''
  }
  type Row = [unknown, [unknown, unknown, unknown, unknown, unknown][]]
  return blocks
    .filter(({ t }) => t === 'Table')
    .map(({ c }) => {
      const [, , , head, bodies] = c as [
        unknown,
        unknown,
        unknown,
        [unknown, Row[]],
        [unknown, unknown, Row[], Row[]][],
      ]
      const rows = [...head[1], ...bodies.flatMap(([, , first, rest]) => [...first, ...rest])]
      return rows.map(([, cells]) => cells.map(cell => textOf(cell[4]).trim()))
    })
}

testFull(
  'multi-line cells are complete and in their rows, however rows are separated and cells aligned',
  async () => {
    const pages = tables.map(
      ({ aligned, options, rows, widths }, index) => `#v(${index * 9}pt)
Before the table there is a line of ${phrase(2, 3)}.

#table(columns: (${widths}), align: ${aligned}, ${options}, ${rows
        .flat()
        .map(cell => `[${cell}]`)
        .join(', ')})

After it there is another line of ${phrase(2, 3)}.`,
    )
    const source = `#set page(width: 460pt, height: 700pt, margin: 40pt)
#set text(size: 10pt, hyphenate: false)
${pages.join('\n#pagebreak()\n')}`
    const { path } = await convertFile('document.pdf-to-docx', files.write(untagged(typeset(source)), 'pdf'))
    const found = tablesOf(path)
    expect(found).toHaveLength(tables.length)
    for (const [index, { name, rows }] of tables.entries()) expect(found[index], name).toEqual(rows)
  },
)

/** Numbers of three years under heads in two lines. */
const years = [
  ['', 'Years ended December 31,', '', ''],
  ['', '2019', '2018', '2017'],
  ['Net revenue', '$ 1,204.3', '$ 1,100.1', '$ 998.2'],
  ['Cost of sales', '(604.1)', '(550.0)', '(501.7)'],
  ['Gross margin', '600.2', '550.1', '496.5'],
  ['Net income', '$ 96.2', '$ 88.0', '$ 71.5'],
]

const cellsOf = (rows: string[][], label = '') =>
  rows
    .map(([first, ...others], row) =>
      row === 0
        ? `[], table.cell(colspan: 3, align: center)[${others[0]}]`
        : [`${first}${first ? label : ''}`, ...others]
            .map(cell => `[${cell.replace('$', '\\$')}]`)
            .join(', '),
    )
    .join(',\n')

test('a table of figures is whole, with its labels and heads, however its columns are held together', async () => {
  const columns = 'align: (left, right, right, right)'
  const body = cellsOf(years.slice(1))
  const source = `#set page(width: 612pt, height: 792pt, margin: 60pt)
#set text(size: 10pt)
#let prose = [#lorem(40)]
#prose
#table(columns: (1fr, 60pt, 60pt, 60pt), stroke: none, ${columns}, ${cellsOf(years, ' #box(width: 1fr, repeat[.])')})
#prose
#pagebreak()
#prose
#table(columns: (1fr, 90pt, 90pt, 90pt), stroke: none, row-gutter: 14pt, ${columns}, ${cellsOf(years.slice(1)).replace('[], table.cell(colspan: 3, align: center)[2019]', '[], [2019], [2018], [2017]')})
#prose
#pagebreak()
#prose
#table(columns: (1fr, 60pt, 60pt, 60pt), stroke: none, ${columns}, table.hline(), ${cellsOf(years).replace('],\n[', '], table.hline(start: 1),\n[').replace('[2017],', '[2017], table.hline(),')}, table.hline())
#prose
#pagebreak()
#prose
#table(columns: (1fr, 60pt, 60pt, 60pt), ${columns}, stroke: (x, y) => if y == 0 { 0.5pt } else { (left: if x == 0 { 0.5pt }, right: if x == 3 { 0.5pt }, bottom: if y == 4 { 0.5pt }) }, ${body.replace('[], table.cell(colspan: 3, align: center)[2019]', '[], [2019], [2018], [2017]')})
#prose`
  const { path } = await convertFile('document.pdf-to-docx', files.write(untagged(typeset(source)), 'pdf'))
  expect(tablesOf(path).map(rows => rows.map(row => row.filter(Boolean)))).toEqual(
    [years, years.slice(1), years, years.slice(1)].map(rows => rows.map(row => row.filter(Boolean))),
  )
})

/** A table over three pages with its head on each, as programs break them. */
const BROKEN: [name: string, options: string][] = [
  ['lines around every cell', 'stroke: 0.5pt'],
  ['no lines', 'stroke: none'],
  ['lines of a book', 'stroke: (_, y) => if y == 0 { (top: 0.8pt, bottom: 0.5pt) }'],
]

testFull('a table over several pages is one, whatever is repeated at their ends', async () => {
  const count = 12
  const row = (page: number, index: number) =>
    `[Station ${page * count + index + 1}], [${page === 1 ? 'a longer name here' : 'a name'}], [${(page * 31 + index * 7) % 90}.5]`
  const pages = BROKEN.flatMap(([, options], kind) =>
    [0, 1, 2].map(
      page => `Table ${kind + 1}. Levels of stations${page > 0 ? ' (continued)' : ''}

#table(columns: ${kind === 0 ? '(120pt, 120pt, 60pt)' : '(auto, auto, auto)'}, column-gutter: 20pt, ${options}, [*Station*], [*Place*], [*Level*], ${Array.from({ length: count }, (_, index) => row(page, index)).join(', ')})
${page === 1 ? '\n#text(8pt)[Source: the office of water levels.]' : ''}${page === 2 && kind !== 1 ? '\nText after the table, in a sentence of its own.' : ''}`,
    ),
  )
  const source = `#set page(width: 460pt, height: 420pt, margin: 40pt, numbering: "1")
#set text(size: 10pt)
${pages.join('\n#pagebreak()\n')}`
  const { path } = await convertFile('document.pdf-to-docx', files.write(untagged(typeset(source)), 'pdf'))
  const found = tablesOf(path)
  expect(found.map(rows => rows.length)).toEqual(BROKEN.map(() => 3 * count + 1))
  const whole = `#set page(height: 300pt)
#table(columns: 3, table.header([Station], [Place], [Level]), ${Array.from({ length: 3 * count }, (_, index) => row(0, index)).join(', ')})`
  const tagged = await convertFile('document.pdf-to-docx', files.write(typeset(whole), 'pdf'))
  for (const rows of [...found, ...tablesOf(tagged.path)]) {
    expect(rows).toHaveLength(3 * count + 1)
    expect(rows[0]).toEqual(['Station', 'Place', 'Level'])
    expect(rows.slice(1).map(([first]) => first)).toEqual(
      Array.from({ length: 3 * count }, (_, index) => `Station ${index + 1}`),
    )
  }
})

test('grounds smaller than their cells make no columns, and empty lines across a row part its names', async () => {
  const ground = (text: string, fill = 'luma(60)') =>
    `block(fill: ${fill}, width: 100%, below: 0pt)[#text(white)[*${text}*]]`
  const source = `#set page(width: 500pt, height: 300pt, margin: 40pt)
#set text(size: 10pt)
#set par(leading: 4pt)
#table(columns: (100pt, 160pt, 140pt), stroke: 0.5pt, inset: 6pt,
  ${['Source', 'Definition', 'Examples'].map(text => ground(text)).join(', ')},
  [#block(fill: green.lighten(80%), width: 100%)[Stationary \\ \\ Major \\ \\ \\ Area]],
  [~ \\ ~ \\ Emissions of ten tons \\ or more in a year \\ ~ \\ Emissions of less \\ than ten tons],
  [~ \\ ~ \\ Refineries and \\ power plants \\ ~ \\ Stations and shops])`
  const { path } = await convertFile('document.pdf-to-docx', files.write(untagged(typeset(source)), 'pdf'))
  expect(tablesOf(path)).toEqual([
    [
      ['Source', 'Definition', 'Examples'],
      ['Stationary', '', ''],
      ['Major', 'Emissions of ten tons or more in a year', 'Refineries and power plants'],
      ['Area', 'Emissions of less than ten tons', 'Stations and shops'],
    ],
  ])
})
