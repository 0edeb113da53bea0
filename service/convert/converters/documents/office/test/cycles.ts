/** Word files whose parts lead back to themselves, in which LibreOffice would go round without end. */
import { expect, test } from 'vitest'
import { docx } from '../../../../../../testing/fixtures/office.ts'
import { officeFiles, toPdf } from '../../../../../../testing/office-pdf.ts'

const { write } = officeFiles('office-cycles')

const body = '<w:p><w:r><w:t>All of the text</w:t></w:r></w:p>'
const head = '<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr></w:pPr></w:p>'

test('a cycle of the document as its header', async () => {
  const links = [{ id: 'h', type: 'header', target: 'document.xml' }]
  const { text, warnings } = await toPdf(
    'docx-to-pdf',
    write('header.docx', docx({ body: body + head, links })),
  )
  expect(text).toContain('All of the text')
  expect(warnings).toEqual([])
})
