/** Word files whose parts lead back to themselves, in which LibreOffice would go round until its stack is full. */
import { expect, test } from 'vitest'
import { officeFiles, toPdf } from '../../../../../../testing/office-pdf.ts'
import { kinds } from '../../../../../../testing/samples/full.ts'
import { docx } from '../../../../../../testing/samples/office.ts'

const { write } = officeFiles('office-cycles')

const style = (id: string, based: string, type = 'paragraph') =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${based}"/></w:style>`
const styles = (...each: string[]) => [
  {
    name: 'word/styles.xml',
    content: `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${each.join('')}</w:styles>`,
  },
]
const body = '<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>All of the text</w:t></w:r></w:p>'
const head = '<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr></w:pPr></w:p>'

const cycles: [name: string, bytes: Buffer][] = [
  ['two styles', docx({ body, parts: styles(style('A', 'B'), style('B', 'A')) })],
  ['styles behind others', docx({ body, parts: styles(style('A', 'B'), style('B', 'C'), style('C', 'B')) })],
  ['styles of two kinds', docx({ body, parts: styles(style('A', 'B'), style('B', 'A', 'character')) })],
  [
    'the document as its header',
    docx({ body: body + head, links: [{ id: 'h', type: 'header', target: 'document.xml' }] }),
  ],
]
const tried = kinds(cycles, ([name]) => name === 'styles behind others' || name.startsWith('the document'))

test.each(tried)('a cycle of %s', async (name, bytes) => {
  const { text, warnings } = await toPdf('docx-to-pdf', write(`${name}.docx`, bytes))
  expect(text).toContain('All of the text')
  expect(warnings).toEqual([])
})
