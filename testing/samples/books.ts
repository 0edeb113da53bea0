/** Books, written file by file. */
import { strToU8, type Zippable, zipSync } from 'fflate'
import sharp from 'sharp'

export type BookFiles = Record<string, string | Uint8Array>

const CONTAINER = (opf: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${opf}" media-type="application/oebps-package+xml"/></rootfiles></container>`

/** An EPUB with these files; the first one ending in `.opf` is its package. */
export function epubOf(files: BookFiles): Uint8Array {
  const opf = Object.keys(files).find(name => name.endsWith('.opf')) ?? 'book.opf'
  const entries: BookFiles = { 'META-INF/container.xml': CONTAINER(opf), ...files }
  const zip: Zippable = { mimetype: [strToU8('application/epub+zip'), { level: 0 }] }
  for (const [name, content] of Object.entries(entries)) {
    zip[name] = typeof content === 'string' ? strToU8(content) : content
  }
  return zipSync(zip, { mtime: new Date('2024-02-03T04:05:06Z') })
}

/** A picture of two colours with an edge through it. */
export const picture = (width: number, height: number, format: 'jpeg' | 'png' = 'jpeg'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#274' } })
    .composite([
      {
        input: { create: { width: width >> 1, height: height >> 1, channels: 3, background: '#e94' } },
        left: width >> 2,
        top: height >> 2,
      },
    ])
    [format]()
    .toBuffer()

/** A page of XHTML. */
export const page = (
  title: string,
  body: string,
  { head = '', attributes = ' lang="en" xml:lang="en"' } = {},
) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"${attributes}>
<head><title>${title}</title>${head}</head>
<body>${body}</body>
</html>`

/** The identifier of all books here. */
export const UUID = 'urn:uuid:6f1c2c52-7d1a-4d8e-9a0c-0c9a1b2c3d4e'

/** Numbered paragraphs. */
export const sentences = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const n = from + index
    return `<p id="p${n}">Paragraph ${n} of the book says “something — ${n * 7}” to Dr. Smith. Does it end? It does!</p>`
  }).join('\n')

/** A novel of many chapters, for measuring. */
export async function longBook(chapters: number, paragraphs: number): Promise<Uint8Array> {
  const numbers = Array.from({ length: chapters }, (_, index) => index + 1)
  const items = numbers.map(n => `<item id="c${n}" href="c${n}.xhtml" media-type="application/xhtml+xml"/>`)
  const links = numbers.map(n => `<li><a href="c${n}.xhtml">Chapter ${n}</a></li>`)
  return epubOf({
    'EPUB/package.opf': `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">${UUID}</dc:identifier><dc:title>A Long Book</dc:title><dc:creator>Ann Author</dc:creator><dc:language>en</dc:language>
<meta property="dcterms:modified">2022-01-02T03:04:05Z</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="cover" href="cover.jpg" media-type="image/jpeg" properties="cover-image"/>${items.join('')}</manifest>
<spine>${numbers.map(n => `<itemref idref="c${n}"/>`).join('')}</spine></package>`,
    'EPUB/nav.xhtml': page('Contents', `<nav epub:type="toc"><ol>${links.join('')}</ol></nav>`),
    'EPUB/cover.jpg': await picture(600, 800),
    ...Object.fromEntries(
      numbers.map(n => [
        `EPUB/c${n}.xhtml`,
        page(`Chapter ${n}`, `<h1>Chapter ${n}</h1>\n${sentences(n * paragraphs, paragraphs)}`),
      ]),
    ),
  })
}
