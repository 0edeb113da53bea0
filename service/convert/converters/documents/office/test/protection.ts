import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeFull } from '../../../../../../testing/describe-full.ts'
import { faultOf, malformed } from '../../../../../../testing/malformed.ts'
import { officeFiles, toPdf, words } from '../../../../../../testing/office-pdf.ts'
import {
  encrypted,
  protectedDoc,
  protectedXls,
  type Rc4Kind,
  standardEncrypted,
} from '../../../../../../testing/office-protected.ts'
import { convertFile } from '../../../../../../testing/samples/convert.ts'
import { kinds } from '../../../../../../testing/samples/full.ts'
import { hasCorpus, sample, tool } from '../../../../../../testing/samples/media.ts'
import { docx } from '../../../../../../testing/samples/office.ts'

const { files, write, written } = officeFiles('office-protection')

const password = 'pässword'
const content = () => docx({ paragraphs: words })
const oldDoc = (kind: Rc4Kind) => () => protectedDoc(readFileSync(written.doc()), kind, password)

const ways: [name: string, job: string, bytes: () => Buffer][] = [
  ['of Word', 'docx-to-pdf', () => encrypted(content(), password)],
  ['of Word 2007', 'docx-to-pdf', () => standardEncrypted(content(), password)],
  ['of Word 2002', 'doc-to-pdf', oldDoc('cryptoapi')],
  ['of Word 97', 'doc-to-pdf', oldDoc('office97')],
  ['of Excel 2002', 'xlsx-to-pdf', () => protectedXls(words, 'cryptoapi', password)],
  ['of Excel 97', 'xlsx-to-pdf', () => protectedXls(words, 'office97', password)],
]
// Of the two older kinds, one in a document and the other in a workbook.
const tried = kinds(ways, ([name]) => name !== 'of Word 97' && name !== 'of Excel 2002')

test.each(tried)('a password opens those %s', async (name, job, bytes) => {
  const path = write(`${name}.${job.split('-')[0]}`, bytes())
  // Another program confirms that the file is valid.
  tool('msoffcrypto-tool', '-p', password, path, files.path('opened'))
  const { text } = await toPdf(job, path, { password })
  for (const line of words) expect(text).toContain(line)
  for (const [given, detail] of [
    ['wrong', /does not open/],
    [undefined, /password-protected/],
  ] as const) {
    const refused = convertFile(`document.${job}`, path, given ? { password: given } : {})
    await expect(refused).rejects.toMatchObject({
      code: 'jobs.encrypted_input',
      detail: expect.stringMatching(detail),
    })
  }
})

test('workbooks that Excel only protects from changes open without a password', async () => {
  const path = write('readonly.xlsx', protectedXls(words, 'cryptoapi', 'VelvetSweatshop'))
  expect((await toPdf('xlsx-to-pdf', path)).text).toContain(words[1])
})

test('damaged ones only fail with an error for damage or protection', async () => {
  const whole = protectedXls(words, 'cryptoapi', password)
  for (const { bytes } of malformed(whole)) {
    const path = write('damaged.xlsx', bytes)
    const converted = convertFile('document.xlsx-to-pdf', path, { password }).then(() => undefined)
    const failure = await converted.catch((error: unknown) => error)
    if (failure !== undefined) expect(faultOf(failure)).toBeUndefined()
  }
})

describeFull('samples', hasCorpus, () => {
  test('of Word itself', async () => {
    const path = sample('docx/testWORD_protected_passtika.docx')
    expect((await toPdf('docx-to-pdf', path, { password: 'tika' })).text.trim()).not.toBe('')
    const refused = convertFile('document.word-to-png', path)
    await expect(refused).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
  })
})

test('other kinds of protection are reported', async () => {
  const bytes = readFileSync(written.doc())
  // fEncrypted and fObfuscated are in the FIB, whose magic number is at the start of the stream and so of a sector.
  let start = 512
  while (bytes.readUInt16LE(start) !== 0xa5ec) start += 64
  bytes[start + 11]! |= 0x81
  const refused = convertFile('document.doc-to-pdf', write('locked.doc', bytes), { password })
  await expect(refused).rejects.toMatchObject({
    code: 'jobs.encrypted_input',
    detail: expect.stringContaining('cannot be opened'),
  })
})
