/** Converted books, as libmobi, Calibre and our Python reader see them. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  fixedBook,
  fullBook,
  fullBookFont,
  oldBook,
  verticalBook,
} from '../../../../../testing/book-kinds.ts'
import {
  calibreMetadata,
  calibreText,
  type EpubContent,
  mobitool,
  readEpubs,
} from '../../../../../testing/books.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { isFull } from '../../../../../testing/fixtures/full.ts'

const files = testFiles('kindle')

/** The kinds of files there are. */
const kinds = {
  azw3: { job: 'ebook.epub-to-azw3', options: {} },
  both: { job: 'ebook.epub-to-mobi', options: {} },
  old: { job: 'ebook.epub-to-mobi', options: { kf8: false } },
} as const
type Kind = keyof typeof kinds

const sources: Record<string, string> = {}
beforeAll(async () => {
  sources.full = files.write(await fullBook(), 'epub')
  sources.epub2 = files.write(await oldBook(), 'epub')
  sources.fixed = files.write(await fixedBook(), 'epub')
  sources.vertical = files.write(verticalBook(), 'epub')
})

async function convert(source: string, kind: Kind): Promise<string> {
  const { job, options } = kinds[kind]
  const { path, warnings } = await convertFile(job, sources[source]!, options)
  expect(warnings).toEqual(
    source === 'full' ? [expect.stringContaining('page numbers of the printed edition')] : [],
  )
  return path
}

/** A Kindle file as unpacked to EPUB by libmobi. */
function unpacked(path: string): { epub: string; shown: string } {
  const folder = join(files.folder, basename(join(path, '..')))
  mkdirSync(folder)
  const { text } = mobitool('-e', '-o', folder, path)
  const name = readdirSync(folder).find(file => file.endsWith('.epub'))
  if (!name) throw new Error(`mobitool makes no EPUB: ${text}`)
  return { epub: join(folder, name), shown: mobitool(path).text }
}

/** Words without the effects of small capitals and ruby. */
const plain = (text: string | null) => (text ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Links of the documents themselves, without those of the contents. */
const linkTexts = ({ links }: EpubContent) =>
  links.filter(({ from }) => !from.includes('nav.')).map(({ text }) => plain(text).slice(0, 25))

/** In the short suite, the full book as the newest kind of file, and one of fixed layout as both. */
const books: Record<string, readonly Kind[]> = {
  full: isFull ? ['azw3', 'both', 'old'] : ['azw3'],
  epub2: isFull ? ['azw3', 'both', 'old'] : [],
  fixed: isFull ? ['azw3', 'both', 'old'] : ['both'],
  vertical: isFull ? ['azw3', 'both', 'old'] : [],
}

describe.each(Object.entries(books).filter(([, asKinds]) => asKinds.length > 0))('%s', (source, asKinds) => {
  test.each(asKinds)('as %s has every word, link and entry of its contents', async kind => {
    const { epub, shown } = unpacked(await convert(source, kind))
    expect(shown).toMatch(
      {
        azw3: /Mobi version: 8\n/,
        both: /Mobi version: 8 \(hybrid with version 6\)/,
        old: /Mobi version: 6\n/,
      }[kind],
    )
    const [input, output] = readEpubs(sources[source]!, epub) as [EpubContent, EpubContent]
    const words = (book: EpubContent) => plain(book.words.join(''))
    if (kind === 'old') {
      // A contents page is added at the end if the book has none, and hidden text is not there.
      expect(words(output)).toContain(words(input).replace('nottobeseen', ''))
    } else expect(output.words).toEqual(input.words)
    expect(output.broken).toEqual([])
    expect(output.missing).toEqual([])
    const wanted = linkTexts(input)
    expect(linkTexts(output).slice(0, wanted.length)).toEqual(
      wanted.map(text => expect.stringMatching(new RegExp(`^${text}`))),
    )
    const contents = (book: EpubContent) => book.contents.map(([depth, title]) => `${depth} ${title}`)
    expect(contents(output)).toEqual(contents(input))
  })
})

testFull('Calibre reads the same words', async () => {
  const letters = (path: string) => plain(calibreText(path))
  expect(letters(await convert('full', 'azw3'))).toBe(letters(sources.full!))
})

testFull('Calibre reads the same metadata', async () => {
  for (const kind of ['azw3', 'both'] as const) {
    const path = await convert('full', kind)
    expect(calibreMetadata(path)).toMatchObject({
      Title: 'The Garden & the Sea',
      'Author(s)': 'Ann Émile & Bob Writer',
      Publisher: 'Sample Press',
      Tags: 'Fiction, Tests',
      Languages: 'eng',
      Published: '2021-05-06T00:00:00+00:00',
      Rights: 'CC0',
      Comments: 'What a book can hold.',
      Identifiers: expect.stringContaining('isbn:9780000000002'),
    })
  }
})

test('it is reported that narration no longer follows the text', async () => {
  const book = epubOf({
    'c.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml" media-overlay="s"/><item id="s" href="a.smil" media-type="application/smil+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': page('T', '<p id="p">x</p>'),
    'a.smil': '<smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body/></smil>',
  })
  const { warnings } = await convertFile('ebook.epub-to-azw3', files.write(book, 'epub'))
  expect(warnings).toEqual([expect.stringContaining('narration no longer follows')])
})

testFull('the same book gives the same file', async () => {
  // Both holds what the others do.
  for (const kind of ['azw3', 'both', 'old'] as const) {
    const [one, two] = [await convert('full', kind), await convert('full', kind)]
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true)
  }
})

test('pictures, the font and styles are unchanged', async () => {
  const folder = join(files.folder, 'parts')
  mkdirSync(folder)
  mobitool('-s', '-o', folder, await convert('full', 'azw3'))
  const [dump] = readdirSync(folder)
  const parts = readdirSync(join(folder, dump!)).map(name => readFileSync(join(folder, dump!, name)))
  expect(parts.some(part => part.equals(Buffer.from(fullBookFont())))).toBe(true)
  const pictures = parts.filter(part => part[0] === 0xff || part[0] === 0x89)
  // The cover, its thumbnail, the photograph.
  expect(pictures.length).toBe(3)
  const css = parts.map(String).find(part => part.startsWith('@font-face'))
  expect(css).toContain('text-indent: 1.5em')
})

test('flags for fixed layout and vertical lines are kept', async () => {
  const exth = (path: string) => {
    const bytes = readFileSync(path)
    const found: Record<number, string> = {}
    const start = bytes.indexOf('EXTH')
    let at = start + 12
    for (let left = bytes.readUInt32BE(start + 8); left > 0; left--) {
      const length = bytes.readUInt32BE(at + 4)
      found[bytes.readUInt32BE(at)] = bytes.toString('utf8', at + 8, at + length)
      at += length
    }
    return found
  }
  expect(exth(await convert('fixed', 'azw3'))).toMatchObject({
    122: 'true',
    124: 'portrait',
    126: '600x800',
    527: 'rtl',
  })
  expect(exth(await convert('vertical', 'azw3'))).toMatchObject({ 525: 'vertical-rl', 527: 'rtl' })
})
