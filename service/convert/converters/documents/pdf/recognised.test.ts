import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { type Converted, convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { makePdf } from '../../../../../testing/pdf.ts'
import { pdfBlocks } from '../../../../../testing/pdf-structure.ts'
import { validatePdfA } from '../../../../../testing/pdfa.ts'
import { resource } from '../../../engines/common/resources.ts'

const require = createRequire(import.meta.url)
const files = testFiles('ocr')
const written: string[] = []

async function recognise(
  path: string,
  ocr: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Promise<Converted> {
  const converted = await convertFile(
    'document.pdf-to-pdfa',
    path,
    { ...more, ocr: { enabled: true, ...ocr } },
    { cores: 2 },
  )
  written.push(converted.path)
  return converted
}

afterAll(async () => {
  expect(await validatePdfA(written)).toEqual({})
  expect(await validatePdfA(written.filter(isClaimed), 'ua1')).toEqual({})
})

/** Whether a file says that it is accessible (PDF/UA-1). */
const isClaimed = (path: string) =>
  tool('qpdf', '--qdf', '--object-streams=disable', path, '-').includes('pdfuaid:part="1"')

const TEXT = `The quick brown fox jumps over the lazy dog while seventeen farmers count their sheep beside
the river. Nobody had expected the harvest to be so plentiful after a winter of storms, yet every barn
in the valley was filled before October came. Merchants travelled from distant towns to buy wheat and
barley, and the price of apples fell to twelve pence a basket.`.replace(/\n/g, ' ')

const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? []

/** Share of the words of `text` that a file contains, counting repetitions. */
function recall(path: string, text: string): number {
  const found = new Map<string, number>()
  for (const word of words(tool('pdftotext', path, '-'))) found.set(word, (found.get(word) ?? 0) + 1)
  const wanted = words(text)
  const hits = wanted.filter(word => {
    const left = found.get(word) ?? 0
    found.set(word, left - 1)
    return left > 0
  })
  return hits.length / wanted.length
}

/** Positions of words on the first page, in points from the upper left corner of the displayed page. */
function places(path: string): Map<string, number[]> {
  const text = tool('pdftotext', '-bbox', path, '-')
  const pattern = /xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(\w+)/g
  return new Map(
    [...text.matchAll(pattern)].map(match => [match[5]!.toLowerCase(), match.slice(1, 5).map(Number)]),
  )
}

/** Enough where one language is to be read with the data of another. */
const SENTENCE = `${TEXT.slice(0, TEXT.indexOf('.'))}.`

const born = (text = TEXT) =>
  makePdf(
    files.path('born.pdf'),
    document => {
      document
        .font(resource('fonts', 'Tinos-Regular.ttf'))
        .fontSize(13)
        .text(text, 40, 40, { width: 480, lineGap: 4 })
    },
    { size: [560, 220], margin: 10 },
  )

/** The page as a scanner produces it: a 200 dpi picture in a PDF, rotated by degrees. */
async function scan(name: string, turn: number, text = TEXT): Promise<string> {
  const source = await born(text)
  const picture = files.path(name)
  tool('pdftoppm', '-gray', '-r', '200', '-singlefile', source, picture)
  tool(
    'convert',
    `${picture}.pgm`,
    '-background',
    'white',
    '-rotate',
    String(turn),
    '-quality',
    '85',
    `${picture}.jpg`,
  )
  const [width = 0, height = 0] = tool('identify', '-format', '%w %h', `${picture}.jpg`)
    .split(' ')
    .map(Number)
  const size: [number, number] = [(width * 72) / 200, (height * 72) / 200]
  return makePdf(
    files.path(`${name}.pdf`),
    document => void document.image(`${picture}.jpg`, 0, 0, { fit: size }),
    {
      size,
      margin: 0,
    },
  )
}

testFull('a scanned page gets its text, each word at its position', async () => {
  const source = await scan('upright', 0)
  const { path, warnings } = await recognise(source)
  expect(warnings).toEqual([])
  expect(recall(path, TEXT)).toBeGreaterThan(0.97)
  const [own, expected] = [places(path), places(await born())]
  let compared = 0
  for (const [word, [x1 = 0, y1 = 0, x2 = 0, y2 = 0]] of expected) {
    const [a1, b1, a2, b2] = own.get(word) ?? []
    if (a1 === undefined || b1 === undefined || a2 === undefined || b2 === undefined) continue
    compared++
    // Tolerance: the height of a line.
    expect(Math.abs((b1 + b2) / 2 - (y1 + y2) / 2), word).toBeLessThan(8)
    expect(Math.abs((a1 + a2) / 2 - (x1 + x2) / 2), word).toBeLessThan(14)
  }
  expect(compared).toBeGreaterThan(30)
  expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors')
})

testFull('a scan is accessible, a paragraph for each of its own', async () => {
  const source = await scan('paragraphs', 0, `${SENTENCE}\n\n\n${SENTENCE}`)
  const { path } = await recognise(source)
  expect(isClaimed(path)).toBe(true)
  expect(pdfBlocks(path).map(({ tag, text }) => [tag, words(text).length])).toEqual([
    ['P', words(SENTENCE).length],
    ['P', words(SENTENCE).length],
  ])
  const facts = tool('qpdf', '--qdf', '--object-streams=disable', path, '-')
  expect(facts).toContain('/Lang (en)')
  expect(tool('pdfinfo', path)).toMatch(/Title: +paragraphs\n/)
})

describeFull('pages that are not upright', true, () => {
  test('a sideways page is rotated', async () => {
    const { path } = await recognise(await scan('side', 90, SENTENCE))
    expect(recall(path, SENTENCE)).toBeGreaterThan(0.95)
    expect(tool('pdfinfo', path)).toMatch(/Page rot:\s+270/)
  })

  test('a slightly skewed page', async () => {
    const { path } = await recognise(await scan('skewed', 2))
    expect(recall(path, TEXT)).toBeGreaterThan(0.95)
    // The picture stays as it was scanned.
    expect(tool('pdfinfo', path)).toMatch(/Page rot:\s+0/)
    const [first = [], last = []] = ['quick', 'basket'].map(word => places(path).get(word) ?? [])
    expect(first[1]!).toBeGreaterThan(30)
    expect(last[1]!).toBeGreaterThan(first[1]!)
  })
})

test('pages with text keep it, and no word is duplicated', async () => {
  const source = await born()
  const { path, warnings } = await recognise(source, {}, { accessible: true })
  expect(tool('pdftotext', path, '-')).toBe(tool('pdftotext', source, '-'))
  expect(isClaimed(path)).toBe(false)
  expect(warnings).toEqual([expect.stringMatching(/not claim to be accessible.*born\.pdf/)])
})

testFull('a page without recognised text is reported, a blank one is not', async () => {
  const source = await makePdf(
    files.path('drawing.pdf'),
    document => {
      document.circle(40, 40, 20).fill('black')
      document.addPage()
    },
    { size: [80, 80] },
  )
  const { warnings } = await recognise(source, {}, { accessible: true })
  expect(warnings).toEqual([
    'No text was found on these scanned pages: 1.',
    expect.stringContaining('Page 1: a picture without a description'),
  ])
})

testFull('a language is read once its data is installed; a missing one is named', async () => {
  const source = await scan('german', 0, SENTENCE)
  const models = files.path('models')
  await mkdir(join(models, 'tessdata'), { recursive: true })
  vi.stubEnv('REFILE_MODELS', models)
  onTestFinished(() => void vi.unstubAllEnvs())
  // The English data under the name of another language.
  const english = require.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz')
  await writeFile(join(models, 'tessdata', 'deu.traineddata'), gunzipSync(await readFile(english)))
  const { path } = await recognise(source, { languages: 'deu' })
  expect(recall(path, SENTENCE)).toBeGreaterThan(0.97)
  await expect(
    convertFile('document.pdf-to-pdfa', source, { ocr: { enabled: true, languages: 'eng+tlh' } }),
  ).rejects.toMatchObject({ code: 'jobs.engine_missing', detail: expect.stringMatching(/"tlh".*settings/) })
})
