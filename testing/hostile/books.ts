/** Books that fetch, lead outside or never end: EPUB, and Kindle's formats. */
import { zipSync } from 'fflate'
import { type BookFiles, epubOf, page } from '../fixtures/books.ts'
import { u16, u32 } from '../fixtures/numbers.ts'
import { mobiFile, palmDatabase } from '../mobi.ts'
import {
  type Attack,
  attacksOn,
  type Bait,
  canary,
  heavy,
  laughs,
  longEntity,
  outside,
  patched,
} from './attack.ts'
import { inflating } from './bombs.ts'
import { around, edited } from './packages.ts'

const opf = (items: string, spine = '<itemref idref="a"/>', prolog = '', title = 'A book') =>
  `<?xml version="1.0"?>${prolog}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x</dc:identifier><dc:title>${title}</dc:title><dc:language>en</dc:language></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>${items}</manifest><spine>${spine}</spine></package>`
const book = (body: string, { head = '', items = '', files = {} as BookFiles, prolog = '' } = {}) =>
  epubOf({
    'book.opf': opf(items),
    'a.xhtml': withProlog(page('A', `<p>Text.</p>${body}`, { head }), prolog),
    ...files,
  })
const withProlog = (xhtml: string, prolog: string) =>
  prolog ? xhtml.replace('<!DOCTYPE html>', prolog) : xhtml

const addresses = (bait: Bait, suffix: 'png' | 'css' | 'txt'): string[] => [
  `${bait.url}/x.${suffix}`,
  `//${bait.authority}/y.${suffix}`,
  `file://${canary(bait, suffix)}`,
  canary(bait, suffix),
  `../../../../../../../../../..${canary(bait, suffix)}`,
]

const epubs: Record<string, Attack['bytes']> = {
  'pictures, frames, videos and objects from elsewhere': bait =>
    book(
      addresses(bait, 'png')
        .map(
          href =>
            `<img src="${href}" srcset="${href} 2x" alt=""/><iframe src="${href}"></iframe><object data="${href}"></object><embed src="${href}"/><video src="${href}" poster="${href}"></video><audio src="${href}"></audio><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${href}"/><use xlink:href="${href}#a"/></svg>`,
        )
        .join(''),
    ),
  'style sheets and fonts from elsewhere': bait =>
    book('<p style="background:url(x.png)">styled</p>', {
      head: `<link rel="stylesheet" href="own.css"/>${addresses(bait, 'css')
        .map(
          href =>
            `<link rel="stylesheet" href="${href}"/><style>@import "${href}"; @font-face { font-family: f; src: url(${href}) }</style>`,
        )
        .join('')}<base href="${bait.url}/"/><script src="${bait.url}/a.js"></script>`,
      items: '<item id="c" href="own.css" media-type="text/css"/>',
      files: {
        'own.css': addresses(bait, 'css')
          .map(
            href =>
              `@import url("${href}"); @font-face{font-family:g;src:url('${href}')} p{background:url(${href})}`,
          )
          .join('\n'),
      },
    }),
  'entities of files and addresses, in pages': bait =>
    book('<p>&file;&web;</p>', { prolog: outside('html', bait) }),
  'entities of files and addresses, in the package': bait =>
    epubOf({
      'book.opf': opf('', undefined, outside('package', bait), '&file;&web;'),
      'a.xhtml': page('A', '<p>Text.</p>'),
    }),
  'a billion laughs': () => book('<p>&laugh9;</p>', { prolog: laughs('html') }),
  'a billion laughs in the package': () =>
    epubOf({
      'book.opf': opf('', undefined, laughs('package'), '&laugh9;'),
      'a.xhtml': page('A', '<p>Text.</p>'),
    }),
  'a long entity a thousand times': () =>
    book(`<p>${'&long;'.repeat(1000)}</p>`, { prolog: longEntity('html') }),
  'a manifest of files that lie outside': bait =>
    epubOf({
      'book.opf': opf(
        addresses(bait, 'png')
          .map(
            (href, n) =>
              `<item id="p${n}" href="${href}" media-type="image/png" ${n === 0 ? 'properties="cover-image"' : ''}/><item id="x${n}" href="${href}" media-type="application/xhtml+xml"/>`,
          )
          .join(''),
        `${addresses(bait, 'png')
          .map((_, n) => `<itemref idref="x${n}"/>`)
          .join('')}<itemref idref="a"/>`,
      ),
      'a.xhtml': page('A', '<p>Text.</p>'),
    }),
  'a package outside the container': bait =>
    epubOf({
      'META-INF/container.xml': `<?xml version="1.0"?>${outside('container', bait)}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="../../../../../../..${canary(bait, 'txt')}" media-type="application/oebps-package+xml"/><rootfile full-path="${bait.url}/a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
      'book.opf': opf(''),
      'a.xhtml': page('A', '<p>Text.</p>'),
    }),
  'names that lead out': bait =>
    epubOf({
      'book.opf': opf(''),
      'a.xhtml': page('A', '<p>Text.</p>'),
      [`../../../../..${canary(bait, 'txt')}`]: 'overwritten',
      '/etc/evil': 'x',
    }),
  'a hundred thousand elements in one another': () =>
    book(`${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}`),
  'lists in one another, five thousand deep': () =>
    book(`${'<ul><li>'.repeat(5000)}deep${'</li></ul>'.repeat(5000)}`),
  'tables in one another, a thousand deep': () =>
    book(`${'<table><tr><td>'.repeat(1000)}deep${'</td></tr></table>'.repeat(1000)}`),
  'a table that spans a billion cells': () =>
    book(
      `<table>${'<tr><td colspan="1000000000" rowspan="1000000000">x</td><td colspan="65534" rowspan="65534">y</td></tr>'.repeat(50)}</table>`,
    ),
  'contents that are their own chapter, ten thousand deep': () =>
    book('', {
      items: '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
      files: {
        'nav.xhtml': page(
          'N',
          `<nav epub:type="toc">${'<ol><li><a href="nav.xhtml">x</a>'.repeat(10_000)}${'</li></ol>'.repeat(10_000)}</nav>`,
        ),
      },
    }),
  'a page that unpacks to 300 MB of spaces': () =>
    edited(book(''), { 'a.xhtml': xml => inflating(500, ' ', ...around(xml, '</body>')) }),
  'a picture of 900 megapixels': () =>
    book('<p><img src="a.svg" alt=""/></p>', {
      items: '<item id="s" href="a.svg" media-type="image/svg+xml"/>',
      files: {
        'a.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"><image href="a.svg" width="30000" height="30000"/></svg>',
      },
    }),
  'formulas in one another, ten thousand deep': () =>
    book(
      `<math xmlns="http://www.w3.org/1998/Math/MathML">${'<msqrt>'.repeat(10_000)}<mi>x</mi>${'</msqrt>'.repeat(10_000)}</math>`,
    ),
  'an empty archive': () => zipSync({ mimetype: Buffer.from('application/epub+zip') }),
}

const html = (body: string) => Buffer.from(`<html><body><p>Text.</p>${body}</body></html>`)
const plain = (body = '') => mobiFile({ text: html(body), compression: 'none' })
/** Where the first record starts. */
const first = (bytes: Buffer) => bytes.readUInt32BE(78)

/** HUFF codes whose only phrase consists of itself, twice. */
function loopingCodes(): Buffer {
  const bytes = mobiFile({
    text: html('which of the chapter and the which'.repeat(50)),
    compression: 'huffcdic',
  })
  const cdic = bytes.indexOf('CDIC')
  const count = bytes.readUInt32BE(cdic + 8)
  // Every offset leads to the same phrase, whose bits are codes for that phrase.
  const at = cdic + 16 + 2 * count
  for (let n = 0; n < count; n++) bytes.writeUInt16BE(2 * count, cdic + 16 + 2 * n)
  bytes.writeUInt16BE(200, at)
  return bytes
}

const kindle: Record<string, Attack['bytes']> = {
  'links and pictures that lie elsewhere': bait =>
    plain(
      addresses(bait, 'png')
        .map(
          href =>
            `<img src="${href}"><a href="${href}">x</a><iframe src="${href}"></iframe><object data="${href}"></object><link rel="stylesheet" href="${href}"><style>@import url(${href});</style><svg><image xlink:href="${href}"/></svg>`,
        )
        .join(''),
    ),
  'pictures by numbers that are not there': () =>
    plain(
      '<img recindex="99999"><img recindex="-1"><img src="kindle:embed:ZZZZZZZZZZ"><a filepos=4294967295>x</a><a href="kindle:pos:fid:VVVV:off:VVVVVVVVVV">x</a>',
    ),
  'codes whose phrases hold themselves': loopingCodes,
  'records beyond the end of the file': () => patched(plain(), 86, u32(0xffff_fff0)),
  'records in the wrong order': () => patched(plain(), 78, u32(0xffff, 0, 1, 0)),
  'a text of four gigabytes': () => {
    const bytes = plain()
    return patched(bytes, first(bytes) + 4, u32(0xffff_ffff))
  },
  'sixty-five thousand records of text': () => {
    const bytes = plain()
    return patched(bytes, first(bytes) + 8, u16(0xffff))
  },
  'a header longer than its record': () => {
    const bytes = plain()
    return patched(bytes, first(bytes) + 20, u32(0xffff_ffff))
  },
  'metadata without an end': () => {
    const bytes = mobiFile({
      text: html(''),
      metadata: [
        [503, 'title'],
        [100, 'author'],
      ],
    })
    return patched(bytes, bytes.indexOf('EXTH') + 4, u32(0xffff_ffff, 0xffff_ffff, 503, 0))
  },
  'entries behind the text that are longer than it': () => {
    const bytes = mobiFile({ text: html(''), trailing: true })
    return patched(bytes, first(bytes) + 16 + 224, u32(0xffff_ffff))
  },
  'no records': () => palmDatabase('BOOKMOBI', 'book', []),
  'a hundred thousand tags in one another': () =>
    mobiFile({ text: html('<div>'.repeat(100_000)), compression: 'none' }),
}

export const bookAttacks: Attack[] = heavy(
  [...attacksOn('epub', epubs), ...attacksOn('mobi', kindle), ...attacksOn('azw3', kindle)],
  'a hundred thousand elements in one another',
  'a hundred thousand tags in one another',
  'contents that are their own chapter, ten thousand deep',
)
