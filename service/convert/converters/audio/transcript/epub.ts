import { authoredBook } from '../../../engines/books/epub/write/author.ts'
import { writeEpub as writeBook } from '../../../engines/books/epub/write/write.ts'
import { isRightToLeftLanguage } from '../../../engines/common/language/tag.ts'
import { escapeXml } from '../../../engines/common/xml/characters.ts'
import {
  type DocumentOptions,
  documentOf,
  HEADING,
  type Line,
  leadOf,
  type TranscriptDocument,
} from './document.ts'
import type { Transcript } from './transcript.ts'

/** Paragraphs per chapter, so that long recordings open quickly and have a table of contents. */
const CHAPTER = 40

const STYLE = `body { line-height: 1.5; }
.facts, .notice { font-size: 0.85em; }
.notice { font-style: italic; }
.lead { font-weight: bold; }
`

/** EPUB of a tidy transcript. */
export function writeEpub(transcript: Transcript, options: DocumentOptions): Promise<Uint8Array> {
  const document = documentOf(transcript, options)
  const { title, language, lines } = document
  const chapters: { name: string; title: string; body: string }[] = []
  for (let at = 0; at < lines.length; at += CHAPTER) {
    const time = lines.length > CHAPTER && lines[at]!.time
    const heading = time ? `${HEADING} from ${time}` : HEADING
    const front = at === 0 ? frontOf(document) : ''
    const body = lines.slice(at, at + CHAPTER).map(line => `<p>${markupOf(line)}</p>`)
    chapters.push({
      name: `chapter${chapters.length + 1}`,
      title: heading,
      body: `${front}<h2>${escapeXml(heading)}</h2>\n${body.join('\n')}`,
    })
  }
  const book = authoredBook({
    title,
    language,
    rightToLeft: isRightToLeftLanguage(language),
    identity: JSON.stringify(document),
    style: STYLE,
    chapters,
    contents: chapters.map(chapter => ({ title: chapter.title, address: `${chapter.name}.xhtml` })),
  })
  return writeBook(book, options.date)
}

function frontOf({ title, facts, notices }: TranscriptDocument): string {
  const details = facts.map(([label, value]) => `${escapeXml(label)}: ${escapeXml(value)}`).join('<br/>')
  const warnings = notices.map(notice => `<p class="notice">${escapeXml(notice)}</p>\n`).join('')
  return `<h1>${escapeXml(title)}</h1>\n<p class="facts">${details}</p>\n${warnings}`
}

function markupOf(line: Line): string {
  const lead = leadOf(line)
  return `${lead ? `<span class="lead">${escapeXml(lead)}</span> ` : ''}${escapeXml(line.text)}`
}
