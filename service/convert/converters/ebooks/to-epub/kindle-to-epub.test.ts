/** Kindle books as EPUB, checked with EPUBCheck, Python, libmobi and Calibre. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixedBook, fullBook, oldBook, verticalBook } from '../../../../../testing/book-kinds.ts'
import {
  calibreMetadata,
  checkEpubs,
  type EpubContent,
  errorsOf,
  mobitool,
  readEpubs,
} from '../../../../../testing/books.ts'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, kinds } from '../../../../../testing/fixtures/full.ts'
import { corpus, hasCorpus, tool } from '../../../../../testing/fixtures/media.ts'
import { malformed } from '../../../../../testing/malformed.ts'
import { mobiFile } from '../../../../../testing/mobi.ts'
import { JobFailure } from '../../../../shared/errors.ts'

const files = testFiles('mobi-to-epub')

/** Every EPUB that was made, checked together at the end. */
const made: string[] = []

async function toEpub(path: string): Promise<string> {
  const source = path.endsWith('.azw3') ? 'azw3' : 'mobi'
  const { path: epub } = await convertFile(`ebook.${source}-to-epub`, path)
  made.push(epub)
  return epub
}

/** The EPUB that libmobi makes from a Kindle file. */
function byLibmobi(path: string, name: string): string {
  const folder = files.path(name)
  mkdirSync(folder)
  mobitool('-e', '-o', folder, path)
  return join(folder, readdirSync(folder).find(file => file.endsWith('.epub')) ?? 'none.epub')
}

const plain = (text: string | null) => (text ?? '').replace(/[^\p{L}\p{N}]/gu, '')
const linkTexts = ({ links }: EpubContent) =>
  links.filter(({ from }) => !from.includes('nav.')).map(({ text }) => plain(text).slice(0, 25))

function expectWholeLinks({ broken, missing }: EpubContent): void {
  expect(broken).toEqual([])
  expect(missing).toEqual([])
}

const sources: Record<string, string> = {}
beforeAll(async () => {
  sources.full = files.write(await fullBook(), 'epub')
  sources.epub2 = files.write(await oldBook(), 'epub')
  sources.fixed = files.write(await fixedBook(), 'epub')
  sources.vertical = files.write(verticalBook(), 'epub')
})

describe.each(few(1, ['full', 'epub2', 'fixed', 'vertical']))('%s', name => {
  // In the short suite, books of one layout come back from one kind of file.
  test.each(
    kinds(['azw3', 'mobi'], kind => name === 'full' || kind === (name === 'epub2' ? 'mobi' : 'azw3')),
  )('converts back from %s with every word, link and entry of its contents', async kind => {
    const { path: kindle } = await convertFile(`ebook.epub-to-${kind}`, sources[name]!)
    const [input, output] = readEpubs(sources[name]!, await toEpub(kindle)) as [EpubContent, EpubContent]
    expect(output.words).toEqual(input.words)
    expectWholeLinks(output)
    expect(linkTexts(output)).toEqual(linkTexts(input))
    // A heading without a target leads to its first entry.
    expect(output.contents).toEqual(
      input.contents.map(([depth, title, text]) => [depth, title, text ?? expect.any(String)]),
    )
    expect(output.direction).toBe(input.direction)
    const layout = (book: EpubContent) =>
      book.metadata.filter(entry => entry.name === 'rendition:layout').map(({ value }) => value)
    expect(layout(output)).toEqual(layout(input))
  })

  const testOld = name === 'full' ? test : testFull
  testOld('converts back from old-format MOBI with its words and links', async () => {
    const { path: mobi } = await convertFile('ebook.epub-to-mobi', sources[name]!, { kf8: false })
    const [libmobi, output] = readEpubs(byLibmobi(mobi, name), await toEpub(mobi)) as [
      EpubContent,
      EpubContent,
    ]
    expect(output.words).toEqual(libmobi.words)
    expectWholeLinks(output)
    expect(linkTexts(output)).toEqual(linkTexts(libmobi))
  })
})

testFull('series, sort names and page sides are restored from AZW3', async () => {
  const metadataOf = async (name: string) => {
    const { path } = await convertFile('ebook.epub-to-azw3', sources[name]!)
    return readEpubs(sources[name]!, await toEpub(path)).map(({ metadata }) =>
      metadata.flatMap(entry =>
        /^(?:belongs-to-collection|group-position|rendition:\w+)$/.test(entry.name)
          ? [`${entry.name} ${entry.value}`]
          : [],
      ),
    )
  }
  for (const name of ['full', 'fixed']) {
    const [input = [], output] = await metadataOf(name)
    expect(input.length).toBeGreaterThan(0)
    expect(output).toEqual(expect.arrayContaining(input))
  }
})

test('the subtitle and every identifier are restored from AZW3', async () => {
  const book = epubOf({
    'c.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">https://example.org/book</dc:identifier><dc:identifier>doi:10.1000/182&amp;</dc:identifier><dc:identifier>urn:isbn:9780000000002</dc:identifier><dc:title id="t">Main</dc:title><dc:title id="s">Its &lt;Subtitle&gt;</dc:title><meta refines="#s" property="title-type">subtitle</meta><dc:language>en</dc:language></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': page('T', '<p>x</p>'),
  })
  const { path } = await convertFile('ebook.epub-to-azw3', files.write(book, 'epub'))
  const [output] = readEpubs(await toEpub(path))
  const values = (name: string) =>
    output?.metadata.filter(entry => entry.name === name).map(({ value }) => value)
  expect(values('title')).toEqual(['Main', 'Its <Subtitle>'])
  expect(values('identifier')).toEqual(
    expect.arrayContaining(['https://example.org/book', 'doi:10.1000/182&', 'urn:isbn:9780000000002']),
  )
})

testFull(
  "what Calibre makes of a book is read as libmobi reads it, in either of a file's formats",
  async () => {
    for (const kind of ['both', 'old']) {
      const mobi = files.path(`calibre-${kind}.mobi`)
      tool('ebook-convert', sources.full!, mobi, '--mobi-file-type', kind)
      const epub = await toEpub(mobi)
      const [libmobi, output] = readEpubs(byLibmobi(mobi, `calibre-${kind}`), epub) as [
        EpubContent,
        EpubContent,
      ]
      expect(output.words).toEqual(libmobi.words)
      expectWholeLinks(output)
      expect(linkTexts(output)).toEqual(linkTexts(libmobi))
      expect(calibreMetadata(epub)).toMatchObject({
        Title: expect.stringContaining('The Garden & the Sea'),
        'Author(s)': expect.stringContaining('Ann Émile'),
        Publisher: 'Sample Press',
        Languages: 'eng',
      })
    }
  },
)

test('a dictionary is converted, with a warning about what it loses', async () => {
  const file = mobiFile({ text: Buffer.from('<html><body><p>Word</p></body></html>') })
  // The number of its entry index, in the header after the list of records.
  file.writeUInt32BE(2, file.readUInt32BE(78) + 40)
  const { warnings, path } = await convertFile('ebook.mobi-to-epub', files.write(file, 'mobi'))
  made.push(path)
  expect(warnings).toEqual([expect.stringContaining('dictionary')])
})

test.each(['azw3', 'mobi'])('damaged %s files fail with the right error, or become books', async kind => {
  const { path } = await convertFile(`ebook.epub-to-${kind}`, sources.epub2!)
  for (const { name, bytes, cut } of malformed(readFileSync(path))) {
    const outcome = await convertFile(`ebook.${kind}-to-epub`, files.write(bytes, kind)).then(
      () => 'converted',
      (error: unknown) => (error instanceof JobFailure ? error.code : error),
    )
    const expected =
      cut === undefined
        ? /^(?:converted|jobs\.(?:corrupt|encrypted|unsupported)_input)$/
        : /^jobs\.corrupt_input$/
    expect(outcome, name).toMatch(expected)
  }
})

test('protected books and other formats are refused', async () => {
  const text = Buffer.from('<html><body>x</body></html>')
  const locked = files.write(mobiFile({ text, encryption: 1 }), 'mobi')
  await expect(convertFile('ebook.mobi-to-epub', locked)).rejects.toMatchObject({
    code: 'jobs.encrypted_input',
  })
  const replica = files.write(mobiFile({ text: Buffer.from('%MOP') }), 'mobi')
  await expect(convertFile('ebook.mobi-to-epub', replica)).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
    detail: expect.stringContaining('Print Replica'),
  })
})

describeFull('real books', hasCorpus, () => {
  const books = [...corpus('mobi'), ...corpus('azw3')].filter(path => !path.includes('drm'))
  test.each(books)('%s has the words that libmobi reads', async path => {
    const name = `${books.indexOf(path)}-${basename(path)}`
    copyFileSync(path, files.path(name))
    const [libmobi, output] = readEpubs(byLibmobi(files.path(name), `${name}-parts`), await toEpub(path)) as [
      EpubContent,
      EpubContent,
    ]
    expect(output.words).toEqual(libmobi.words)
    expectWholeLinks(output)
  })
})

testFull('EPUBCheck finds no error in any of them', async () => {
  const reports = await checkEpubs(...made)
  expect(made.length).toBeGreaterThanOrEqual(10)
  expect(made.flatMap(path => errorsOf(reports.get(path)).map(error => `${path}: ${error}`))).toEqual([])
})
