import { expect, test } from 'vitest'
import { compound } from '../../../../../../testing/compound.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../../../testing/fixtures/full.ts'
import { docx, xlsx } from '../../../../../../testing/fixtures/office.ts'
import { officeFiles, toPdf, words } from '../../../../../../testing/office-pdf.ts'

const { write, written } = officeFiles('office-hostile')

const good = docx({ paragraphs: words })
const bomb = () => {
  const { buffer } = new Uint8Array(6_000_000)
  return docx({ paragraphs: words, parts: [{ name: 'word/bomb.xml', content: new Uint8Array(buffer) }] })
}
/** Changes the unpacked size in the directory to a wrong one. */
const lying = (file: Buffer, bytes: number) => {
  const copy = Buffer.from(file)
  const name = copy.lastIndexOf('word/bomb.xml')
  copy.writeUInt32LE(bytes, name - 46 + 24)
  return copy
}

const files: [name: string, job: string, bytes: () => Uint8Array, code: string][] = [
  ['empty', 'docx-to-pdf', () => Buffer.alloc(0), 'jobs.corrupt_input'],
  ['noise', 'docx-to-pdf', () => Buffer.from('no document at all'), 'jobs.corrupt_input'],
  ['cut off', 'docx-to-pdf', () => good.subarray(0, good.length >> 1), 'jobs.corrupt_input'],
  ['a web page', 'doc-to-pdf', () => Buffer.from('<html><body>x</body></html>'), 'jobs.unsupported_input'],
  ['a workbook', 'docx-to-pdf', () => xlsx({ S: [['x']] }), 'jobs.corrupt_input'],
  ['a text document', 'pptx-to-png', () => good, 'jobs.corrupt_input'],
  [
    'a container of nothing',
    'doc-to-pdf',
    () => compound({ Other: Buffer.alloc(5000) }),
    'jobs.corrupt_input',
  ],
  [
    'a cut off container',
    'doc-to-pdf',
    () => compound({ Document: Buffer.alloc(9000) }).subarray(0, 4000),
    'jobs.corrupt_input',
  ],
  [
    'a Word document of zeros',
    'doc-to-pdf',
    () => compound({ Document: Buffer.alloc(9000) }),
    'jobs.corrupt_input',
  ],
  ['larger than it says', 'docx-to-pdf', () => lying(bomb(), 1000), 'jobs.corrupt_input'],
  ['larger than allowed', 'docx-to-pdf', () => lying(bomb(), 2 ** 31), 'jobs.too_large'],
  ['broken XML', 'docx-to-pdf', () => docx({ body: '<w:p><w:r>' }), 'jobs.corrupt_input'],
]

test.each(kinds(files, ([name]) => !/^larger/.test(name)))('%s', async (_, job, bytes, code) => {
  const [source = ''] = job.split('-')
  await expect(convertFile(`document.${job}`, write(`bad.${source}`, bytes()))).rejects.toMatchObject({
    code,
  })
})

test('the engine still works afterwards', async () => {
  expect((await toPdf('docx-to-pdf', written.docx())).text).toContain(words[2])
})
