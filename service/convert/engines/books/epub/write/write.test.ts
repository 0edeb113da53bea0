import { statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixedBook, fullBook, oldBook, verticalBook } from '../../../../../../testing/book-kinds.ts'
import { checkEpubs, type EpubContent, newErrors, readEpubs } from '../../../../../../testing/books.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { page } from '../../../../../../testing/samples/books.ts'
import { corpus } from '../../../../../../testing/samples/media.ts'
import type { Book, NavigationEntry, Resource } from '../../book/model.ts'
import { readEpub } from '../read/read.ts'
import { writeEpub } from './write.ts'

const files = testFiles('epub-write')
/** Larger samples are skipped; EPUBCheck needs half a minute for the largest. */
const LIMIT_BYTES = 500_000
const date = new Date('2023-04-05T06:07:08Z')

describe('a book that was read and rewritten', () => {
  const pairs: { name: string; input: string; output: string }[] = []
  let reports: Map<string, string[]>
  let contents: Map<string, EpubContent>

  beforeAll(async () => {
    const samples = [await fullBook(), await oldBook(), await fixedBook(), verticalBook()]
    const inputs = samples.map(book => files.write(book, 'epub'))
    const found = corpus('epub').filter(path => statSync(path).size < LIMIT_BYTES)
    for (const input of [...inputs, ...found]) {
      const output = files.path(`again-${pairs.length}.epub`)
      writeFileSync(output, await writeEpub((await readEpub(input)).book, date))
      pairs.push({ name: basename(input), input, output })
    }
    const paths = pairs.flatMap(({ input, output }) => [input, output])
    reports = await checkEpubs(...paths)
    const read = readEpubs(...paths)
    contents = new Map(paths.map((path, index) => [path, read[index]!]))
  }, 240_000)

  test('has no new EPUBCheck errors', () => {
    const added = pairs.map(({ name, input, output }) => [
      name,
      newErrors(reports.get(input), reports.get(output)),
    ])
    expect(added.filter(([, errors]) => errors?.length)).toEqual([])
  })

  test('keeps its words, links and contents', () => {
    for (const { name, input, output } of pairs) {
      const before = contents.get(input)!
      const after = contents.get(output)!
      expect(after.words, name).toEqual(before.words)
      expect(
        after.links.map(({ text }) => text),
        name,
      ).toEqual(expect.arrayContaining(before.links.map(({ text }) => text)))
      expect([after.broken, after.missing], name).toEqual([before.broken, before.missing])
      expect(after.contents, name).toEqual(before.contents)
      expect(after.direction, name).toBe(before.direction)
    }
  })

  test('keeps its metadata', async () => {
    for (const { name, input, output } of pairs) {
      const [before, after] = [(await readEpub(input)).book, (await readEpub(output)).book]
      expect(after.metadata, name).toEqual({ ...before.metadata, modified: date })
      for (const part of [
        'direction',
        'layout',
        'rendition',
        'primaryWritingMode',
        'pageList',
        'spine',
      ] as const) {
        expect(after[part], `${name} ${part}`).toEqual(before[part])
      }
    }
  })
})

const resource = (href: string, body: string): [string, Resource] => [
  href,
  { href, mediaType: 'application/xhtml+xml', bytes: Buffer.from(page(href, body)), properties: [] },
]
const bare = (resources: [string, Resource][], spine: string[], navigation: NavigationEntry[]): Book => ({
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
  resources: new Map(resources),
  spine: spine.map(href => ({ href, linear: true, properties: [] })),
  navigation,
  pageList: [],
  landmarks: [
    { type: 'cover', title: '', href: 'one.xhtml' },
    { type: 'cover', title: 'again', href: 'one.xhtml' },
    { type: 'toc', title: '', href: 'nowhere.xhtml' },
  ],
})

test('dead entries are left out, linked documents are added, and used features are declared', async () => {
  const picture = {
    href: 'pic.png',
    mediaType: 'image/png',
    bytes: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
      'base64',
    ),
    properties: [],
  }
  const entry = (title: string, href: string | null, children: NavigationEntry[] = []) => ({
    title,
    href,
    children,
  })
  const book = bare(
    [
      resource(
        'one.xhtml',
        '<p id="a"><a href="two.xhtml">two</a> <video src="https://example.org/film.mp4">film</video></p>',
      ),
      resource('two.xhtml', '<p onclick="x()">two</p><svg xmlns="http://www.w3.org/2000/svg"/>'),
      resource('nav.xhtml', '<p>taken</p>'),
      ['pic.png', picture],
    ],
    ['one.xhtml', 'pic.png', 'lost.xhtml'],
    [
      entry('', 'one.xhtml#a'),
      entry('b', 'one.xhtml#lost'),
      entry('c', null),
      entry('d', null, [entry('e', 'nav.xhtml')]),
    ],
  )
  const path = files.write(await writeEpub(book, date), 'epub')
  const [content] = readEpubs(path)
  expect(content?.spine).toEqual(['EPUB/one.xhtml', 'EPUB/pic.png.xhtml', 'EPUB/two.xhtml', 'EPUB/nav.xhtml'])
  expect(content?.contents.map(([depth, title]) => [depth, title])).toEqual([
    [0, '–'],
    [0, 'b'],
    [0, 'd'],
    [1, 'e'],
  ])
  expect(content?.items.find(({ href }) => href.endsWith('two.xhtml'))?.properties).toEqual([
    'scripted',
    'svg',
  ])
  const report = (await checkEpubs(path)).get(path)
  expect(report?.filter(line => !/RSC-006|^WARNING/.test(line))).toEqual([])
})
