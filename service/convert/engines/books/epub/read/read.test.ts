import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import {
  fixedBook,
  fullBook,
  fullBookFont,
  oldBook,
  verticalBook,
} from '../../../../../../testing/book-kinds.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { type BookFiles, epubOf, page } from '../../../../../../testing/fixtures/books.ts'
import { readEpub } from './read.ts'

const files = testFiles('epub-read')
const read = async (book: Uint8Array) => (await readEpub(files.write(book, 'epub'))).book

test('a full-featured EPUB 3 is read', async () => {
  const book = await read(await fullBook())
  expect(book.metadata).toMatchObject({
    title: 'The Garden & the Sea',
    titleFileAs: 'Garden & the Sea, The',
    subtitle: 'A Book of Tests',
    authors: [
      { name: 'Ann Émile', fileAs: 'Émile, Ann', role: 'aut' },
      { name: 'Bob Writer', role: 'aut' },
    ],
    contributors: [{ name: 'Tom Translator', role: 'trl' }],
    languages: ['en', 'ar'],
    identifiers: [
      { scheme: 'UUID', value: 'urn:uuid:6f1c2c52-7d1a-4d8e-9a0c-0c9a1b2c3d4e' },
      { scheme: 'ISBN', value: 'urn:isbn:9780000000002' },
    ],
    uniqueIdentifier: 'urn:uuid:6f1c2c52-7d1a-4d8e-9a0c-0c9a1b2c3d4e',
    publisher: 'Sample Press',
    published: '2021-05-06',
    modified: new Date('2022-01-02T03:04:05Z'),
    subjects: ['Fiction', 'Tests'],
    series: { name: 'Sea Books', position: '2' },
  })
  expect(book.spine.map(({ href, linear }) => [href, linear])).toEqual([
    ['EPUB/text/cover.xhtml', true],
    ['EPUB/text/one.xhtml', true],
    ['EPUB/text/two.xhtml', true],
    ['EPUB/text/three.xhtml', true],
    ['EPUB/text/notes.xhtml', false],
  ])
  expect(book.navigation[0]?.children[1]).toEqual({
    title: 'Deep',
    href: 'EPUB/text/one.xhtml#deep',
    children: [{ title: 'Deeper', href: 'EPUB/text/one.xhtml#p5', children: [] }],
  })
  expect(book.navigation[1]).toMatchObject({ title: 'Part', href: null })
  expect(book.pageList.map(({ title, href }) => [title, href])).toEqual([
    ['1', 'EPUB/text/one.xhtml#page1'],
    ['2', 'EPUB/text/two.xhtml#page2'],
  ])
  expect(book.landmarks[0]).toEqual({ type: 'cover', title: 'Cover', href: 'EPUB/text/cover.xhtml' })
  expect(book.cover).toBe('EPUB/images/cover.jpg')
  expect(book.resources.has('EPUB/images/a photo.png')).toBe(true)
  expect(Buffer.from(book.resources.get('EPUB/fonts/mono.ttf')!.bytes).equals(fullBookFont())).toBe(true)
})

test('EPUB 2 is read, and its entities become characters', async () => {
  const book = await read(await oldBook())
  expect(book.metadata).toMatchObject({
    authors: [{ name: 'Otto Mann', fileAs: 'Mann, Otto', role: 'aut' }],
    identifiers: [{ scheme: 'ISBN', value: '9780000000019' }],
    published: '1999',
    series: { name: 'Alte Reihe', position: '3' },
  })
  expect(book.cover).toBe('OEBPS/bild.jpg')
  expect(book.landmarks.map(({ type }) => type)).toEqual(['cover', 'bodymatter'])
  expect(book.navigation[0]?.children[0]).toMatchObject({ title: 'Mitte', href: 'OEBPS/eins.html#mitte' })
  expect(Buffer.from(book.resources.get('OEBPS/eins.html')!.bytes).toString()).toContain(
    'Grüße\u00a0aus Köln — heute',
  )
})

test('fixed layout and vertical writing are detected', async () => {
  expect(await read(await fixedBook())).toMatchObject({
    layout: 'fixed',
    direction: 'rtl',
    rendition: { orientation: 'portrait', spread: 'landscape', viewport: { width: 600, height: 800 } },
    cover: 'OPS/i1.jpg',
  })
  expect(await read(verticalBook())).toMatchObject({ direction: 'rtl', primaryWritingMode: 'vertical-rl' })
})

const opf = (manifest: string, spine = '<itemref idref="a"/>') =>
  `<package xmlns="http://www.idpf.org/2007/opf" version="2.0"><metadata/><manifest>${manifest}</manifest><spine>${spine}</spine></package>`
const item = (href: string, type = 'application/xhtml+xml') =>
  `<item id="a" href="${href}" media-type="${type}"/>`

test.each<[string, BookFiles, string]>([
  [
    'encoded and odd-case paths',
    { 'b/c.opf': opf(item('My%20Text.XHTML')), 'b/my text.xhtml': page('T', '<p>x</p>') },
    'b/my text.xhtml',
  ],
  [
    'an old media type',
    { 'c.opf': opf(item('a.htm', 'text/html')), 'a.htm': '<html><body><p>x<br>y</body></html>' },
    'a.htm',
  ],
  ['no spine', { 'c.opf': opf(item('a.xhtml'), ''), 'a.xhtml': page('T', '<p>x</p>') }, 'a.xhtml'],
  [
    'a package that is not where it should be',
    {
      'META-INF/container.xml': '<container/>',
      'x/c.opf': opf(item('a.xhtml')),
      'x/a.xhtml': page('T', 'x'),
    },
    'x/a.xhtml',
  ],
])('a book with %s is read', async (_, content, href) => {
  const book = await read(epubOf(content))
  expect(book.spine).toMatchObject([{ href }])
  expect(book.resources.get(href)?.mediaType).toBe('application/xhtml+xml')
})

/** A sound picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a file missing from the manifest is found by its links, and links get the spelling of the files', async () => {
  const book = await read(
    epubOf({
      'c.opf': opf(item('a.xhtml')),
      'a.xhtml': page('T', '<p><a href="B.xhtml#x">b</a><img src="pic.png" alt=""/></p>'),
      'b.xhtml': page('B', '<p id="x">b</p>'),
      'pic.png': png,
      'nobody.txt': 'x',
    }),
  )
  expect([...book.resources.keys()].toSorted()).toEqual(['a.xhtml', 'b.xhtml', 'pic.png'])
  expect(Buffer.from(book.resources.get('a.xhtml')!.bytes).toString()).toContain('href="b.xhtml#x"')
})

const encryption = (algorithm: string) =>
  `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:EncryptionMethod Algorithm="${algorithm}"/><e:CipherData><e:CipherReference URI="a.xhtml"/></e:CipherData></e:EncryptedData></encryption>`
const plain = { 'c.opf': opf(item('a.xhtml')), 'a.xhtml': page('T', '<p>x</p>') }
const nested = `${'<b>'.repeat(600)}x${'</b>'.repeat(600)}`

test('a font that InDesign obfuscated is as it was', async () => {
  const uuid = '6f1c2c52-7d1a-4d8e-9a0c-0c9a1b2c3d4e'
  const key = Buffer.from(uuid.replaceAll('-', ''), 'hex')
  const font = fullBookFont()
  const packed = font.map((byte, at) => (at < 1024 ? byte ^ key[at % 16]! : byte))
  const metadata = `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier>urn:uuid:${uuid}</dc:identifier></metadata>`
  const book = await read(
    epubOf({
      'c.opf': opf(`${item('a.xhtml')}<item id="f" href="f.ttf" media-type="font/ttf"/>`).replace(
        '<metadata/>',
        metadata,
      ),
      'a.xhtml': page('T', '<p>x</p>'),
      'f.ttf': packed,
      'META-INF/encryption.xml': encryption('http://ns.adobe.com/pdf/enc#RC').replace('a.xhtml', 'f.ttf'),
    }),
  )
  expect(Buffer.from(book.resources.get('f.ttf')!.bytes).equals(font)).toBe(true)
})

test.each<[string, Uint8Array, string, RegExp]>([
  [
    'Adobe ADEPT',
    epubOf({
      ...plain,
      'META-INF/rights.xml': '<rights/>',
      'META-INF/encryption.xml': encryption('http://www.w3.org/2001/04/xmlenc#aes128-cbc'),
    }),
    'jobs.encrypted_input',
    /Adobe ADEPT/,
  ],
  ['Readium LCP', epubOf({ ...plain, 'META-INF/license.lcpl': '{}' }), 'jobs.encrypted_input', /Readium LCP/],
  ['Apple FairPlay', epubOf({ ...plain, 'META-INF/sinf.xml': '<x/>' }), 'jobs.encrypted_input', /FairPlay/],
  [
    'an unknown protection',
    epubOf({ ...plain, 'META-INF/encryption.xml': encryption('urn:unknown') }),
    'jobs.encrypted_input',
    /protected against copying/,
  ],
  ['no package', zipSync({ 'a.txt': strToU8('x') }), 'jobs.corrupt_input', /not an EPUB/],
  ['no text', epubOf({ 'c.opf': opf('') }), 'jobs.corrupt_input', /no chapter/],
  ['no ZIP', strToU8('not a book'), 'jobs.corrupt_input', /./],
  [
    'a package of many levels',
    epubOf({ ...plain, 'c.opf': opf(item('a.xhtml')).replace('<metadata/>', nested) }),
    'jobs.corrupt_input',
    /./,
  ],
  ['a bomb', epubOf({ ...plain, 'z.txt': new Uint8Array(100 * 2 ** 20) }), 'jobs.too_large', /Unpacked/],
])('%s is refused', async (_, bytes, code, detail) => {
  await expect(read(bytes)).rejects.toMatchObject({ code, detail: expect.stringMatching(detail) })
})

test('paths cannot lead out of the book, and external entities are not fetched', async () => {
  const book = await read(
    epubOf({
      'c.opf': `<!DOCTYPE package [<!ENTITY x SYSTEM "file:///etc/passwd">]>${opf(item('../../a.xhtml')).replace('<metadata/>', '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>&x;</dc:title></metadata>')}`,
      '../../a.xhtml': `<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]><html xmlns="http://www.w3.org/1999/xhtml"><body>&b;&x;${nested}</body></html>`,
    }),
  )
  expect([...book.resources.keys()]).toEqual(['a.xhtml'])
  expect(book.metadata.title).toBe('&x;')
  expect(Buffer.from(book.resources.get('a.xhtml')!.bytes).toString()).toContain(
    `<body>${'a'.repeat(30)}&amp;x;`,
  )
})
