import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, kinds } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { faultOf, malformed } from '../../../../../testing/malformed.ts'
import { makePdf } from '../../../../../testing/pdf.ts'
import { validatePdfA } from '../../../../../testing/pdfa.ts'

const files = testFiles('pdf-damaged')
const words = ['first page of apples', 'second page of pears', 'third page of plums']
const targets = ['jpg', 'png', 'md', 'docx', 'pdfa'] as const
const small = { jpg: { dpi: 20 }, png: { dpi: 20 }, md: {}, docx: {}, pdfa: {} }
const conforming: string[] = []

/** A PDF of three pages; the same with its objects in compressed streams, as in PDF 1.5. */
let plain: Buffer
let packed: Buffer

beforeAll(async () => {
  const path = await makePdf(files.path('three.pdf'), document => {
    for (const [index, line] of words.entries()) {
      if (index > 0) document.addPage()
      document.fontSize(14).text(`The ${line}.`, 72, 72).rect(72, 200, 100, 40).fill('#c00').fillColor('#000')
    }
  })
  plain = readFileSync(path)
  tool('qpdf', '--object-streams=generate', path, files.path('packed.pdf'))
  packed = readFileSync(files.path('packed.pdf'))
})

/** The text in the output of each target. */
async function textOf(target: (typeof targets)[number], path: string): Promise<string> {
  if (target === 'md') return readFileSync(path, 'utf8')
  if (target === 'docx')
    return Buffer.from(unzipSync(readFileSync(path))['word/document.xml'] ?? []).toString()
  expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors')
  return tool('pdftotext', path, '-')
}

const text = (edit: (content: string) => string) => (bytes: Buffer) =>
  Buffer.from(edit(bytes.toString('latin1')), 'latin1')

const damages: [name: string, damage: (bytes: Buffer) => Buffer][] = [
  ['cut before its trailer', bytes => bytes.subarray(0, bytes.lastIndexOf('startxref'))],
  ['that points to no table', text(content => content.replace(/startxref\s+\d+/g, 'startxref\n7'))],
  ['without a head', text(content => content.replace('%PDF-', '%XYZ-'))],
  ['behind something else', bytes => Buffer.concat([Buffer.from('x'.repeat(3000)), bytes])],
  ['whose line ends were changed', text(content => content.replaceAll('\nendobj', '\r\n\r\nendobj'))],
  ['without a catalogue', text(content => content.replaceAll('/Catalog', '/Catalxx'))],
]

describe.each(
  few(1, [
    ['plain objects', () => plain],
    ['packed objects', () => packed],
  ]),
)('a file of %s', (objects, whole) => {
  // Objects in streams are only visible once the streams are unpacked.
  const visible = damages.filter(([name]) => objects.startsWith('plain') || !name.includes('catalogue'))
  const tried = few(1, visible)
  test.each(tried)('%s has all of its pages', async (_, damage) => {
    const path = files.write(damage(whole()), 'pdf')
    // JPEG is drawn as PNG is, and Word read as Markdown is.
    for (const target of kinds(targets, target => target === 'png' || target === 'md' || target === 'pdfa')) {
      const { path: output, outputs } = await convertFile(`document.pdf-to-${target}`, path, small[target])
      if (target === 'jpg' || target === 'png') {
        expect(outputs).toHaveLength(3)
        expect(tool('identify', '-format', '%k', output)).not.toBe('1')
      } else {
        const found = await textOf(target, output)
        for (const line of words) expect(found).toContain(line)
      }
      if (target === 'pdfa') conforming.push(output)
    }
  })
})

testFull('the remaining pages of a truncated file are found', async () => {
  const content = plain.toString('latin1')
  const [second = 0, third = 0] = [...content.matchAll(/\/Type \/Page\b/g)].map(({ index }) => index).slice(1)
  const path = files.write(plain.subarray(0, (second + third) >> 1), 'pdf')
  expect(() => tool('qpdf', '--show-npages', path)).toThrow()
  for (const target of targets) {
    const { path: output, warnings } = await convertFile(`document.pdf-to-${target}`, path, small[target])
    expect(warnings.join()).toMatch(/cut off or damaged\. (?:One page was|\d pages were) found/)
    if (target !== 'jpg' && target !== 'png') expect(await textOf(target, output)).toContain(words[0])
    if (target === 'pdfa') conforming.push(output)
  }
  const book = await convertFile('ebook.pdf-to-epub', path)
  expect(book.warnings.join()).toContain('cut off or damaged')
})

test('a truncated protected file still asks for its password', async () => {
  const source = files.write(plain, 'pdf')
  tool('qpdf', '--encrypt', 'secret', 'owner', '256', '--', source, files.path('locked.pdf'))
  const bytes = readFileSync(files.path('locked.pdf'))
  const path = files.write(text(content => content.replace(/startxref\s+\d+/, 'startxref\n7'))(bytes), 'pdf')
  await expect(convertFile('document.pdf-to-md', path)).rejects.toMatchObject({
    code: 'jobs.encrypted_input',
  })
  const { path: output } = await convertFile('document.pdf-to-md', path, { password: 'secret' })
  expect(await textOf('md', output)).toContain(words[2])
})

testFull('files made to be slow or large to repair soon fail as damaged', async () => {
  // Enough to be slow if each part were read again for every other.
  const hostile = [
    '/ID ['.repeat(2_000_000),
    `1 0 obj <</Type /Pages ${'/Kids ['.repeat(300_000)}`,
    '1 0 obj '.repeat(1_500_000),
    '1'.repeat(5_000_000),
    Array.from({ length: 200_000 }, (_, index) => `${index + 1} 0 obj<</Type/X>>endobj\n`).join(''),
  ]
  for (const content of hostile) {
    const path = files.write(Buffer.from(`%PDF-1.7\n${content}`), 'pdf')
    await expect(convertFile('document.pdf-to-png', path)).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  }
})

test.each(kinds(targets, target => target !== 'pdfa'))(
  'a randomly damaged file becomes %s or fails as damaged',
  async target => {
    for (const { name, bytes } of [...malformed(plain), ...malformed(packed, 16)]) {
      const path = files.write(bytes, 'pdf')
      try {
        const { path: output } = await convertFile(`document.pdf-to-${target}`, path, small[target])
        if (target === 'pdfa') conforming.push(output)
      } catch (error) {
        expect(faultOf(error), name).toBeUndefined()
      }
    }
  },
)

testFull('all PDF/A files conform', async () => {
  expect(conforming.length).toBeGreaterThan(20)
  expect(await validatePdfA(conforming)).toEqual({})
})
