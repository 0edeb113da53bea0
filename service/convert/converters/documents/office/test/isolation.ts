import { writeFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { docx, pictureOf, xlsx } from '../../../../../../testing/fixtures/office.ts'
import { officeFiles, toPdf, words } from '../../../../../../testing/office-pdf.ts'

const { files, write } = officeFiles('office-isolation')

const secret = 'secret-of-the-host'

testFull('linked pictures and files', async () => {
  tool('convert', '-size', '40x40', 'xc:red', files.path('host.png'))
  const targets = [
    'https://example.com/image.png',
    `file://${files.path('host.png')}`,
    files.path('host.png'),
  ]
  for (const [index, target] of targets.entries()) {
    const source = write(
      `link${index}.docx`,
      docx({
        paragraphs: words,
        body: pictureOf('x', 'link'),
        links: [{ id: 'x', type: 'image', target, external: true }],
      }),
    )
    const { pdf, text } = await toPdf('docx-to-pdf', source)
    expect(text).toContain(words[1])
    expect(tool('pdfimages', '-list', pdf).trim().split('\n')).toHaveLength(2)
  }
})

test('fields and templates that name files', async () => {
  writeFileSync(files.path('host.txt'), secret)
  const source = write(
    'field.docx',
    docx({
      paragraphs: words,
      body: `<w:p><w:fldSimple w:instr=" INCLUDETEXT &quot;${files.path('host.txt')}&quot; "><w:r><w:t>kept</w:t></w:r></w:fldSimple></w:p>`,
      links: [
        { id: 'x', type: 'attachedTemplate', target: `file://${files.path('host.txt')}`, external: true },
      ],
    }),
  )
  const { text } = await toPdf('docx-to-pdf', source)
  expect(text).toContain(words[1])
  expect(text).not.toContain(secret)
  const field = write(
    'field.rtf',
    Buffer.from(
      `{\\rtf1 before {\\field{\\*\\fldinst INCLUDETEXT "${files.path('host.txt')}"}{\\fldrslt kept}} after}`,
    ),
  )
  expect((await toPdf('rtf-to-pdf', field)).text).not.toContain(secret)
})

testFull('formulas that refer to files or addresses', async () => {
  const source = xlsx({ S: [['before']] })
  writeFileSync(files.path('host.csv'), `${secret},1`)
  const formula = `'file://${files.path('host.csv')}'#$host.A1`
  const path = write('formula.xlsx', source)
  expect((await toPdf('xlsx-to-pdf', path)).text).toContain('before')
  // The same workbook with a formula instead of its text.
  const parts = unzipSync(source)
  const sheet = strFromU8(parts['xl/worksheets/sheet0.xml'] as Uint8Array)
  parts['xl/worksheets/sheet0.xml'] = strToU8(
    sheet.replace('</row>', `<c><f>${formula}</f></c><c><f>WEBSERVICE("http://127.0.0.1:1/")</f></c></row>`),
  )
  const { text } = await toPdf('xlsx-to-pdf', write('formula.xlsx', zipSync(parts)))
  expect(text).not.toContain(secret)
})
