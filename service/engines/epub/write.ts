import { createHash } from 'node:crypto'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { escapeXml } from '../book/markup/write.ts'

/** A book as EPUB holds it. */
export interface Book {
  title: string
  authors?: readonly string[]
  /** BCP 47; `und` where it is not known. */
  language: string
  rightToLeft: boolean
  description?: string | undefined
  subjects?: readonly string[]
  /** When what it was made from was written. */
  created?: Date | undefined
  /** Of the last change. */
  date: Date
  /** What the book's identity follows from: the same gives the same. */
  identity: string
  /** CSS of every chapter. */
  style: string
  chapters: readonly Chapter[]
  contents: readonly ContentsEntry[]
  pictures?: readonly BookPicture[]
  /** Name of the picture that is its cover. */
  cover?: string | undefined
}

export interface Chapter {
  /** Name without suffix. */
  name: string
  title: string
  /** XHTML within `body`. */
  body: string
  hasMaths?: boolean
}

export interface ContentsEntry {
  title: string
  address: string
  children?: readonly ContentsEntry[]
}

export interface BookPicture {
  /** File name, without folders. */
  name: string
  mime: string
  bytes: Uint8Array
}

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

/** EPUB 3: https://www.w3.org/TR/epub-33/ */
export function writeEpub(book: Book): Uint8Array {
  const pages = book.chapters.map(({ name, title, body }) => [
    `OEBPS/${name}.xhtml`,
    strToU8(page(book, title, body)),
  ])
  const pictures = (book.pictures ?? []).map(({ name, bytes }) => [`OEBPS/${name}`, [bytes, { level: 0 }]])
  const files: Zippable = {
    // Readers tell a book by these bytes, which therefore stand first and uncompressed.
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': strToU8(CONTAINER),
    'OEBPS/book.opf': strToU8(packageOf(book)),
    'OEBPS/contents.xhtml': strToU8(contentsPage(book)),
    'OEBPS/style.css': strToU8(book.style),
    ...Object.fromEntries(pages),
    ...Object.fromEntries(pictures),
  }
  return zipSync(files, { mtime: book.date, level: 6 })
}

function page({ language, rightToLeft }: Book, title: string, body: string): string {
  const direction = rightToLeft ? ' dir="rtl"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${language}" xml:lang="${language}"${direction}>
<head><title>${escapeXml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}
</body>
</html>
`
}

function contentsPage(book: Book): string {
  const list = (entries: readonly ContentsEntry[]): string =>
    `<ol>\n${entries
      .map(({ title, address, children = [] }) => {
        const inner = children.length > 0 ? list(children) : ''
        return `<li><a href="${escapeXml(address)}">${escapeXml(title)}</a>${inner}</li>`
      })
      .join('\n')}\n</ol>`
  return page(book, 'Contents', `<nav epub:type="toc"><h1>Contents</h1>${list(book.contents)}</nav>`)
}

function packageOf(book: Book): string {
  const {
    title,
    authors = [],
    language,
    rightToLeft,
    description,
    subjects = [],
    created,
    date,
    chapters,
    pictures = [],
    cover,
  } = book
  const creators = authors.map(author => `<dc:creator>${escapeXml(author)}</dc:creator>\n`)
  const items = chapters.map(({ name, hasMaths }) => {
    const properties = hasMaths ? ' properties="mathml"' : ''
    return `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"${properties}/>`
  })
  const pictureItems = pictures.map(({ name, mime }, index) => {
    const properties = name === cover ? ' properties="cover-image"' : ''
    return `<item id="picture${index + 1}" href="${name}" media-type="${mime}"${properties}/>`
  })
  const spine = chapters.map(({ name }) => `<itemref idref="${name}"/>`)
  const direction = rightToLeft ? ' page-progression-direction="rtl"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${uuidOf(book.identity)}</dc:identifier>
<dc:title>${escapeXml(title)}</dc:title>
${creators.join('')}<dc:language>${language}</dc:language>
${description ? `<dc:description>${escapeXml(description)}</dc:description>\n` : ''}${created ? `<dc:date>${created.toISOString().slice(0, 10)}</dc:date>\n` : ''}${subjects.map(subject => `<dc:subject>${escapeXml(subject)}</dc:subject>\n`).join('')}<meta property="dcterms:modified">${date.toISOString().slice(0, 19)}Z</meta>
</metadata>
<manifest>
<item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
${[...items, ...pictureItems].join('\n')}
</manifest>
<spine${direction}>
${spine.join('\n')}
</spine>
</package>
`
}

/** A UUID of version 8 (RFC 9562) that is always the same for the same content. */
function uuidOf(content: string): string {
  const hash = createHash('sha256').update(content).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
