import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixedBook, fullBook, oldBook, verticalBook } from '../../../../../testing/book-kinds.ts'
import { checkEpubs, type EpubContent, newErrors, readEpubs } from '../../../../../testing/books.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { isFull } from '../../../../../testing/fixtures/full.ts'
import { corpus } from '../../../../../testing/fixtures/media.ts'
import { malformed } from '../../../../../testing/malformed.ts'
import { JobFailure } from '../../../../shared/errors.ts'
import { withSpans } from '../../../engines/books/kepub/spans.ts'

const files = testFiles('kepub')
const JOB = 'ebook.epub-to-kepub'
/** EPUBCheck needs half a minute for the largest of the books. */
const LIMIT_BYTES = 300_000

/** EPUB 2 packages have no attribute by which Kobo finds a cover. */
const isMarkedCover = (error: string) => /RSC-005.*attribute "properties" not allowed here/.test(error)

const partsOf = (path: string) => unzipSync(readFileSync(path))
const textIn = (path: string, name: string) => Buffer.from(partsOf(path)[name] ?? []).toString()

describe('books', () => {
  const pairs: { name: string; input: string; output: string }[] = []
  let reports: Map<string, string[]>
  let contents: Map<string, EpubContent>

  beforeAll(async () => {
    const books = [await fullBook(), await oldBook(), await fixedBook(), verticalBook()]
    const found = corpus('epub').filter(path => statSync(path).size < LIMIT_BYTES)
    for (const input of [...books.map(book => files.write(book, 'epub')), ...found]) {
      const { path } = await convertFile(JOB, input)
      pairs.push({ name: basename(input), input, output: path })
    }
    const paths = pairs.flatMap(({ input, output }) => [input, output])
    if (isFull) reports = await checkEpubs(...paths)
    const read = readEpubs(...paths)
    contents = new Map(paths.map((path, index) => [path, read[index]!]))
  }, 240_000)

  testFull('have no new errors in EPUBCheck', () => {
    const added = pairs.map(({ name, input, output }) => [
      name,
      newErrors(reports.get(input), reports.get(output)).filter(error => !isMarkedCover(error)),
    ])
    expect(added.filter(([, errors]) => errors?.length)).toEqual([])
  })

  test('keep words, links and contents', () => {
    for (const { name, input, output } of pairs) {
      const [before, after] = [contents.get(input)!, contents.get(output)!]
      expect(after.words, name).toEqual(before.words)
      for (const part of [
        'links',
        'broken',
        'missing',
        'contents',
        'metadata',
        'direction',
        'spine',
      ] as const) {
        expect(after[part], `${name} ${part}`).toEqual(before[part])
      }
    }
  })

  test('are unchanged after removing the spans, in all files but the package', () => {
    for (const { name, input, output } of pairs) {
      const [before, after] = [partsOf(input), partsOf(output)]
      expect(Object.keys(after).toSorted(), name).toEqual(
        Object.keys(before)
          .filter(file => !file.endsWith('/'))
          .toSorted(),
      )
      for (const [file, bytes] of Object.entries(after)) {
        if (file.endsWith('.opf')) continue
        const plain = Buffer.from(bytes)
          .toString('latin1')
          .replace(/<span class="koboSpan" id="kobo\.\d+\.\d+">(.*?)<\/span>/gs, '$1')
          .replace(/<style type="text\/css">div#book-inner.*?<\/style>/, '')
          .replace('<div id="book-columns"><div id="book-inner">', '')
          .replace('</div></div></body>', '</body>')
        expect(plain === Buffer.from(before[file]!).toString('latin1'), `${name} ${file}`).toBe(true)
      }
    }
  })
})

/** The body of a document, converted in a separate book. */
async function converted(body: string, head = ''): Promise<string> {
  const book = epubOf({
    'c.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata><meta name="cover" content="p"/></metadata><manifest><item id="p" href="p.png" media-type="image/png"/><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': page('T', body, { head }),
    'p.png': new Uint8Array(9),
  })
  const { path, outputs } = await convertFile(JOB, files.write(book, 'epub'))
  expect(outputs).toHaveLength(1)
  expect(textIn(path, 'c.opf')).toContain(
    '<item id="p" href="p.png" media-type="image/png" properties="cover-image"/>',
  )
  const text = textIn(path, 'a.xhtml')
  expect(text).toContain('<style type="text/css">div#book-inner')
  return /<div id="book-inner">(.*)<\/div><\/div><\/body>/s.exec(text)?.[1] ?? ''
}

const span = (id: string, text: string) => `<span class="koboSpan" id="kobo.${id}">${text}</span>`

test.each([
  ['2.0', '<meta name="cover" content="p"/>', ''],
  ['2.0', '', '<guide><reference type="cover" title="Cover" href="cover.xhtml"/></guide>'],
  ['3.0', '', '<guide><reference type="cover" title="Cover" href="cover.xhtml"/></guide>'],
])('the cover of a book of EPUB %s is marked, named by %s%s', async (version, named, guide) => {
  const book = epubOf({
    'OEBPS/c.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="${version}"><metadata>${named}</metadata><manifest><item id="q" href="q.png" media-type="image/png"/><item id="p" href="p.png" media-type="image/png"/><item id="a" href="cover.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine>${guide}</package>`,
    'OEBPS/cover.xhtml': page('Cover', '<p><img src="p.png" alt=""/></p>'),
    'OEBPS/p.png': new Uint8Array(9),
    'OEBPS/q.png': new Uint8Array(9),
  })
  const { path } = await convertFile(JOB, files.write(book, 'epub'))
  const marked = textIn(path, 'OEBPS/c.opf').match(/<item [^>]*properties="cover-image"[^>]*>/g)
  expect(marked).toEqual([expect.stringContaining('href="p.png"')])
})

test('sentences and paragraphs are numbered', async () => {
  expect(
    await converted('<h1>Title</h1><p>One. “Two!” <i>Three? </i>four</p><p> </p><ul> <li>Item.</li></ul>'),
  ).toBe(
    `<h1>${span('1.1', 'Title')}</h1><p>${span('2.1', 'One. ')}${span('2.2', '“Two!” ')}<i>${span('2.3', 'Three? ')}</i>${span('2.4', 'four')}</p><p>${span('3.1', ' ')}</p><ul> <li>${span('4.1', 'Item.')}</li></ul>`,
  )
})

test('a million words without the end of a sentence take no longer than others', () => {
  const body = `<p>${'word '.repeat(1_000_000)}</p>`
  const text = withSpans(page('Long', body))
  expect(text.match(/koboSpan/g)?.length).toBe(1)
})

test('a picture counts as a paragraph, and what is not text is unchanged', async () => {
  expect(
    await converted(
      '<p>See <img src="p.png" alt=""/> here.</p><pre>a. b. c</pre><svg xmlns="http://www.w3.org/2000/svg"><text>x. y</text></svg><p><time>1. May</time></p>',
    ),
  ).toBe(
    `<p>${span('1.1', 'See ')}${span('2.1', '<img src="p.png" alt=""/>')}${span('2.2', ' here.')}</p><pre>a. b. c</pre><svg xmlns="http://www.w3.org/2000/svg"><text>x. y</text></svg><p><time>1. May</time></p>`,
  )
})

test('tag soup is cleaned first, and existing spans are kept', async () => {
  expect((await converted('<p>a<br>b</p>')).trim()).toBe(`<p>${span('1.1', 'a')}<br/>${span('1.2', 'b')}</p>`)
  const done = `<p>${span('7.1', 'Done. Indeed')}</p>`
  const book = epubOf({
    'c.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': page('T', done),
    '__MACOSX/._a': 'x',
    'META-INF/calibre_bookmarks.txt': 'x',
    'Thumbs.db': 'x',
  })
  const { path } = await convertFile(JOB, files.write(book, 'epub'))
  expect(textIn(path, 'a.xhtml')).toBe(page('T', done))
  expect(Object.keys(partsOf(path))).toEqual(['mimetype', 'META-INF/container.xml', 'c.opf', 'a.xhtml'])
})

test('truncated or changed books give a result or a documented failure', async () => {
  const books = [await oldBook(), verticalBook()]
  for (const whole of books) {
    for (const { name, bytes, cut } of malformed(whole)) {
      const path = files.write(bytes, 'epub')
      const ended = await convertFile(JOB, path).then(
        () => 'well',
        error => (error instanceof JobFailure ? error.code : error),
      )
      expect(ended, name).toMatch(
        cut ? /^jobs\.corrupt_input$/ : /^(?:well|jobs\.(?:corrupt|unsupported)_input|jobs\.too_large)$/,
      )
    }
  }
})

test('a file that the package names but the book lacks is reported', async () => {
  const book = epubOf({
    'c.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.png" media-type="image/png"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.xhtml': page('T', '<p>x</p>'),
  })
  const { warnings } = await convertFile(JOB, files.write(book, 'epub'))
  expect(warnings).toEqual(['The book refers to 1 file that it does not contain.'])
})
