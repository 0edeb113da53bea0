import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../../testing/fixtures/full.ts'
import { corpusFile, hasCorpus, tool } from '../../../../../../testing/fixtures/media.ts'
import { docx, xlsx } from '../../../../../../testing/fixtures/office.ts'
import { faultOf, malformed } from '../../../../../../testing/malformed.ts'
import { officeFiles, toPdf, words } from '../../../../../../testing/office-pdf.ts'
import { encrypted, standardEncrypted, xls } from '../../../../../../testing/office-protected.ts'

const { files, write, written } = officeFiles('office-protection')

const password = 'pässword'
const content = () => docx({ paragraphs: words })

const ways: [name: string, job: string, bytes: () => Buffer][] = [
  ['of Word', 'docx-to-pdf', () => encrypted(content(), password)],
  ['of Word 2007', 'docx-to-pdf', () => standardEncrypted(content(), password)],
]

test.each(few(1, ways))('a password opens those %s', async (name, job, bytes) => {
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

testFull('workbooks that Excel only protects from changes open without a password', async () => {
  const path = write(
    'readonly.xlsx',
    encrypted(xlsx({ Values: words.map(word => [word]) }), 'VelvetSweatshop'),
  )
  expect((await toPdf('xlsx-to-pdf', path)).text).toContain(words[1])
})

const oldOffice = { code: 'jobs.encrypted_input', detail: expect.stringContaining('Office 97 to 2003') }

test('those of Excel 97 to 2003 with a password have to be saved again', async () => {
  const path = write('old.xlsx', xls(words, { isProtected: true }))
  await expect(convertFile('document.xlsx-to-pdf', path, { password })).rejects.toMatchObject(oldOffice)
})

testFull('damaged ones only fail with an error for damage or protection', async () => {
  const whole = standardEncrypted(content(), password)
  for (const { bytes } of malformed(whole)) {
    const path = write('damaged.docx', bytes)
    const converted = convertFile('document.docx-to-pdf', path, { password }).then(() => undefined)
    const failure = await converted.catch((error: unknown) => error)
    if (failure !== undefined) expect(faultOf(failure)).toBeUndefined()
  }
})

describeFull('corpus', hasCorpus, () => {
  test('of Word itself', async () => {
    const path = corpusFile('docx/testWORD_protected_passtika.docx')
    expect((await toPdf('docx-to-pdf', path, { password: 'tika' })).text.trim()).not.toBe('')
    const refused = convertFile('document.word-to-png', path)
    await expect(refused).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
  })
})

testFull('so do those of Word', async () => {
  const bytes = readFileSync(written.doc())
  // fEncrypted is in the FIB, whose magic number is at the start of the stream and so of a sector.
  let start = 512
  while (bytes.readUInt16LE(start) !== 0xa5ec) start += 64
  bytes[start + 11]! |= 0x01
  const refused = convertFile('document.doc-to-pdf', write('locked.doc', bytes), { password })
  await expect(refused).rejects.toMatchObject(oldOffice)
})
