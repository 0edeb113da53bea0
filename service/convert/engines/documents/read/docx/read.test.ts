import { expect, test } from 'vitest'
import { docx } from '../../../../../../testing/fixtures/office.ts'
import { type Block, plainText } from '../../model.ts'
import { formatNumber } from '../../number-format.ts'
import { readDocx } from './read.ts'

/** Blocks as lines: the kind and the text. */
function shown(blocks: readonly Block[]): string[] {
  return blocks.flatMap(block => {
    if (block.kind === 'heading') return [`h${block.level} ${plainText(block.content)}`]
    if (block.kind === 'paragraph') return [`p ${plainText(block.content)}`]
    if (block.kind === 'code') return [`code ${block.text}`]
    if (block.kind === 'quote') return shown(block.blocks).map(line => `> ${line}`)
    if (block.kind === 'list') return block.items.flatMap(shown).map(line => `- ${line}`)
    if (block.kind !== 'table') return [block.kind]
    return block.rows.map(({ cells }) => `| ${cells.map(cell => shown(cell.blocks).join()).join(' | ')}`)
  })
}

const read = (body: string, paragraphs: string[] = []) => shown(readDocx(docx({ paragraphs, body })).blocks)
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const cell = (text: string, more = '') => `<w:tc><w:tcPr>${more}</w:tcPr><w:p>${run(text)}</w:p></w:tc>`

test.each<[string, string, string[]]>([
  ['paragraphs', `<w:p>${run('a ')}${run('b')}</w:p><w:p/><w:p>${run('c')}</w:p>`, ['p a b', 'p c']],
  [
    'insertions, and no deletions',
    `<w:p>${run('a ')}<w:ins w:id="1" w:author="x">${run('new ')}</w:ins><w:del w:id="2" w:author="x"><w:r><w:delText>old </w:delText></w:r></w:del>${run('b')}</w:p>`,
    ['p a new b'],
  ],
  ['no hidden text', `<w:p>${run('a')}<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>`, ['p a']],
  ['what fields show', `<w:p><w:fldSimple w:instr="AUTHOR">${run('Ann')}</w:fldSimple></w:p>`, ['p Ann']],
  [
    'tables',
    `<w:tbl><w:tr>${cell('1')}${cell('2')}</w:tr><w:tr>${cell('3', '<w:gridSpan w:val="2"/>')}</w:tr></w:tbl><w:p/>`,
    ['| p 1 | p 2', '| p 3'],
  ],
  [
    'no deleted rows',
    `<w:tbl><w:tr>${cell('1')}${cell('2')}</w:tr><w:tr><w:trPr><w:del w:id="3" w:author="x"/></w:trPr><w:tc><w:p><w:del w:id="4" w:author="x"><w:r><w:delText>3</w:delText></w:r></w:del></w:p></w:tc></w:tr></w:tbl><w:p/>`,
    ['| p 1 | p 2'],
  ],
  [
    'the newer of two alternatives',
    '<w:p xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:AlternateContent><mc:Choice Requires="w"><w:r><w:t>new</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>old</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>',
    ['p new'],
  ],
])('%s', (_, body, expected) => {
  expect(read(body)).toEqual(expected)
})

test('a heading by its style, and cells over several columns', () => {
  expect(read('', ['Title', 'Text'])).toEqual(['h1 Title', 'p Text'])
  const rows = `<w:tr>${cell('1', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('2')}${cell('3')}</w:tr>`
  const body = `<w:tbl>${rows}</w:tbl><w:p/>`
  const [table] = readDocx(docx({ body })).blocks
  expect(table).toMatchObject({
    kind: 'table',
    rows: [{ cells: [{ columns: 2, rows: 1 }] }, { cells: [{ columns: 1 }, { columns: 1 }] }],
  })
})

test.each([
  ['no document', Buffer.from('This is a letter.'), 'jobs.corrupt_input'],
  ['half a document', docx({ paragraphs: ['a'] }).subarray(0, 300), 'jobs.corrupt_input'],
])('%s is refused', (_, bytes, code) => {
  expect(() => readDocx(bytes)).toThrow(expect.objectContaining({ code }))
})

test.each([
  [4, 'decimal', '4'],
  [4, 'decimalZero', '04'],
  [28, 'lowerLetter', 'bb'],
  [26, 'upperLetter', 'Z'],
  [1994, 'upperRoman', 'MCMXCIV'],
  [49, 'lowerRoman', 'xlix'],
  [4000, 'upperRoman', '4000'],
  [0, 'lowerLetter', '0'],
  [7, 'none', ''],
  [7, 'chicago', '7'],
])('%i in %s is %s', (number, format, text) => {
  expect(formatNumber(number, format)).toBe(text)
})
