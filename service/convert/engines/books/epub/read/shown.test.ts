/** What of a book is shown although its spine does not name it, and how its references are resolved. */
import { describe, expect, test } from 'vitest'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { type BookFiles, epubOf, page } from '../../../../../../testing/fixtures/books.ts'
import { readEpub } from './read.ts'

const files = testFiles('epub-shown')

const item = (id: string, href: string, type = 'application/xhtml+xml', rest = '') =>
  `<item id="${id}" href="${href}" media-type="${type}" ${rest}/>`
const opf = (items: string, spine: string, rest = '') =>
  `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest>${items}</manifest><spine>${spine}</spine>${rest}</package>`

async function read(content: BookFiles) {
  const { book } = await readEpub(files.write(epubOf(content), 'epub'))
  return {
    book,
    spine: book.spine.map(({ href, linear }) => (linear ? href : `(${href})`)),
    text: (href: string) => Buffer.from(book.resources.get(href)!.bytes).toString(),
  }
}

test('documents to which only links lead follow out of the reading order', async () => {
  const { spine } = await read({
    'c.opf': opf(item('a', 'a.xhtml') + item('n', 'n.xhtml') + item('u', 'u.xhtml'), '<itemref idref="a"/>'),
    'a.xhtml': page('A', '<p><a href="n.xhtml#n1">1</a> <iframe src="frame.xhtml"></iframe></p>'),
    'n.xhtml': page('N', '<p id="n1">A note, <a href="deep.xhtml">further</a></p>'),
    'frame.xhtml': page('F', '<p>framed</p>'),
    'deep.xhtml': page('D', '<p>not even in the manifest</p>'),
    'u.xhtml': page('U', '<p>nobody links here</p>'),
  })
  expect(spine).toEqual(['a.xhtml', '(n.xhtml)', '(frame.xhtml)', '(deep.xhtml)'])
})

/** A sound picture of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('fallbacks replace files that cannot be shown, in the spine and in references', async () => {
  const { book, spine, text } = await read({
    'c.opf': opf(
      item('f1', 'f1.xml', 'application/foo+xml', 'fallback="f2"') +
        item('f2', 'f2.pdf', 'application/pdf', 'fallback="f3"') +
        item('f3', 'f3.xhtml') +
        item('a', 'a.xhtml') +
        item('x', 'x.foo', 'image/x-foo', 'fallback="p"') +
        item('p', 'p.png', 'image/png') +
        item('loop', 'loop.foo', 'image/x-foo', 'fallback="loop"') +
        item('nav', 'nav.xhtml', undefined, 'properties="nav"'),
      '<itemref idref="f1"/><itemref idref="a"/>',
    ),
    'f1.xml': '<foo/>',
    'f2.pdf': '%PDF-1.4',
    'f3.xhtml': page('F', '<p id="t">shown</p>'),
    'a.xhtml': page('A', '<p><a href="f1.xml#t">t</a><img src="x.foo"/><img src="loop.foo"/></p>'),
    'x.foo': 'foo',
    'loop.foo': 'foo',
    'p.png': png,
    'nav.xhtml': page('N', '<nav epub:type="toc"><ol><li><a href="f1.xml#t">F</a></li></ol></nav>'),
  })
  expect(spine).toEqual(['f3.xhtml', 'a.xhtml'])
  expect(text('a.xhtml')).toContain('<a href="f3.xhtml#t">t</a><img src="p.png"/><img src="loop.foo"/>')
  expect(book.navigation).toEqual([{ title: 'F', href: 'f3.xhtml#t', children: [] }])
})

test('references are resolved with the base address that a document declares', async () => {
  const { text } = await read({
    'c.opf': opf(
      item('a', 'a.xhtml') + item('p', 'sub/p.png', 'image/png') + item('b', 'sub/b.xhtml'),
      '<itemref idref="a"/><itemref idref="b"/>',
    ),
    'a.xhtml': page('A', '<p><img src="p.png"/><a href="b.xhtml#x">b</a></p>', {
      head: '<base href="sub/"/>',
    }),
    'sub/p.png': png,
    'sub/b.xhtml': page('B', '<p id="x">x</p>', { head: '<base href="https://example.org/"/>' }),
  })
  expect(text('a.xhtml')).not.toContain('<base')
  expect(text('a.xhtml')).toContain('<img src="sub/p.png"/><a href="sub/b.xhtml#x">b</a>')
})

test('a container that also names the book as a PDF', async () => {
  const { spine } = await read({
    'META-INF/container.xml':
      '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.pdf" media-type="application/pdf"/><rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'b.pdf': '%PDF-1.4',
    'c.opf': opf(item('a', 'a.xhtml'), '<itemref idref="a"/>'),
    'a.xhtml': page('A', '<p>a</p>'),
  })
  expect(spine).toEqual(['a.xhtml'])
})

test('the date of the electronic edition stands in for that of the printed one', async () => {
  const { book } = await read({
    'c.opf': opf(item('a', 'a.xhtml'), '<itemref idref="a"/>').replace(
      '<metadata/>',
      '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf"><dc:date opf:event="modification">2020</dc:date><dc:date opf:event="ops-publication">2014-10</dc:date></metadata>',
    ),
    'a.xhtml': page('A', '<p>a</p>'),
  })
  expect(book.metadata.published).toBe('2014-10')
})

describe('entities that a document declares itself', () => {
  const bodyOf = async (declarations: string, body: string) => {
    const { text } = await read({
      'c.opf': opf(item('a', 'a.xhtml'), '<itemref idref="a"/>'),
      'a.xhtml': `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd" [${declarations}]><html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title></head><body>${body}</body></html>`,
    })
    return /<body>(.*)<\/body>/s.exec(text('a.xhtml'))?.[1] ?? ''
  }

  test('are replaced, with elements in them', async () => {
    const declarations = `<!-- "]>' --><!ENTITY me "Jane &eacute;"> <!ENTITY two '<em title="t">&me;</em>'><!ENTITY me "no"><!ENTITY q 'a "b"'>`
    expect(await bodyOf(declarations, '<p title="&q;">&me; &two; &other; &amp;me;</p>')).toBe(
      '<p title="a &quot;b&quot;">Jane é <em title="t">Jane é</em> &amp;other; &amp;me;</p>',
    )
  })

  test('as the namespaces of SVG', async () => {
    const vectorGraphic =
      '<svg xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" viewBox="0 0 1 1"><use xlink:href="#a"/></svg>'
    const declarations =
      '<!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY ns_xlink "http://www.w3.org/1999/xlink">'
    expect(await bodyOf(declarations, vectorGraphic)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1"><use xlink:href="#a"/></svg>',
    )
  })

  testFull('do not make a small file large', async () => {
    const levels = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(50)}">`)
    const body = await bodyOf(`<!ENTITY e0 "${'a'.repeat(50)}">${levels.join('')}`, '<p>&e20;</p>')
    expect(body.length).toBeLessThan(8_000_000)
  })
})

test('links by canonical fragment identifiers lead to the nearest element with an id', async () => {
  const { text } = await read({
    'c.opf': opf(item('a', 'a.xhtml') + item('b', 'b.xhtml'), '<itemref idref="a"/><itemref idref="b"/>'),
    'a.xhtml': page('A', '<p>one</p>'),
    'b.xhtml': page(
      'B',
      [
        '/6/2!/4/2[one]/3:10[xx,y]',
        '/6/4[ref]!/4[body]/10[para]/3:10',
        '/6/2',
        '/6/2!/4/2,/1:0,/1:4',
        '/6/8!/4',
        '/4/2!/4',
      ]
        .map(path => `<a href="c.opf#epubcfi(${path})">x</a>`)
        .join(''),
    ),
  })
  expect([...text('b.xhtml').matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    'a.xhtml#one',
    '#para',
    'c.opf#epubcfi(/6/2)',
    'a.xhtml',
    'c.opf#epubcfi(/6/8!/4)',
    'c.opf#epubcfi(/4/2!/4)',
  ])
})

test('pages of a fixed layout that are vector graphics have the size of these', async () => {
  for (const size of ['viewBox="0 0 600 800"', 'width="600" height="800px"']) {
    const { book } = await read({
      'c.opf': opf(item('s', 's.svg', 'image/svg+xml'), '<itemref idref="s"/>').replace(
        '<metadata/>',
        '<metadata><meta property="rendition:layout">pre-paginated</meta></metadata>',
      ),
      's.svg': `<svg xmlns="http://www.w3.org/2000/svg" ${size}><text y="20">x</text></svg>`,
    })
    expect(book.rendition.viewport).toEqual({ width: 600, height: 800 })
  }
})
