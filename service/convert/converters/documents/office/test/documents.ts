import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { describeFull, testFull } from '../../../../../../testing/describe-full.ts'
import { convertFile, measureFile } from '../../../../../../testing/fixtures/convert.ts'
import { kinds, onlyFull } from '../../../../../../testing/fixtures/full.ts'
import { corpus, hasCorpus } from '../../../../../../testing/fixtures/media.ts'
import { docx } from '../../../../../../testing/fixtures/office.ts'
import { pptx } from '../../../../../../testing/fixtures/slides.ts'
import { makeScriptFont } from '../../../../../../testing/fonts.ts'
import { rtf, savedAs } from '../../../../../../testing/office-files.ts'
import { officeFiles, pageCount, toPdf, words } from '../../../../../../testing/office-pdf.ts'
import { validatePdfA } from '../../../../../../testing/pdfa.ts'
import { decode } from '../../../../../../testing/pictures.ts'
import { layouts, makeStatement } from '../../../../../../testing/statements.ts'
import { engineReports } from '../../../../engines/index.ts'

const { files, write, written } = officeFiles('office')

const conformant: string[] = []

// First, since LibreOffice starts again for fonts that it lacks.
describeFull('fonts', true, () => {
  test('that a document names are those of the user, of the same widths, or with its letters', async () => {
    const inFont = (font: string) =>
      `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr><w:t>${words[1]}</w:t></w:r></w:p>`
    const korean = docx({
      // The last ones are in scripts that hardly any computer shows.
      paragraphs: ['제목', '본문입니다 漢字', 'हिन्दी ᬅᬓ᭄ᬱᬭ ꆈꌠ'],
      font: 'Batang',
      body: inFont('Calibri') + inFont('Tinos'),
    })
    const { fonts, text, warnings } = await toPdf('docx-to-pdf', write('named.docx', korean))
    expect(text).toContain('본문입니다 漢字')
    expect(warnings).toEqual([expect.stringContaining('shows these scripts properly: Balinese, Yi.')])
    for (const family of [/Carlito/, /Tinos/, /NanumGothic/, /NotoSansSC/]) expect(fonts).toMatch(family)
  })

  test('for other scripts are those that have arrived, and no letter of a syllable is lost', async () => {
    mkdirSync(files.path('models/fonts'), { recursive: true })
    const text = ['ភាសាខ្មែរ ស្ត្រី ក្រុង', 'မြန်မာဘာသာ ကျွန်တော်']
    const source = write('syllables.docx', docx({ paragraphs: text, font: 'Cambria' }))
    vi.stubEnv('REFILE_MODELS', files.path('models'))
    try {
      makeScriptFont(files.path('models/fonts/a.ttf'), 'Some Khmer', 'khmr', 0x1780, 0x17ff)
      const half = await toPdf('docx-to-pdf', source)
      expect(half.warnings).toEqual([expect.stringContaining('shows these scripts properly: Myanmar.')])
      makeScriptFont(files.path('models/fonts/b.ttf'), 'Some Myanmar', 'mym2', 0x1000, 0x109f)
      const whole = await toPdf('docx-to-pdf', source)
      expect(whole.warnings).toEqual([])
      for (const line of text) expect(whole.text.split('\n')).toContain(line)
      const slides = await toPdf('pptx-to-pdf', write('syllables.pptx', pptx(text)))
      for (const line of text) expect(slides.text).toContain(line)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('for Chinese, Japanese, Korean and emoji come with Refile', async () => {
    const text = '標題 體繁 日本語のテキスト 한국어 문서 ㄱ 뷁 😀'
    const source = write('cjk.docx', docx({ paragraphs: [text] }))
    for (const format of ['docx', 'doc']) {
      const path = format === 'doc' ? savedAs(files.path('cjk.doc'), source) : source
      const { pdf, fonts, text: found } = await toPdf('word-to-pdfa', path)
      expect(found.replace(/\s/g, '')).toContain(text.replace(/\s/g, ''))
      for (const family of [/NotoSansSC/, /NanumGothic/, /NotoEmoji/]) expect(fonts).toMatch(family)
      conformant.push(pdf)
    }
    expect((await toPdf('rtf-to-pdf', write('cjk.rtf', rtf([text])))).fonts).toMatch(/NotoSansSC/)
  })
})

testFull('the workbook of a bank statement opens with the same dates and amounts', async () => {
  const truth = await makeStatement(files.path('statement.pdf'), layouts[0]!, 8, 8)
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

const jobs: [job: string, format: keyof typeof written][] = [
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
]

test.each(kinds(jobs, ([job]) => /^(docx|xlsx|pptx)-to-pdf$/.test(job)))(
  '%s keeps every word, with fonts embedded',
  async (job, format) => {
    const { pdf, text } = await toPdf(job, written[format]())
    for (const line of words) expect(text).toContain(line)
    expect(pageCount(pdf)).toBe(format === 'pptx' ? 3 : 1)
    if (job.endsWith('pdfa')) conformant.push(pdf)
  },
)

const drawings: [job: string, format: keyof typeof written, pages: number][] = [
  ['pptx-to-jpg', 'pptx', 3],
  ['pptx-to-png', 'pptx', 3],
  ['word-to-jpg', 'docx', 1],
  ['word-to-png', 'doc', 1],
  ['rtf-to-png', 'rtf', 1],
  ['xlsx-to-png', 'xlsx', 1],
]

test.each(onlyFull(drawings))('%s draws every page', async (job, format, pages) => {
  const { outputs } = await convertFile(`document.${job}`, written[format](), { dpi: 72 })
  expect(outputs).toHaveLength(pages)
  const { width, height, data } = decode(outputs[0]?.path ?? '')
  expect([width, height]).toEqual(
    { pptx: [720, 540], rtf: [612, 792], xlsx: [612, 792] }[format as string] ?? [596, 842],
  )
  expect(data.some(value => value < 100)).toBe(true)
})

testFull('a film on a slide is the picture that stands for it', async () => {
  const poster = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c02040' } })
    .png()
    .toBuffer()
  const parts = unzipSync(pptx(['']))
  const film = `<p:pic><p:nvPicPr><p:cNvPr id="9" name="film"><a:hlinkClick r:id="" action="ppaction://media"/></p:cNvPr><p:cNvPicPr/><p:nvPr><a:videoFile r:link="f"/><p:extLst><p:ext uri="{DAA4B4D4-6D71-4841-9C94-3DE7FCFB9230}"><p14:media xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" r:embed="m"/></p:ext></p:extLst></p:nvPr></p:nvPicPr><p:blipFill><a:blip r:embed="p"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="1000000" y="1000000"/><a:ext cx="7000000" cy="5000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic></p:spTree>`
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const links = `<Relationship Id="f" Type="${office}/video" Target="../media/f.mp4"/><Relationship Id="m" Type="http://schemas.microsoft.com/office/2007/relationships/media" Target="../media/f.mp4"/><Relationship Id="p" Type="${office}/image" Target="../media/p.png"/></Relationships>`
  const changed = (name: string, from: string, to: string) => {
    parts[name] = strToU8(strFromU8(parts[name]!).replace(from, to))
  }
  changed('ppt/slides/slide1.xml', '</p:spTree>', film)
  changed('ppt/slides/_rels/slide1.xml.rels', '</Relationships>', links)
  changed('[Content_Types].xml', '<Override', '<Default Extension="mp4" ContentType="video/mp4"/><Override')
  Object.assign(parts, { 'ppt/media/p.png': poster, 'ppt/media/f.mp4': strToU8('no film') })
  const path = write('film.pptx', Buffer.from(zipSync(parts)))
  const { path: picture } = await convertFile('document.pptx-to-png', path, { dpi: 20 })
  const { width, height, data } = decode(picture)
  const [red = 0, green = 0, blue = 0] = data.subarray(((height >> 1) * width + (width >> 1)) * 4)
  expect([red, green, blue]).toEqual([0xc0, 0x20, 0x40])
})

test('slides are counted for the price', async () => {
  expect(await measureFile('document.pptx-to-pdf', write('n.pptx', pptx(['a', '-b', 'c'])))).toEqual({
    pages: 3,
  })
  const bad = measureFile('document.pptx-to-pdf', write('bad.pptx', Buffer.from('PK no')))
  await expect(bad).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

test('the engine reports its version without being started', async () => {
  expect(await engineReports.office!()).toMatchObject({
    name: expect.stringContaining('LibreOffice'),
    available: true,
  })
  expect((await engineReports.office!()).version).toMatch(/^24\.\d+\.\d+$/)
})

describeFull('corpus', hasCorpus, () => {
  test('become PDF/A', async () => {
    const found = ['docx', 'pptx', 'xlsx'].flatMap(format =>
      corpus(format)
        .slice(0, 3)
        .map(path => [format, path]),
    )
    for (const [format = '', path = ''] of found) {
      const { pdf } = await toPdf(`${format}-to-pdfa`, path)
      conformant.push(pdf)
    }
  })
})

testFull('all PDF/A files conform', async () => {
  expect(conformant.length).toBeGreaterThan(5)
  expect(conformant.every(path => existsSync(path) && dirname(path) !== files.folder)).toBe(true)
  expect(await validatePdfA(conformant)).toEqual({})
})
