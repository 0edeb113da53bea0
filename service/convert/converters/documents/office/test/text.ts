/** Documents made of Markdown and tables, and plain text made of documents. */
import { readFileSync } from 'node:fs'
import {
  Document,
  FootnoteReferenceRun,
  MathRun,
  MathSuperScript,
  Math as Maths,
  Packer,
  Paragraph,
  Textbox,
  TextRun,
} from 'docx'
import { describe, expect, test } from 'vitest'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { few, kinds } from '../../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { typeset, untagged } from '../../../../../../testing/fixtures/typst.ts'
import { savedAs } from '../../../../../../testing/office-files.ts'

const files = testFiles('office-text')
/** A file as pandoc reads it, without its head. */
const read = (path: string, from: string, to = 'plain') =>
  tool('pandoc', '-f', from, '-t', to, '--wrap=none', path)

const structured = `# A heading

See [below](#below) and [the web](https://example.com/?a=1&b=2).

| A | B |
|---|--:|
| 1 | $x<2$ |

## Below
`

testFull('Markdown becomes a Word document with headings, lists and tables', async () => {
  const { path } = await convertFile('document.md-to-docx', files.write(Buffer.from(structured), 'md'))
  const gfm = read(path, 'docx', 'gfm')
  expect(gfm).toMatch(/^# .*A heading/m)
  expect(gfm).toMatch(/^## .*Below/m)
  expect(gfm).toMatch(/\|\s*1\s*\|/)
  expect(gfm).toContain('(https://example.com/?a=1&b=2)')
})

const noted = `A claim[^a], another[^b] and the first again[^a].

| head |
|---|
| cell[^c] |

![a chart](https://example.com/chart.png) [![badge](b.svg)](https://example.com/)

[^a]: The **first** note.

    With a list:

    - point
[^b]: The second.
[^c]: In a table.
`
describe('notes of Markdown', () => {
  const source = files.write(Buffer.from(noted), 'md')
  test.each(few(1, ['docx', 'odt']))(
    'stand at the foot of pages in %s, and pictures elsewhere are named',
    { timeout: 120_000 },
    async target => {
      const { path, warnings } = await convertFile(`document.md-to-${target}`, source)
      const text = read(path, target, 'markdown')
      expect(text).toMatch(/A claim\[\^1\], another\[\^2\] and the first again\^?1/)
      expect(text).toMatch(/cell\[\^3\]/)
      for (const note of [
        /^\[\^1\]: .*The \*\*first\*\* note\./m,
        // Pandoc leaves lists out of the notes of OpenDocument.
        target === 'docx' ? /^ {4}.*point$/m : /./,
        /^\[\^2\]: .*The second\.$/m,
        /^\[\^3\]: .*In a table\.$/m,
      ])
        expect(text).toMatch(note)
      expect(text).toContain('a chart')
      expect(text).toContain('https://example.com/chart.png')
      expect(text).toContain('badge')
      expect(text).not.toContain('↩')
      expect(warnings).toEqual([expect.stringContaining('2 pictures could not be kept')])
    },
  )

  test('are listed in plain text, and in a document where a note has a note', async () => {
    const plain = await convertFile('document.md-to-txt', source)
    const text = readFileSync(plain.path, 'utf8')
    expect(text).toContain('A claim[1], another[2]')
    expect(text).toContain('[1] The first note.')
    expect(text).not.toContain('↩')
    const nested = files.write(Buffer.from('One[^a].\n\n[^a]: First[^b].\n[^b]: Second.\n'), 'md')
    const { path } = await convertFile('document.md-to-docx', nested)
    expect(read(path, 'docx')).toMatch(/\[2\]\s+Second\..*First\[2\]/s)
  })
})

describe('plain text of documents', () => {
  const text = (word: string) => new Paragraph(word)
  const source = new Document({
    footnotes: { 1: { children: [text('Said below.')] } },
    sections: [
      {
        children: [
          new Paragraph({ children: [new TextRun('A claim'), new FootnoteReferenceRun(1)] }),
          new Paragraph({
            children: [
              new MathRun('E=m'),
              new MathSuperScript({ children: [new MathRun('c')], superScript: [new MathRun('2')] }),
            ].map(part => new Maths({ children: [part] })),
          }),
          new Textbox({ children: [text('In a box.')], style: { width: '200pt', height: 'auto' } }),
        ],
      },
    ],
  })

  // LibreOffice reads all but the first.
  test.each(kinds(['docx', 'doc', 'odt', 'rtf'], format => format === 'docx'))(
    'keeps notes and boxes of %s',
    { timeout: 120_000 },
    async format => {
      const written = files.write(await Packer.toBuffer(source), 'docx')
      const path = format === 'docx' ? written : savedAs(files.path(`noted.${format}`), written)
      const { path: result } = await convertFile(`document.${format}-to-txt`, path)
      const found = readFileSync(result, 'utf8')
      expect(found).toMatch(/^A claim\[1\]$/m)
      expect(found).toMatch(/^\[1\] Said below\.$/m)
      // LibreOffice writes no box into RTF.
      if (format !== 'rtf') expect(found).toContain('In a box.')
      if (format === 'docx') expect(found).toContain('E=mc^{2}')
    },
  )
})

const csvOf = (table: string[][]) =>
  `${table.map(row => row.map(cell => `"${cell.replaceAll('"', '""')}"`).join()).join('\n')}\n`
const pages = (csv: string, options = {}) =>
  convertFile('document.csv-to-pdf', files.write(Buffer.from(csv), 'csv'), options)

testFull('a table becomes pages with every cell', async () => {
  const table = Array.from({ length: 200 }, (_, row) => [`Name ${row}`, `${row}.50`, 'é, “x”'])
  const { path } = await pages(csvOf([['who', 'how much', 'note'], ...table]))
  expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors')
  const text = tool('pdftotext', '-layout', path, '-').replaceAll('\f', '')
  for (const [name, amount, note] of table)
    expect(text).toMatch(new RegExp(`^ *${name} +${amount} +${note}$`, 'm'))
  expect((await pages('a\n1.50\n', { values: 'text', rebuild: true })).outputs).toHaveLength(1)
})

testFull(
  'tables of a PDF become sheets of an ODS, which LibreOffice reads with numbers and dates as values',
  async () => {
    const table =
      '#table(columns: 3, table.header([Region], [Revenue], [Booked]), [North], [1,204.32], [03/14/2024], [South], [980.00], [12/31/2023])'
    const pdf = files.write(untagged(typeset(`Table 1: Revenue\n\n${table}`)), 'pdf')
    const { path, warnings } = await convertFile('document.pdf-to-ods', pdf)
    expect(warnings).toEqual([])
    const workbook = savedAs(files.path('tables.xlsx'), path)
    const cells = `import json, sys, openpyxl
print(json.dumps([[[str(c.value) if hasattr(c.value, 'year') else c.value for c in r] for r in s.iter_rows()] for s in openpyxl.load_workbook(sys.argv[1])]))`
    expect(JSON.parse(tool('/usr/bin/python3', '-c', cells, workbook))).toEqual([
      [
        ['Region', 'Revenue', 'Booked'],
        ['North', 1204.32, '2024-03-14 00:00:00'],
        ['South', 980, '2023-12-31 00:00:00'],
      ],
    ])
  },
)
