import { expect, test } from 'vitest'
import { fixedBook, fullBook, oldBook, verticalBook } from '../../../../../../testing/book-kinds.ts'
import { checkEpubs, readEpubs } from '../../../../../../testing/books.ts'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { page } from '../../../../../../testing/fixtures/books.ts'
import type { Book, NavigationEntry, Resource } from '../../book/model.ts'
import { readEpub } from '../read/read.ts'
import { writeEpub } from './write.ts'

const files = testFiles('epub-write')
const date = new Date('2023-04-05T06:07:08Z')

test('the metadata of a book that was read are written', async () => {
  for (const bytes of [await fullBook(), await oldBook(), await fixedBook(), verticalBook()]) {
    const { book } = await readEpub(files.write(bytes, 'epub'))
    const { book: again } = await readEpub(files.write(await writeEpub(book, date), 'epub'))
    expect(again.metadata).toEqual({ ...book.metadata, modified: date })
    for (const part of ['direction', 'layout', 'rendition', 'primaryWritingMode'] as const)
      expect(again[part], `${book.metadata.title} ${part}`).toEqual(book[part])
  }
})

const resource = (href: string, body: string): [string, Resource] => [
  href,
  { href, mediaType: 'application/xhtml+xml', bytes: Buffer.from(page(href, body)), properties: [] },
]
const book = (bodies: Record<string, string>, navigation: NavigationEntry[]): Book => ({
  metadata: {
    title: 'A & B',
    authors: [],
    contributors: [],
    languages: ['en'],
    identifiers: [],
    uniqueIdentifier: 'urn:x:1',
    subjects: [],
    series: { name: 'S', position: '1.5' },
  },
  direction: 'default',
  layout: 'reflowable',
  rendition: {},
  resources: new Map(Object.entries(bodies).map(([href, body]) => resource(href, body))),
  spine: Object.keys(bodies).map(href => ({ href, linear: true, properties: [] })),
  navigation,
  pageList: [],
  landmarks: [
    { type: 'cover', title: '', href: 'one.xhtml' },
    { type: 'cover', title: 'again', href: 'one.xhtml' },
    { type: 'toc', title: '', href: 'nowhere.xhtml' },
  ],
})
const entry = (title: string, href: string | null, children: NavigationEntry[] = []) => ({
  title,
  href,
  children,
})

testFull(
  'dead entries are left out, a book without any gets its headings, and used features are declared',
  async () => {
    const bodies = {
      'one.xhtml': '<p id="a"><a href="two.xhtml">two</a></p>',
      'two.xhtml':
        '<h1>Two</h1><h2 id="b">Within</h2><svg xmlns="http://www.w3.org/2000/svg"/><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>',
    }
    const listed = [
      entry('', 'one.xhtml#a'),
      entry('b', 'one.xhtml#lost'),
      entry('c', null),
      entry('d', null, [entry('e', 'two.xhtml')]),
    ]
    const books = [
      book(bodies, listed),
      book(bodies, [entry('c', 'lost.xhtml')]),
      book({ 'one.xhtml': bodies['one.xhtml'].replace(/<a.*<\/a>/, 'one') }, []),
    ]
    const paths = await Promise.all(books.map(async each => files.write(await writeEpub(each, date), 'epub')))
    const contents = readEpubs(...paths)
    expect(contents.map(({ contents: entries }) => entries.map(([depth, title]) => [depth, title]))).toEqual([
      [
        [0, '–'],
        [0, 'b'],
        [0, 'd'],
        [1, 'e'],
      ],
      [
        [0, 'Two'],
        [1, 'Within'],
      ],
      [[0, 'A & B']],
    ])
    expect(contents[0]?.items.find(({ href }) => href.endsWith('two.xhtml'))?.properties).toEqual([
      'svg',
      'mathml',
    ])
    const reports = await checkEpubs(...paths)
    expect(paths.flatMap(path => reports.get(path)?.filter(line => !line.startsWith('WARNING')))).toEqual([])
  },
)
