import { createHash } from 'node:crypto'
import { strToU8, type Zippable, zipSync } from 'fflate'
import {
  type DocumentOptions,
  documentOf,
  type Line,
  leadOf,
  type Section,
  type TranscriptDocument,
} from './document.ts'
import { isRightToLeft, type Transcript } from './transcript.ts'

/** Paragraphs of one chapter, so that long recordings open quickly and have a table of contents. */
const CHAPTER = 40

interface Chapter {
  id: string
  heading: string
  section: Section
}

/**
 * EPUB 3 (https://www.w3.org/TR/epub-33/) of a tidy transcript.
 * @param date of the last change, written into the book
 */
export function writeEpub(transcript: Transcript, options: DocumentOptions, date: Date): Uint8Array {
  const document = documentOf(transcript, options)
  const chapters = document.sections
    .flatMap(chaptersOf)
    .map((chapter, nth) => ({ ...chapter, id: `chapter${nth + 1}` }))
  const pages = chapters.map(chapter => [
    `OEBPS/${chapter.id}.xhtml`,
    strToU8(chapterPage(document, chapter)),
  ])
  const files: Zippable = {
    // Readers tell a book by these bytes, which therefore stand first and uncompressed.
    mimetype: [strToU8('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': strToU8(CONTAINER),
    'OEBPS/book.opf': strToU8(packageOf(document, chapters, date)),
    'OEBPS/contents.xhtml': strToU8(contentsPage(document, chapters)),
    'OEBPS/style.css': strToU8(STYLE),
    ...Object.fromEntries(pages),
  }
  return zipSync(files, { mtime: date, level: 6 })
}

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

const STYLE = `body { line-height: 1.5; }
.facts, .notice { font-size: 0.85em; }
.notice { font-style: italic; }
.lead { font-weight: bold; }
`

function chaptersOf(section: Section): Omit<Chapter, 'id'>[] {
  if (section.lines.length <= CHAPTER) return [{ heading: section.heading, section }]
  const parts: Omit<Chapter, 'id'>[] = []
  for (let at = 0; at < section.lines.length; at += CHAPTER) {
    const lines = section.lines.slice(at, at + CHAPTER)
    const heading = lines[0]?.time ? `${section.heading} from ${lines[0].time}` : section.heading
    parts.push({ heading, section: { ...section, lines } })
  }
  return parts
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, sign => entities[sign] ?? sign)

function page({ language }: TranscriptDocument, title: string, body: string): string {
  const direction = isRightToLeft(language) ? ' dir="rtl"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${language}" xml:lang="${language}"${direction}>
<head><title>${escaped(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}
</body>
</html>
`
}

function chapterPage(document: TranscriptDocument, { id, heading, section }: Chapter): string {
  const front = id === 'chapter1' ? frontOf(document) : ''
  const lines = section.lines.map(line =>
    section.kind === 'list' ? `<li>${lineOf(line)}</li>` : `<p>${lineOf(line)}</p>`,
  )
  const body = section.kind === 'list' ? `<ul>\n${lines.join('\n')}\n</ul>` : lines.join('\n')
  return page(document, heading, `${front}<h2>${escaped(heading)}</h2>\n${body}`)
}

function frontOf({ title, facts, notices }: TranscriptDocument): string {
  const details = facts.map(([label, value]) => `${escaped(label)}: ${escaped(value)}`).join('<br/>')
  const warnings = notices.map(notice => `<p class="notice">${escaped(notice)}</p>\n`).join('')
  return `<h1>${escaped(title)}</h1>\n<p class="facts">${details}</p>\n${warnings}`
}

function lineOf(line: Line): string {
  const lead = leadOf(line)
  const remark = line.remark ? ` <em>(${escaped(line.remark)})</em>` : ''
  return `${lead ? `<span class="lead">${escaped(lead)}</span> ` : ''}${escaped(line.text)}${remark}`
}

function contentsPage(document: TranscriptDocument, chapters: Chapter[]): string {
  const entries = chapters.map(({ id, heading }) => `<li><a href="${id}.xhtml">${escaped(heading)}</a></li>`)
  return page(
    document,
    'Contents',
    `<nav epub:type="toc"><h1>Contents</h1><ol>\n${entries.join('\n')}\n</ol></nav>`,
  )
}

function packageOf(document: TranscriptDocument, chapters: Chapter[], date: Date): string {
  const { title, language } = document
  const items = chapters.map(
    ({ id }) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  const spine = chapters.map(({ id }) => `<itemref idref="${id}"/>`)
  const direction = isRightToLeft(language) ? ' page-progression-direction="rtl"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${uuidOf(JSON.stringify(document))}</dc:identifier>
<dc:title>${escaped(title)}</dc:title>
<dc:language>${language}</dc:language>
<meta property="dcterms:modified">${date.toISOString().slice(0, 19)}Z</meta>
</metadata>
<manifest>
<item id="contents" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
${items.join('\n')}
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
