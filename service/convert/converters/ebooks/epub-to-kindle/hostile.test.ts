/** Books made to exhaust the machine, incomplete books, and damaged ones. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fullBook } from '../../../../../testing/book-kinds.ts'
import { mobitool, readEpubs } from '../../../../../testing/books.ts'
import { describeFull } from '../../../../../testing/describe-full.ts'
import { canMount, smallDisk } from '../../../../../testing/disk.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { type BookFiles, epubOf, page } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../../testing/fixtures/full.ts'
import { faultOf, malformed } from '../../../../../testing/malformed.ts'

const files = testFiles('hostile-kindle')
const jobs = ['ebook.epub-to-azw3', 'ebook.epub-to-mobi'] as const

function book(pages: Record<string, string>, others: BookFiles = {}): Uint8Array {
  const names = Object.keys(pages)
  const items = [
    ...names.map(name => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`),
    ...Object.keys(others).map(name => `<item id="${name}" href="${name}" media-type="text/css"/>`),
  ]
  return epubOf({
    'book.opf': `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:6f1c2c52-7d1a-4d8e-9a0c-0c9a1b2c3d4e</dc:identifier><dc:title></dc:title><dc:language>en</dc:language></metadata><manifest>${items.join('')}</manifest><spine>${names.map(name => `<itemref idref="${name}"/>`).join('')}</spine></package>`,
    ...pages,
    ...others,
  })
}

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    // libmobi is slow with many links.
    const link = n % 50 === 0 ? ` <a href="#p${n >> 1}">there</a>` : ''
    return `<p id="p${n}">Paragraph ${n} of <b>many</b>.${link}</p>`
  }).join('\n')
const styled = (body: string) => page('A', body, { head: '<link rel="stylesheet" href="0.css"/>' })

const books: Record<string, () => Uint8Array> = {
  'one long chapter': () => book({ 'a.xhtml': page('A', paragraphs(20_000)) }),
  'one word of 3 MB': () => book({ 'a.xhtml': page('A', `<p>${'x'.repeat(3e6)}</p>`) }),
  'a thousand documents': () =>
    book(
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, n) => [
          `${n}.xhtml`,
          page(`${n}`, `<p>Text <a href="${999 - n}.xhtml">on</a></p>`),
        ]),
      ),
    ),
  'style sheets that import each other in circles': () =>
    book(
      { 'a.xhtml': styled(paragraphs(100)) },
      Object.fromEntries(
        Array.from({ length: 300 }, (_, n) => [
          `${n}.css`,
          `@import "${(n + 1) % 300}.css"; @import url(${(n * 3) % 300}.css); p { text-indent: 1em }`,
        ]),
      ),
    ),
  'selectors and blocks nested a thousand deep': () =>
    book(
      { 'a.xhtml': styled(paragraphs(100)) },
      {
        '0.css': `${':not('.repeat(20_000)}p${')'.repeat(20_000)} { color: red } ${'@media screen {'.repeat(20_000)} p { margin: 0 } ${'}'.repeat(20_000)}`,
      },
    ),
  'selectors that look at everything': () =>
    book(
      { 'a.xhtml': styled(paragraphs(2000)) },
      { '0.css': Array.from({ length: 2000 }, (_, n) => `* ~ * ~ * ~ p { text-indent: ${n}px }`).join('\n') },
    ),
  'links to nowhere and pictures that are not there': () =>
    book({
      'a.xhtml': page(
        'A',
        '<p>Text <a href="gone.xhtml#x">gone</a> <a href="#gone">away</a> <a href="%zz">?</a> <img src="gone.png" alt="lost"/> <img src="data:image/png;base64,AAAA"/> <object data="x.swf">Flash</object></p>',
      ),
    }),
  'a page with nothing on it': () => book({ 'a.xhtml': page('A', '') }),
}

test.each(kinds(Object.keys(books), name => name === 'links to nowhere and pictures that are not there'))(
  '%s: libmobi reads every word',
  async name => {
    const source = files.write(books[name]!(), 'epub')
    const [input] = readEpubs(source)
    for (const job of jobs) {
      const { path } = await convertFile(job, source)
      const folder = join(files.folder, `${job}-${name.replaceAll(/\W/g, '')}`)
      mkdirSync(folder)
      mobitool('-e', '-o', folder, path)
      const [output] = readEpubs(join(folder, readdirSync(folder)[0]!))
      const words = (list: readonly string[]) => list.filter(word => word !== '[lost]')
      expect(words(output!.words)).toEqual(input!.words)
      expect(output!.broken).toEqual([])
    }
  },
  60_000,
)

test('damaged vector graphics are left out, with a warning', async () => {
  const source = files.write(
    epubOf({
      'book.opf':
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="s" href="s.svg" media-type="image/svg+xml"/><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="s"/><itemref idref="a"/></spine></package>',
      's.svg': '<svg xmlns="http://www.w3.org/2000/svg"><image href="p.png"/><text x="1',
      'a.xhtml': page('A', '<p>Text <img src="s.svg" alt="drawn"/></p>'),
    }),
    'epub',
  )
  for (const job of jobs) {
    const { warnings } = await convertFile(job, source)
    expect(warnings).toEqual([expect.stringContaining('s.svg')])
  }
})

test('a book without contents gets them from its headings', async () => {
  const source = files.write(
    book({
      'a.xhtml': page('A', '<h1>First</h1><p>x</p><h2 id="s">Section</h2><p>y</p>'),
      'b.xhtml': page('B', '<h1>Second</h1>'),
    }),
    'epub',
  )
  const { path } = await convertFile('ebook.epub-to-azw3', source)
  const folder = files.path('headings')
  mkdirSync(folder)
  mobitool('-e', '-o', folder, path)
  const [output] = readEpubs(join(folder, readdirSync(folder)[0]!))
  expect(output!.contents.map(([depth, title]) => [depth, title])).toEqual([
    [0, 'First'],
    [1, 'Section'],
    [0, 'Second'],
  ])
})

test('damaged books give a result or a documented failure', async () => {
  for (const { name: damage, bytes, cut } of malformed(Buffer.from(await fullBook()))) {
    const source = files.write(bytes, 'epub')
    try {
      const { path } = await convertFile('ebook.epub-to-mobi', source)
      expect(statSync(path).size, damage).toBeGreaterThan(1000)
      expect(readFileSync(path).toString('latin1', 60, 68)).toBe('BOOKMOBI')
    } catch (error) {
      if (cut) expect(error, damage).toMatchObject({ code: 'jobs.corrupt_input' })
      else expect(faultOf(error), damage).toBeUndefined()
    }
  }
})

describeFull('a small disk', canMount, () => {
  test('fails a book that it has no room for, instead of ending where the disk is full', async () => {
    const text = Array.from({ length: 2000 }, () => `<p>${randomBytes(750).toString('base64')}</p>`).join('')
    const source = files.write(book({ 'a.xhtml': page('A', text) }), 'epub')
    vi.stubEnv('TMPDIR', await smallDisk(1))
    try {
      await expect(convertFile('ebook.epub-to-azw3', source)).rejects.toMatchObject({ code: 'ENOSPC' })
    } finally {
      vi.unstubAllEnvs()
    }
  })
})
