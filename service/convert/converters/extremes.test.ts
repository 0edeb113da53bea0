/**
 * Every conversion at the ends of the ranges of its options, two at a time; those of recordings have a test of their own, and fonts
 * have no options. Whatever is chosen, a valid file results, or a failure that says what was asked too much.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { epubOf, page } from '../../samples/books.ts'
import { convertFile } from '../../samples/convert.ts'
import { isFull } from '../../samples/full.ts'
import { judge, tool } from '../../samples/media.ts'
import { gradient } from '../../samples/pixels.ts'
import { JobFailure } from '../../shared/errors.ts'
import { extremesOf, pairwise, withSettings } from '../../test/extremes.ts'
import { testFiles } from '../../test/files.ts'
import { officeFiles, words } from '../../test/office-pdf.ts'
import { makePdf } from '../../test/pdf.ts'
import { makePicture, writePnm } from '../../test/pictures.ts'
import { rar5 } from '../../test/rar.ts'
import { smallPictures } from '../../test/small-pictures.ts'
import { layouts, makeStatement, rowsOf } from '../../test/statements.ts'
import { converters } from './index.ts'

const files = testFiles('extremes')
const office = officeFiles('extremes-office')
const isRecording = /^(audio|video)$/

const all = converters.filter(
  ({ category, options }) => !isRecording.test(category) && extremesOf(options).length > 0,
)
// Some settings of one of each engine with ranges are enough between releases.
const short = ['image.png-to-webp', 'archive.7z-to-zip', 'ebook.epub-to-mobi']
const tried = all.filter(({ job }) => isFull || short.includes(job))
const between = <T>(rows: readonly T[]): T[] => rows.filter((_, nth) => isFull || nth % 4 === 0)

const opf =
  '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>A book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="one"/></spine></package>'

/** Paths of a small source of each kind, by its job's source. */
const sources: Record<string, string> = {}

beforeAll(async () => {
  // A line stays small even where its longest edge has 10,000 pixels.
  const strip = writePnm(gradient(200, 1), files.path('strip.ppm'))
  for (const format of ['png', ...(isFull ? ['avif', 'bmp', 'gif', 'jpg', 'tiff', 'webp'] : [])])
    sources[`images.${format}`] = makePicture(strip, files.path(`strip.${format}`))
  writeFileSync(files.path('plain.txt'), 'plain')
  tool('7z', 'a', files.path('a.7z'), files.path('plain.txt'))
  sources['archives.7z'] = files.path('a.7z')
  sources['ebooks.epub'] = files.write(
    epubOf({ 'book.opf': opf, 'one.xhtml': page('One', '<h1>One</h1><p>Text</p>') }),
    'epub',
  )
  if (isFull) await makeOthers()
}, 120_000)

async function makeOthers(): Promise<void> {
  await smallPictures(files)
  const named = {
    heic: 'one.heic',
    cr2: 'raw.cr2',
    cr3: 'raw.cr3',
    nef: 'raw.nef',
    raw: 'raw.dng',
    ico: 'still.ico',
  }
  const drawn = {
    psd: 'merged.psd',
    pict: 'drawing.pict',
    svg: 'drawing.svg',
    lottie: 'moving.json',
    tgs: 'moving.tgs',
  }
  for (const [format, name] of Object.entries({ ...named, ...drawn }))
    sources[`images.${format}`] = files.path(name)
  for (const suffix of ['zip', 'tar', 'tar.gz', 'tar.bz2'])
    tool('bsdtar', '-acf', files.path(`a.${suffix}`), '-C', files.folder, 'plain.txt')
  writeFileSync(files.path('a.rar'), rar5([{ name: 'plain.txt', data: Buffer.from('plain') }]))
  for (const [source, suffix] of Object.entries({
    zip: 'zip',
    tar: 'tar',
    'tar-gz': 'tar.gz',
    'tar-bz2': 'tar.bz2',
    rar: 'rar',
  }))
    sources[`archives.${source}`] = files.path(`a.${suffix}`)
  for (const [format, write] of Object.entries(office.written)) sources[`documents.${format}`] = write()
  sources['documents.word'] = sources['documents.docx']!
  writeFileSync(files.path('a.md'), `# ${words[0]}\n\n${words.slice(1).join('\n\n')}\n`)
  sources['documents.md'] = files.path('a.md')
  await makePdf(files.path('a.pdf'), document => document.text(words.join('\n')))
  sources['documents.pdf'] = sources['ebooks.pdf'] = files.path('a.pdf')
  for (const format of ['jpg', 'png']) sources[`documents.${format}`] = sources[`images.${format}`]!
  await makeStatement(files.path('statement.pdf'), layouts[0]!, 1)
  sources['documents.bank-statement'] = files.path('statement.pdf')
}

/** Has another program than the one that wrote it read a file. */
function expectValid(path: string, category: string): void {
  const bytes = readFileSync(path)
  const head = bytes.toString('latin1', 0, 8)
  expect(bytes.length).toBeGreaterThan(0)
  if (head.startsWith('%PDF')) expect(judge('qpdf', '--check', path)).toMatchObject({ status: 0 })
  else if (head.startsWith('PK')) expect(judge('unzip', '-tq', path)).toMatchObject({ status: 0 })
  else if (category === 'archives') expect(tool('bsdtar', '-tf', path)).toContain('plain.txt')
  // ImageMagick as Debian limits it cannot open the largest pages and films.
  else if (/\.(apng|gif|jp2|jpg|jxl|png|webm)$/.test(path))
    expect(judge('ffprobe', '-v', 'error', path)).toEqual({ status: 0, text: '' })
  else if (/\.(avif|bmp|ico|tiff|webp)$/.test(path))
    expect(tool('identify', '-format', '%w ', path)).toMatch(/^(\d+ )+$/)
  else if (/\.mobi$/.test(path)) expect(bytes.toString('latin1', 60, 68)).toBe('BOOKMOBI')
  else if (/\.csv$/.test(path)) expect(rowsOf(bytes.toString()).length).toBeGreaterThan(10)
  else expect(bytes.toString()).toContain(words[0])
}

describe.each(tried)('$job', ({ job, category, source, options }) => {
  it.each(
    between(pairwise(extremesOf(options))).map(
      settings =>
        [
          settings.map(({ path, value }) => `${path.replace(/.*\./, '')} ${value}`).join(', '),
          settings,
        ] as const,
    ),
  )('%s', { timeout: 900_000 }, async (_, settings) => {
    const converted = convertFile(job, sources[`${category}.${source}`]!, withSettings(settings))
    // A hundred times the size of a file can be more than its format holds.
    const { outputs } = await converted.catch((error: unknown) => {
      expect(error).toBeInstanceOf(JobFailure)
      expect(error).toMatchObject({ code: 'jobs.too_large' })
      return { outputs: [] }
    })
    for (const { path } of outputs) expectValid(path, category)
  })
})

it('every conversion with options has a source here', () => {
  expect(
    isFull
      ? all.filter(({ category, source }) => !sources[`${category}.${source}`]).map(({ job }) => job)
      : [],
  ).toEqual([])
})
