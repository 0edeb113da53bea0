import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CompoundFile } from '../../../engines/formats/compound.ts'
import { stop } from '../../../engines/office/engine.ts'
import { report } from '../../../engines/office/report.ts'
import { compound } from '../../../test/compound.ts'
import { convertFile, measureFile } from '../../../test/convert.ts'
import { testFiles } from '../../../test/files.ts'
import { malformed } from '../../../test/malformed.ts'
import { corpus, hasCorpus, sample, tool } from '../../../test/media.ts'
import {
  docx,
  encrypted,
  legacyDoc,
  pageBreak,
  paragraph,
  pictureOf,
  pptx,
  rtf,
  xlsx,
} from '../../../test/office.ts'
import {
  protectedDoc,
  protectedXls,
  type Rc4Kind,
  standardEncrypted,
} from '../../../test/office-protected.ts'
import { validatePdfA } from '../../../test/pdfa.ts'
import { decode } from '../../../test/pictures.ts'
import { layouts, makeStatement } from '../../../test/statements.ts'

const files = testFiles('office')
const words = ['Quarterly report', 'The quick brown fox', 'jumps over 12 lazy dogs']

const realHome = process.env.HOME

/** A home folder with a font of the user. */
beforeAll(() => {
  const home = files.path('home')
  const font = join(import.meta.dirname, '../../../../resources/fonts/Tinos-Regular.ttf')
  mkdirSync(join(home, '.fonts'), { recursive: true })
  copyFileSync(font, join(home, '.fonts', 'own.ttf'))
  process.env.HOME = home
})

afterAll(async () => {
  process.env.HOME = realHome
  await stop()
})

const write = (name: string, bytes: Uint8Array) => {
  writeFileSync(files.path(name), bytes)
  return files.path(name)
}

/** Converts a file, and has other programs check that the PDF is valid and complete. */
async function toPdf(job: string, path: string, options: Record<string, unknown> = {}) {
  const { path: pdf, warnings } = await convertFile(`document.${job}`, path, options)
  expect(tool('qpdf', '--check', pdf)).toContain('No syntax or stream encoding errors')
  const fonts = tool('pdffonts', pdf).trim().split('\n').slice(2)
  for (const font of fonts) expect(font).toMatch(/ yes (yes|no) +(yes|no) +\d+ +\d+$/)
  return { pdf, warnings, fonts: fonts.join('\n'), text: tool('pdftotext', '-layout', pdf, '-') }
}

const pageCount = (pdf: string) => Number(/Pages:\s+(\d+)/.exec(tool('pdfinfo', pdf))?.[1])

/** Writers of `words`, by format. */
const written: Record<string, () => string> = {
  docx: () => write('w.docx', docx({ paragraphs: words })),
  rtf: () => write('w.rtf', rtf(words)),
  pptx: () => write('w.pptx', pptx(words)),
  xlsx: () => write('w.xlsx', xlsx({ Sheet: words.map(text => [text]) })),
  doc: () => legacyDoc(files.path('w.doc'), write('w.docx', docx({ paragraphs: words }))),
}

test('the workbook of a bank statement opens with the same dates and amounts', async () => {
  const truth = await makeStatement(files.path('statement.pdf'), layouts[0]!, 8)
  const converted = await convertFile('document.bank-statement-to-excel', truth.path)
  copyFileSync(converted.path, files.path('statement.xlsx'))
  const { text } = await toPdf('xlsx-to-pdf', files.path('statement.xlsx'))
  const [transactions = ''] = text.split('Check')
  const dates = [...transactions.matchAll(/\d{4}-\d\d-\d\d/g)].map(String)
  expect(dates).toEqual(truth.transactions.map(({ date }) => date))
  const sums = [...transactions.matchAll(/-?[\d,]+\.\d\d/g)].map(([sum]) => Number(sum.replaceAll(',', '')))
  expect(sums).toEqual(
    truth.transactions.flatMap(({ amount, balance }) => [amount / 100, (balance ?? 0) / 100]),
  )
})

const conformant: string[] = []

test.each([
  ['docx-to-pdf', 'docx'],
  ['docx-to-pdfa', 'docx'],
  ['word-to-pdf', 'docx'],
  ['word-to-pdfa', 'docx'],
  ['doc-to-pdf', 'doc'],
  ['doc-to-pdfa', 'doc'],
  ['rtf-to-pdf', 'rtf'],
  ['xlsx-to-pdf', 'xlsx'],
  ['xlsx-to-pdfa', 'xlsx'],
  ['pptx-to-pdf', 'pptx'],
  ['pptx-to-pdfa', 'pptx'],
])('%s keeps every word, with fonts embedded', async (job, format) => {
  const { pdf, text } = await toPdf(job, (written[format] as () => string)())
  for (const line of words) expect(text).toContain(line)
  expect(pageCount(pdf)).toBe(format === 'pptx' ? 3 : 1)
  if (job.endsWith('pdfa')) conformant.push(pdf)
})

test.each([
  ['pptx-to-jpg', 'pptx', 3],
  ['pptx-to-png', 'pptx', 3],
  ['word-to-jpg', 'docx', 1],
  ['word-to-png', 'doc', 1],
])('%s draws every page', async (job, format, pages) => {
  const { outputs } = await convertFile(`document.${job}`, (written[format] as () => string)(), { dpi: 72 })
  expect(outputs).toHaveLength(pages)
  const { width, height, data } = decode(outputs[0]?.path ?? '')
  expect([width, height]).toEqual(format === 'pptx' ? [720, 540] : [596, 842])
  expect(data.some(value => value < 100)).toBe(true)
})

describe('options', () => {
  const pages = (count: number) =>
    write(
      `p${count}.docx`,
      docx({
        paragraphs: ['Page 1'],
        body: Array.from({ length: count - 1 }, (_, i) => pageBreak + paragraph(`Page ${i + 2}`)).join(''),
      }),
    )

  test('pages', async () => {
    const { pdf, text } = await toPdf('docx-to-pdf', pages(5), { pages: '2-3,5' })
    expect(pageCount(pdf)).toBe(3)
    expect([...text.matchAll(/Page \d/g)].map(String)).toEqual(['Page 2', 'Page 3', 'Page 5'])
    const none = convertFile('document.docx-to-pdf', pages(5), { pages: '9' })
    await expect(none).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })

  test('bookmarks and tags, or none', async () => {
    const source = (written.docx as () => string)()
    const rich = readFileSync((await toPdf('docx-to-pdf', source)).pdf, 'latin1')
    expect(rich).toContain('/Outlines')
    expect(rich).toContain('/StructTreeRoot')
    const options = { bookmarks: false, tagged: false }
    const plain = readFileSync((await toPdf('docx-to-pdf', source, options)).pdf, 'latin1')
    expect(plain).not.toMatch(/\/Outlines|\/StructTreeRoot/)
  })

  test('comments, except in PDF/A', async () => {
    const source = write(
      'comment.docx',
      docx({
        paragraphs: words,
        body: '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>noted</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>',
        links: [{ id: 'c', type: 'comments', target: 'comments.xml' }],
        parts: [
          {
            name: 'word/comments.xml',
            content:
              '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="0" w:author="Ann" w:date="2024-01-01T00:00:00Z"><w:p><w:r><w:t>A remark</w:t></w:r></w:p></w:comment></w:comments>',
            type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml',
          },
        ],
      }),
    )
    const annotated = async (job: string, options: Record<string, unknown>) =>
      readFileSync((await toPdf(job, source, options)).pdf, 'latin1').includes('/Subtype /Text')
    expect(await annotated('docx-to-pdf', { comments: true })).toBe(true)
    expect(await annotated('docx-to-pdf', {})).toBe(false)
    const { pdf } = await toPdf('docx-to-pdfa', source)
    conformant.push(pdf)
  })

  test('hidden slides', async () => {
    const source = write('hidden.pptx', pptx(['one', '-two', 'three']))
    expect(pageCount((await toPdf('pptx-to-pdf', source)).pdf)).toBe(2)
    expect(pageCount((await toPdf('pptx-to-pdf', source, { hiddenSlides: true })).pdf)).toBe(3)
  })

  test('speaker notes', async () => {
    const source = write('notes.pptx', pptx(['one', 'two'], ['Breathe here', 'Smile <now>']))
    const plain = await toPdf('pptx-to-pdf', source)
    expect(pageCount(plain.pdf)).toBe(2)
    expect(plain.text).not.toContain('Breathe')
    const { pdf, text } = await toPdf('pptx-to-pdf', source, { notes: true })
    expect(pageCount(pdf)).toBe(4)
    for (const note of ['Breathe here', 'Smile <now>']) expect(text).toContain(note)
  })

  test('each sheet on one page', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => [`row ${i}`, i])
    const source = write('long.xlsx', xlsx({ Long: rows, Short: [['end']] }))
    expect(pageCount((await toPdf('xlsx-to-pdf', source)).pdf)).toBeGreaterThan(3)
    const { pdf, text } = await toPdf('xlsx-to-pdf', source, { singlePageSheets: true })
    expect(pageCount(pdf)).toBe(2)
    expect(text).toContain('row 199')
  })

  test('resolution and compression of pictures', async () => {
    tool('convert', '-size', '900x900', 'plasma:red-blue', files.path('big.png'))
    const source = write(
      'picture.docx',
      docx({
        body: pictureOf('i', 'embed'),
        links: [{ id: 'i', type: 'image', target: 'media/big.png' }],
        parts: [{ name: 'word/media/big.png', content: readFileSync(files.path('big.png')) }],
      }),
    )
    const image = async (images: Record<string, unknown>) => {
      const { pdf } = await toPdf('docx-to-pdf', source, { images })
      return tool('pdfimages', '-list', pdf).trim().split('\n')[2]?.trim().split(/\s+/) ?? []
    }
    expect((await image({}))[8]).toBe('jpeg')
    const lossless = await image({ compression: 'lossless' })
    expect([lossless[3], lossless[8]]).toEqual(['900', 'image'])
    expect(Number((await image({ maxDpi: 100 }))[3])).toBeLessThan(220)
  })

  test('versions of PDF/A', async () => {
    const source = (written.docx as () => string)()
    const { pdf: third } = await toPdf('docx-to-pdfa', source, { version: '3b' })
    expect(await validatePdfA([third], '3b')).toEqual({})
    expect(await validatePdfA([third], '2b')).not.toEqual({})
  })
})

describe('workbooks', () => {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  /** A workbook whose style part has these number formats, with this content in its only sheet. */
  const workbook = async (formats: readonly string[], sheet: string) => {
    const { strToU8, unzipSync, zipSync } = await import('fflate')
    const parts = unzipSync(xlsx({ Values: [] }))
    const text = (name: string) => Buffer.from(parts[name] ?? []).toString()
    const put = (name: string, content: string) => {
      parts[name] = strToU8(content)
    }
    put('xl/worksheets/sheet0.xml', `<?xml version="1.0"?><worksheet xmlns="${main}">${sheet}</worksheet>`)
    put(
      'xl/styles.xml',
      `<?xml version="1.0"?><styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.map((code, index) => `<numFmt numFmtId="${170 + index}" formatCode="${code}"/>`).join('')}</numFmts><fonts count="1"><font><sz val="10"/><name val="Liberation Sans"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellXfs count="${formats.length + 1}"><xf/>${formats.map((_, index) => `<xf numFmtId="${170 + index}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    )
    put(
      '[Content_Types].xml',
      text('[Content_Types].xml').replace(
        '</Types>',
        '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>',
      ),
    )
    put(
      'xl/_rels/workbook.xml.rels',
      text('xl/_rels/workbook.xml.rels').replace(
        '</Relationships>',
        '<Relationship Id="st" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
      ),
    )
    return Buffer.from(zipSync(parts))
  }

  test('values are shown in the formats of ECMA-376 part 1, 18.8.31; hidden ones are not', async () => {
    const shown: [string, number, string][] = [
      ['yyyy\\-mm\\-dd', 45_292, '2024-01-01'],
      ['d/m/yy', 45_350, '28/2/24'],
      ['hh:mm:ss', 0.75, '18:00:00'],
      ['[h]:mm', 1.5, '36:00'],
      ['0.0%', 0.256, '25.6%'],
      ['#,##0.00', 1_234_567.891, '1,234,567.89'],
      ['#,##0;(#,##0)', -5000, '(5,000)'],
      ['0.00E+00', 12_345, '1.23E+04'],
      ['# ?/?', 2.5, '2 1/2'],
      ['&quot;No. &quot;000', 7, 'No. 007'],
    ]
    const width = '<cols><col min="1" max="1" width="30" customWidth="1"/></cols>'
    const rows = shown.map(
      ([, value], index) =>
        `<row r="${index + 1}"><c r="A${index + 1}" s="${index + 1}"><v>${value}</v></c></row>`,
    )
    const more = [
      '<row r="20"><c r="A20" t="b"><v>1</v></c></row>',
      '<row r="21"><c r="A21" t="e"><v>#DIV/0!</v></c></row>',
      '<row r="22"><c r="A22"><f>6*7</f><v>42</v></c></row>',
      '<row r="23" hidden="1"><c r="A23" t="inlineStr"><is><t>concealed</t></is></c></row>',
    ]
    const sheet = `${width}<sheetData>${rows.join('')}${more.join('')}</sheetData>`
    const source = write(
      'formats.xlsx',
      await workbook(
        shown.map(([code]) => code),
        sheet,
      ),
    )
    const { text } = await toPdf('xlsx-to-pdf', source)
    const lines = text.split('\n').map(line => line.trim())
    for (const [code, , wanted] of shown) expect(lines, code).toContain(wanted)
    for (const wanted of ['TRUE', '#DIV/0!', '42']) expect(lines).toContain(wanted)
    expect(text).not.toContain('concealed')
  })

  test('formulas without results are calculated if the workbook requests it', async () => {
    const { unzipSync, zipSync, strToU8, strFromU8 } = await import('fflate')
    const parts = unzipSync(xlsx({ S: [[19, 23]] }))
    const edit = (name: string, from: string, to: string) => {
      parts[name] = strToU8(strFromU8(parts[name] as Uint8Array).replace(from, to))
    }
    // Of the last two, one has a result, and the other needs a missing file.
    const cells = '<c><f>A1+B1</f><v>0</v></c><c><f>A1*B1</f><v>77</v></c><c><f>[1]S!A1+1</f><v>0</v></c>'
    edit('xl/worksheets/sheet0.xml', '</row>', `${cells}</row>`)
    const shown = async () => {
      const { text } = await toPdf('xlsx-to-pdf', write('uncalculated.xlsx', zipSync(parts)))
      return text.trim().split(/\s+/)
    }
    expect(await shown()).toEqual(['19', '23', '0', '77', '0'])
    edit('xl/workbook.xml', '</sheets>', '</sheets><calcPr fullCalcOnLoad="1"/>')
    expect(await shown()).toEqual(['19', '23', '42', '77', '0'])
  })
})

describe('fonts', () => {
  test('fonts for Chinese, Japanese, Korean and emoji come with Refile', async () => {
    const text = '標題 體繁 日本語のテキスト 한국어 문서 ㄱ 뷁 😀'
    for (const [job, path] of [
      ['docx-to-pdfa', write('cjk.docx', docx({ paragraphs: [text] }))],
      ['word-to-pdfa', legacyDoc(files.path('cjk.doc'), files.path('cjk.docx'))],
    ] as const) {
      const { pdf, fonts, text: found } = await toPdf(job, path)
      expect(found.replace(/\s/g, '')).toContain(text.replace(/\s/g, ''))
      for (const family of [/NotoSansSC/, /NanumGothic/, /NotoEmoji/]) expect(fonts).toMatch(family)
      conformant.push(pdf)
    }
    expect((await toPdf('rtf-to-pdf', write('cjk.rtf', rtf([text])))).fonts).toMatch(/NotoSansSC/)
    // A Windows font that is named but not installed.
    const korean = docx({ paragraphs: ['제목', '본문입니다 漢字'], font: 'Batang' })
    const { fonts, text: found } = await toPdf('docx-to-pdf', write('korean.docx', korean))
    expect(found).toContain('본문입니다 漢字')
    expect(fonts).toMatch(/NanumGothic[\s\S]*NotoSansSC|NotoSansSC[\s\S]*NanumGothic/)
  })

  test('Office fonts have metric-compatible replacements', async () => {
    const { fonts } = await toPdf(
      'docx-to-pdf',
      write('c.docx', docx({ paragraphs: words, font: 'Calibri' })),
    )
    expect(fonts).toMatch(/Carlito/)
  })

  test("the user's own fonts are used", async () => {
    const { fonts } = await toPdf('docx-to-pdf', write('t.docx', docx({ paragraphs: words, font: 'Tinos' })))
    expect(fonts).toMatch(/Tinos/)
  })
})

describe('nothing outside the document is accessed', () => {
  const secret = 'secret-of-the-host'

  test('linked pictures and files', async () => {
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

  test('formulas that refer to files or addresses', async () => {
    const source = xlsx({ S: [['before']] })
    writeFileSync(files.path('host.csv'), `${secret},1`)
    const formula = `'file://${files.path('host.csv')}'#$host.A1`
    const path = write('formula.xlsx', source)
    expect((await toPdf('xlsx-to-pdf', path)).text).toContain('before')
    // The same workbook with a formula instead of its text.
    const { unzipSync, zipSync, strToU8, strFromU8 } = await import('fflate')
    const parts = unzipSync(source)
    const sheet = strFromU8(parts['xl/worksheets/sheet0.xml'] as Uint8Array)
    parts['xl/worksheets/sheet0.xml'] = strToU8(
      sheet.replace(
        '</row>',
        `<c><f>${formula}</f></c><c><f>WEBSERVICE("http://127.0.0.1:1/")</f></c></row>`,
      ),
    )
    const { text } = await toPdf('xlsx-to-pdf', write('formula.xlsx', zipSync(parts)))
    expect(text).not.toContain(secret)
  })
})

describe('protected documents', () => {
  const password = 'pässword'
  const content = () => docx({ paragraphs: words })
  const oldDoc = (kind: Rc4Kind) => () =>
    protectedDoc(readFileSync((written.doc as () => string)()), kind, password)

  test.each<[string, string, () => Buffer]>([
    ['of Word', 'docx-to-pdf', () => encrypted(content(), password)],
    ['of Word 2007', 'docx-to-pdf', () => standardEncrypted(content(), password)],
    ['of Word 2002', 'doc-to-pdf', oldDoc('cryptoapi')],
    ['of Word 97', 'doc-to-pdf', oldDoc('office97')],
    ['of Excel 2002', 'xlsx-to-pdf', () => protectedXls(words, 'cryptoapi', password)],
    ['of Excel 97', 'xlsx-to-pdf', () => protectedXls(words, 'office97', password)],
  ])('a password opens those %s', async (name, job, bytes) => {
    const path = write(`${name}.${job.split('-')[0]}`, bytes())
    // Another program confirms that the file is valid.
    tool('msoffcrypto-tool', '-p', password, path, files.path('opened'))
    const { text } = await toPdf(job, path, { password })
    for (const line of words) expect(text).toContain(line)
    for (const [given, detail] of [
      ['wrong', /does not open/],
      [undefined, /with a password only/],
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
      if (failure !== undefined)
        expect(failure).toMatchObject({
          code: expect.stringMatching(/^jobs\.(?:encrypted|corrupt|unsupported)_input$/),
        })
    }
  })

  test.runIf(hasCorpus)('also those of Word itself', async () => {
    const path = sample('docx/testWORD_protected_passtika.docx')
    expect((await toPdf('docx-to-pdf', path, { password: 'tika' })).text.trim()).not.toBe('')
    const refused = convertFile('document.word-to-png', path)
    await expect(refused).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
  })

  test('other kinds of protection are reported', async () => {
    const bytes = readFileSync((written.doc as () => string)())
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
})

test('parts whose names are written as on Windows', async () => {
  const parts = Object.entries(unzipSync(xlsx({ Sheet: words.map(text => [text]) }))).map(
    ([name, content]) => [name.replaceAll('/', '\\').replace('Content_Types', 'content_types'), content],
  )
  const path = write('backslashes.xlsx', zipSync(Object.fromEntries(parts)))
  expect((await toPdf('xlsx-to-pdf', path)).text).toContain(words[1])
})

describe('files that are not documents', () => {
  const good = docx({ paragraphs: words })
  const bomb = () => {
    const { buffer } = new Uint8Array(60_000_000)
    return docx({ paragraphs: words, parts: [{ name: 'word/bomb.xml', content: new Uint8Array(buffer) }] })
  }
  /** Changes the unpacked size in the directory to a wrong one. */
  const lying = (file: Buffer, bytes: number) => {
    const copy = Buffer.from(file)
    const name = copy.lastIndexOf('word/bomb.xml')
    copy.writeUInt32LE(bytes, name - 46 + 24)
    return copy
  }

  test.each<[string, string, () => Uint8Array, string]>([
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
      () => compound({ WordDocument: Buffer.alloc(9000) }).subarray(0, 4000),
      'jobs.corrupt_input',
    ],
    [
      'a Word document of zeros',
      'doc-to-pdf',
      () => compound({ WordDocument: Buffer.alloc(9000) }),
      'jobs.corrupt_input',
    ],
    ['larger than it says', 'docx-to-pdf', () => lying(bomb(), 1000), 'jobs.corrupt_input'],
    ['larger than allowed', 'docx-to-pdf', () => lying(bomb(), 2 ** 31), 'jobs.too_large'],
    ['broken XML', 'docx-to-pdf', () => docx({ body: '<w:p><w:r>' }), 'jobs.corrupt_input'],
  ])('%s', async (_, job, bytes, code) => {
    const [source = ''] = job.split('-')
    await expect(convertFile(`document.${job}`, write(`bad.${source}`, bytes()))).rejects.toMatchObject({
      code,
    })
  })

  test('the engine still works afterwards', async () => {
    expect((await toPdf('docx-to-pdf', (written.docx as () => string)())).text).toContain(words[2])
  })
})

describe('older formats', () => {
  test('an embedded document is not taken for the file; names of streams are compared without case', async () => {
    const workbook = new CompoundFile(protectedXls(words, 'cryptoapi', 'VelvetSweatshop')).stream('Workbook')
    const embedded = {
      'MBD0001/WordDocument': Buffer.alloc(5000),
      'MBD0001/EncryptedPackage': Buffer.alloc(5000),
    }
    const path = write('embedded.xlsx', compound({ ...embedded, WORKBOOK: workbook! }))
    expect((await toPdf('xlsx-to-pdf', path)).text).toContain(words[1])
  })

  test('workbooks of Excel 3 and 4, which are not in a container', async () => {
    const shorts = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
    const record = (type: number, content: Buffer) => Buffer.concat([shorts(type, content.length), content])
    for (const begin of [0x209, 0x409]) {
      const rows = words.map((text, row) =>
        record(0x204, Buffer.concat([shorts(row, 0, 0, text.length), Buffer.from(text, 'latin1')])),
      )
      const bytes = Buffer.concat([record(begin, shorts(0, 0x10, 0)), ...rows, record(0xa, Buffer.alloc(0))])
      const path = write('old.xlsx', bytes)
      expect((await toPdf('xlsx-to-pdf', path)).text).toContain(words[1])
      await expect(convertFile('document.doc-to-pdf', path)).rejects.toMatchObject({
        code: 'jobs.corrupt_input',
      })
    }
  })
})

test('slides are counted for the price', async () => {
  expect(await measureFile('document.pptx-to-pdf', write('n.pptx', pptx(['a', '-b', 'c'])))).toEqual({
    pages: 3,
  })
  const bad = measureFile('document.pptx-to-pdf', write('bad.pptx', Buffer.from('PK no')))
  await expect(bad).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

test('the engine reports its version without being started', async () => {
  expect(await report()).toMatchObject({ name: expect.stringContaining('LibreOffice'), available: true })
  expect((await report()).version).toMatch(/^24\.\d+\.\d+$/)
})

test.runIf(hasCorpus)('samples become PDF/A', async () => {
  const samples = ['docx', 'pptx', 'xlsx'].flatMap(format =>
    corpus(format)
      .slice(0, 3)
      .map(path => [format, path]),
  )
  for (const [format = '', path = ''] of samples) {
    const { pdf } = await toPdf(`${format}-to-pdfa`, path)
    conformant.push(pdf)
  }
})

test('all PDF/A files conform', async () => {
  expect(conformant.length).toBeGreaterThan(6)
  expect(conformant.every(path => existsSync(path) && dirname(path) !== files.folder)).toBe(true)
  expect(await validatePdfA(conformant)).toEqual({})
})
