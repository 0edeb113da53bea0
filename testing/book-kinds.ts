/** Books of each kind, following the formats' specifications. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BookFiles, epubOf, page, picture, sentences, UUID } from './fixtures/books.ts'

const sampleFont = () =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../resources/fonts/Cousine-Regular.ttf')))

/** Obfuscates a font like the IDPF: https://www.w3.org/TR/epub-33/#sec-font-obfuscation */
function obfuscated(font: Uint8Array): Uint8Array {
  const key = createHash('sha1').update(UUID).digest()
  return font.map((byte, at) => (at < 1040 ? byte ^ key[at % 20]! : byte))
}

/** The font of `fullBook` before obfuscation. */
export const fullBookFont = sampleFont

/**
 * EPUB 3 with everything that such books contain: a series, several authors, nested contents, pages, landmarks, notes,
 * pictures, SVG, MathML, tables, CSS, an obfuscated font, right-to-left text, a document out of order, and remote
 * links.
 */
export async function fullBook(): Promise<Uint8Array> {
  const head = '<link rel="stylesheet" type="text/css" href="../css/book.css"/>'
  const files: BookFiles = {
    'META-INF/encryption.xml': `<?xml version="1.0"?><encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><enc:CipherData><enc:CipherReference URI="EPUB/fonts/mono.ttf"/></enc:CipherData></enc:EncryptedData></encryption>`,
    'EPUB/package.opf': `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${UUID}</dc:identifier>
<dc:identifier id="isbn">urn:isbn:9780000000002</dc:identifier>
<dc:title id="title">The Garden &amp; the Sea</dc:title>
<meta refines="#title" property="title-type">main</meta>
<meta refines="#title" property="file-as">Garden &amp; the Sea, The</meta>
<dc:title id="subtitle">A Book of Tests</dc:title>
<meta refines="#subtitle" property="title-type">subtitle</meta>
<dc:creator id="ann">Ann Émile</dc:creator>
<meta refines="#ann" property="role" scheme="marc:relators">aut</meta>
<meta refines="#ann" property="file-as">Émile, Ann</meta>
<dc:creator id="bob">Bob Writer</dc:creator>
<meta refines="#bob" property="role" scheme="marc:relators">aut</meta>
<dc:contributor id="tom">Tom Translator</dc:contributor>
<meta refines="#tom" property="role" scheme="marc:relators">trl</meta>
<dc:language>en</dc:language><dc:language>ar</dc:language>
<dc:publisher>Sample Press</dc:publisher>
<dc:date>2021-05-06</dc:date>
<dc:description>What a book can hold.</dc:description>
<dc:subject>Fiction</dc:subject><dc:subject>Tests</dc:subject>
<dc:rights>CC0</dc:rights>
<meta property="belongs-to-collection" id="series">Sea Books</meta>
<meta refines="#series" property="collection-type">series</meta>
<meta refines="#series" property="group-position">2</meta>
<meta property="dcterms:modified">2022-01-02T03:04:05Z</meta>
<meta name="cover" content="cover-picture"/>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="css" href="css/book.css" media-type="text/css"/>
<item id="font" href="fonts/mono.ttf" media-type="font/ttf"/>
<item id="cover-picture" href="images/cover.jpg" media-type="image/jpeg" properties="cover-image"/>
<item id="photo" href="images/a%20photo.png" media-type="image/png"/>
<item id="vector" href="images/vector.svg" media-type="image/svg+xml"/>
<item id="cover" href="text/cover.xhtml" media-type="application/xhtml+xml" properties="svg"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml" properties="mathml svg"/>
<item id="three" href="text/three.xhtml" media-type="application/xhtml+xml"/>
<item id="notes" href="text/notes.xhtml" media-type="application/xhtml+xml"/>
</manifest>
<spine toc="ncx">
<itemref idref="cover"/><itemref idref="one"/><itemref idref="two"/><itemref idref="three" properties="page-spread-right"/><itemref idref="notes" linear="no"/>
</spine>
<guide><reference type="cover" title="Cover" href="text/cover.xhtml"/><reference type="text" title="Start" href="text/one.xhtml"/></guide>
</package>`,
    'EPUB/nav.xhtml': page(
      'Contents',
      `<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>
<li><a href="text/one.xhtml">One</a><ol><li><a href="text/one.xhtml#p2">The second paragraph</a></li><li><a href="text/one.xhtml#deep">Deep</a><ol><li><a href="text/one.xhtml#p5">Deeper</a></li></ol></li></ol></li>
<li><span>Part</span><ol><li><a href="text/two.xhtml">Two &amp; tables</a></li><li><a href="text/three.xhtml">ثلاثة</a></li></ol></li>
<li><a href="text/notes.xhtml">Notes</a></li></ol></nav>
<nav epub:type="page-list" hidden=""><ol><li><a href="text/one.xhtml#page1">1</a></li><li><a href="text/two.xhtml#page2">2</a></li></ol></nav>
<nav epub:type="landmarks" hidden=""><ol><li><a epub:type="cover" href="text/cover.xhtml">Cover</a></li><li><a epub:type="bodymatter" href="text/one.xhtml">Start</a></li></ol></nav>`,
    ),
    'EPUB/toc.ncx': `<?xml version="1.0" encoding="UTF-8"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head><meta name="dtb:uid" content="${UUID}"/></head><docTitle><text>The Garden &amp; the Sea</text></docTitle><navMap><navPoint id="a" playOrder="1"><navLabel><text>One</text></navLabel><content src="text/one.xhtml"/></navPoint></navMap></ncx>`,
    'EPUB/css/book.css': `@font-face { font-family: "Mono"; src: url(../fonts/mono.ttf); }
body { margin: 1em; }
p { text-indent: 1.5em; margin: 0; }
.center { text-align: center; text-indent: 0; }
.caps { font-variant: small-caps; }
.code, pre { font-family: "Mono", monospace; }
.hidden { display: none; }
h1 + p { text-indent: 0; }
em.strong { font-weight: bold; }
.break { page-break-before: always; }
td, th { border: 1px solid black; }`,
    'EPUB/fonts/mono.ttf': obfuscated(sampleFont()),
    'EPUB/images/cover.jpg': await picture(300, 400),
    'EPUB/images/a photo.png': await picture(80, 60, 'png'),
    'EPUB/images/vector.svg': `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><title>A drawing</title><circle cx="10" cy="10" r="8" fill="teal"/></svg>`,
    'EPUB/text/cover.xhtml': page(
      'Cover',
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 300 400"><image width="300" height="400" xlink:href="../images/cover.jpg"/></svg>',
    ),
    'EPUB/text/one.xhtml': page(
      'One',
      `<section epub:type="chapter"><h1 id="h">One</h1>
<p id="p1"><span epub:type="pagebreak" id="page1" title="1"></span>The first has a note<a epub:type="noteref" id="r1" href="notes.xhtml#n1">1</a> and <em class="strong">weight</em>, <span class="caps">small capitals</span>, x<sup>2</sup>, H<sub>2</sub>O.</p>
${sentences(2, 3)}
<h2 id="deep">Deep</h2>
${sentences(5, 3)}
<p class="center">In the middle.<br/>And below.</p>
<ul><li>An item</li><li>Another with <a href="two.xhtml#table">a link to the table</a><ol><li>within</li></ol></li></ul>
<dl><dt>Term</dt><dd>What it means</dd></dl>
<blockquote><p>Quoted, <a href="https://example.org/?a=1&amp;b=2">from afar</a>.</p></blockquote>
<pre>  if (a &lt; b) {
    return   1
  }</pre>
<p class="hidden">Not to be seen.</p><hr/>
<figure><img src="../images/a%20photo.png" alt="A photograph"/><figcaption>The caption</figcaption></figure></section>`,
      { head },
    ),
    'EPUB/text/two.xhtml': page(
      'Two',
      `<h1>Two &amp; tables</h1><p><span epub:type="pagebreak" id="page2" title="2"></span>See <a href="one.xhtml#p5">paragraph 5</a> and <a href="#table">below</a>.</p>
<table id="table"><caption>Numbers</caption><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody><tr><td colspan="2">both</td></tr><tr><td rowspan="2">a</td><td>1</td></tr><tr><td>2</td></tr></tbody></table>
<p>A formula <math xmlns="http://www.w3.org/1998/Math/MathML" alttext="x squared"><msup><mi>x</mi><mn>2</mn></msup></math> and a drawing:</p>
<div><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" width="20" height="20"><rect width="20" height="20" fill="red"/></svg></div>
<p><img src="../images/vector.svg" alt="drawing"/></p>
<p class="break code">After a break.</p>`,
      { head },
    ),
    'EPUB/text/three.xhtml': page(
      'Three',
      '<h1 id="three">ثلاثة</h1><p>هذا نص من اليمين إلى اليسار. <span dir="ltr" lang="en" xml:lang="en">And English in it.</span></p><p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby></p>',
      { head, attributes: ' lang="ar" xml:lang="ar" dir="rtl"' },
    ),
    'EPUB/text/notes.xhtml': page(
      'Notes',
      '<h1>Notes</h1><aside epub:type="footnote" id="n1"><p><a href="one.xhtml#r1">1</a> The text of the note.</p></aside>',
      { head },
    ),
  }
  return epubOf(files)
}

/** EPUB 2 with an NCX, a guide, a cover by `meta`, Calibre's series, named entities and XHTML 1.1. */
export async function oldBook(): Promise<Uint8Array> {
  const old = (title: string, body: string) =>
    `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>${title}</title><link rel="stylesheet" type="text/css" href="style.css"/></head><body>${body}</body></html>`
  return epubOf({
    'OEBPS/content.opf': `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="uid">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
<dc:title>Das alte Buch</dc:title>
<dc:creator opf:role="aut" opf:file-as="Mann, Otto">Otto Mann</dc:creator>
<dc:contributor opf:role="ill">Ida Bild</dc:contributor>
<dc:language>de</dc:language>
<dc:identifier id="uid" opf:scheme="ISBN">9780000000019</dc:identifier>
<dc:date opf:event="publication">1999</dc:date>
<dc:publisher>Verlag</dc:publisher>
<meta name="cover" content="cover-image"/>
<meta name="calibre:series" content="Alte Reihe"/>
<meta name="calibre:series_index" content="3.0"/>
</metadata>
<manifest>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="style" href="style.css" media-type="text/css"/>
<item id="cover-image" href="bild.jpg" media-type="image/jpeg"/>
<item id="cover" href="cover.html" media-type="application/xhtml+xml"/>
<item id="c1" href="eins.html" media-type="application/xhtml+xml"/>
<item id="c2" href="zwei.html" media-type="application/xhtml+xml"/>
</manifest>
<spine toc="ncx"><itemref idref="cover" linear="no"/><itemref idref="c1"/><itemref idref="c2"/></spine>
<guide><reference type="cover" title="Umschlag" href="cover.html"/><reference type="text" title="Anfang" href="eins.html"/></guide>
</package>`,
    'OEBPS/toc.ncx': `<?xml version="1.0" encoding="utf-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head><meta name="dtb:uid" content="9780000000019"/><meta name="dtb:depth" content="2"/><meta name="dtb:totalPageCount" content="0"/><meta name="dtb:maxPageNumber" content="0"/></head><docTitle><text>Das alte Buch</text></docTitle>
<navMap><navPoint id="n1" playOrder="1"><navLabel><text>Eins</text></navLabel><content src="eins.html"/><navPoint id="n2" playOrder="2"><navLabel><text>Mitte</text></navLabel><content src="eins.html#mitte"/></navPoint></navPoint><navPoint id="n3" playOrder="3"><navLabel><text>Zwei</text></navLabel><content src="zwei.html"/></navPoint></navMap></ncx>`,
    'OEBPS/style.css': 'p.first { text-indent: 0 } h1 { text-align: center }',
    'OEBPS/bild.jpg': await picture(200, 300),
    'OEBPS/cover.html': old('Umschlag', '<div><img src="bild.jpg" alt="Umschlag"/></div>'),
    'OEBPS/eins.html': old(
      'Eins',
      '<h1>Eins</h1><p class="first">Gr&uuml;&szlig;e&nbsp;aus K&ouml;ln &mdash; heute. <a id="anker"></a>Siehe <a href="zwei.html#ende">das Ende</a>.</p><h2 id="mitte">Mitte</h2><p>Noch ein Absatz.</p>',
    ),
    'OEBPS/zwei.html': old(
      'Zwei',
      '<h1>Zwei</h1><p>Zur&uuml;ck <a href="eins.html#anker">zum Anker</a>.</p><p id="ende">Ende.</p>',
    ),
  })
}

/** Fixed-layout pages from right to left, like manga. */
export async function fixedBook(): Promise<Uint8Array> {
  const viewport = '<meta name="viewport" content="width=600, height=800"/>'
  const pages = [1, 2, 3]
  return epubOf({
    'OPS/package.opf': `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:11111111-2222-4333-8444-555555555555</dc:identifier><dc:title>漫画</dc:title><dc:creator>絵師</dc:creator><dc:language>ja</dc:language>
<meta property="dcterms:modified">2022-01-02T03:04:05Z</meta>
<meta property="rendition:layout">pre-paginated</meta><meta property="rendition:orientation">portrait</meta><meta property="rendition:spread">landscape</meta>
</metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
${pages.map(n => `<item id="p${n}" href="p${n}.xhtml" media-type="application/xhtml+xml"/><item id="i${n}" href="i${n}.jpg" media-type="image/jpeg"${n === 1 ? ' properties="cover-image"' : ''}/>`).join('\n')}
</manifest>
<spine page-progression-direction="rtl">${pages.map(n => `<itemref idref="p${n}" properties="${n % 2 ? 'page-spread-left' : 'page-spread-right'}"/>`).join('')}</spine>
</package>`,
    'OPS/nav.xhtml': page(
      '目次',
      '<nav epub:type="toc"><ol><li><a href="p1.xhtml">一</a></li><li><a href="p3.xhtml">三</a></li></ol></nav>',
      { head: viewport, attributes: ' lang="ja" xml:lang="ja"' },
    ),
    ...Object.fromEntries(
      await Promise.all(pages.map(async n => [`OPS/i${n}.jpg`, await picture(600 + n, 800)] as const)),
    ),
    ...Object.fromEntries(
      pages.map(n => [
        `OPS/p${n}.xhtml`,
        page(
          `${n}`,
          `<div style="position:absolute;left:0;top:0"><img src="i${n}.jpg" alt="頁${n}" width="600" height="800"/></div><p style="position:absolute;left:20px;top:${n}0px">台詞${n}</p>`,
          {
            head: viewport,
            attributes: ' lang="ja" xml:lang="ja"',
          },
        ),
      ]),
    ),
  })
}

/** Japanese in vertical lines, with ruby, from right to left. */
export const verticalBook = (): Uint8Array =>
  epubOf({
    'item/standard.opf': `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="ja">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:99999999-2222-4333-8444-555555555555</dc:identifier><dc:title>吾輩は猫である</dc:title><dc:creator id="a">夏目漱石</dc:creator><meta refines="#a" property="file-as">ナツメソウセキ</meta><dc:language>ja</dc:language>
<meta property="dcterms:modified">2022-01-02T03:04:05Z</meta><meta name="primary-writing-mode" content="vertical-rl"/>
</metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="css" href="v.css" media-type="text/css"/>
<item id="one" href="xhtml/one.xhtml" media-type="application/xhtml+xml"/><item id="two" href="xhtml/two.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine page-progression-direction="rtl"><itemref idref="one"/><itemref idref="two"/></spine>
</package>`,
    'item/nav.xhtml': page(
      '目次',
      '<nav epub:type="toc"><ol><li><a href="xhtml/one.xhtml">一</a></li><li><a href="xhtml/two.xhtml#ni">二</a></li></ol></nav>',
      { attributes: ' lang="ja" xml:lang="ja"' },
    ),
    'item/v.css':
      'html { writing-mode: vertical-rl; -epub-writing-mode: vertical-rl; } .tcy { text-combine-upright: all; }',
    ...Object.fromEntries(
      ['one', 'two'].map((name, index) => [
        `item/xhtml/${name}.xhtml`,
        page(
          name,
          `<h1 id="${index ? 'ni' : 'ichi'}">${index ? '二' : '一'}</h1><p>吾輩は<ruby>猫<rt>ねこ</rt></ruby>である。名前はまだ無い。第<span class="tcy">12</span>回。</p>`,
          {
            head: '<link rel="stylesheet" type="text/css" href="../v.css"/>',
            attributes: ' lang="ja" xml:lang="ja"',
          },
        ),
      ]),
    ),
  })
