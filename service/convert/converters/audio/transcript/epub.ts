import { escapeXml } from '../../../engines/book/markup/write.ts'
import { authoredBook, type ContentsEntry } from '../../../engines/epub/write/author.ts'
import { writeEpub as writeBook } from '../../../engines/epub/write/write.ts'
import {
  type DocumentOptions,
  documentOf,
  type Line,
  leadOf,
  type Section,
  type TranscriptDocument,
} from './document.ts'
import { isRightToLeft, type Transcript } from './transcript.ts'

/** Paragraphs per chapter, so that long recordings open quickly and have a table of contents. */
const CHAPTER = 40

const STYLE = `body { line-height: 1.5; }
.facts, .notice { font-size: 0.85em; }
.notice { font-style: italic; }
.lead { font-weight: bold; }
`

/**
 * EPUB of a tidy transcript.
 * @param date of the last change, written into the book
 */
export function writeEpub(transcript: Transcript, options: DocumentOptions, date: Date): Promise<Uint8Array> {
  const document = documentOf(transcript, options)
  const parts = document.sections.flatMap(chaptersOf)
  const chapters = parts.map(({ heading, section }, index) => ({
    name: `chapter${index + 1}`,
    title: heading,
    body: `${index === 0 ? frontOf(document) : ''}${bodyOf(heading, section)}`,
  }))
  const contents: ContentsEntry[] = chapters.map(({ name, title }) => ({ title, address: `${name}.xhtml` }))
  const { title, language } = document
  const book = authoredBook({
    title,
    language,
    rightToLeft: isRightToLeft(language),
    identity: JSON.stringify(document),
    style: STYLE,
    chapters,
    contents,
  })
  return writeBook(book, date)
}

interface Part {
  heading: string
  section: Section
}

function chaptersOf(section: Section): Part[] {
  if (section.lines.length <= CHAPTER) return [{ heading: section.heading, section }]
  const parts: Part[] = []
  for (let at = 0; at < section.lines.length; at += CHAPTER) {
    const lines = section.lines.slice(at, at + CHAPTER)
    const heading = lines[0]?.time ? `${section.heading} from ${lines[0].time}` : section.heading
    parts.push({ heading, section: { ...section, lines } })
  }
  return parts
}

function bodyOf(heading: string, section: Section): string {
  const lines = section.lines.map(line =>
    section.kind === 'list' ? `<li>${lineOf(line)}</li>` : `<p>${lineOf(line)}</p>`,
  )
  const body = section.kind === 'list' ? `<ul>\n${lines.join('\n')}\n</ul>` : lines.join('\n')
  return `<h2>${escapeXml(heading)}</h2>\n${body}`
}

function frontOf({ title, facts, notices }: TranscriptDocument): string {
  const details = facts.map(([label, value]) => `${escapeXml(label)}: ${escapeXml(value)}`).join('<br/>')
  const warnings = notices.map(notice => `<p class="notice">${escapeXml(notice)}</p>\n`).join('')
  return `<h1>${escapeXml(title)}</h1>\n<p class="facts">${details}</p>\n${warnings}`
}

function lineOf(line: Line): string {
  const lead = leadOf(line)
  const remark = line.remark ? ` <em>(${escapeXml(line.remark)})</em>` : ''
  return `${lead ? `<span class="lead">${escapeXml(lead)}</span> ` : ''}${escapeXml(line.text)}${remark}`
}
