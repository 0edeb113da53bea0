/** Writes a book as a Word document. */
import { StyleSheets } from '../../../books/book/css/cascade.ts'
import { readingOrder } from '../../../books/book/links.ts'
import { bodyOf } from '../../../books/book/markup/document.ts'
import type { Book } from '../../../books/book/model.ts'
import type { Given } from '../../format.ts'
import type { Document } from '../../model.ts'
import { bookOf } from '../epub.ts'
import { writeBody } from './body.ts'
import { contentsXml } from './bookmarks.ts'
import { Documents } from './documents.ts'
import { properties } from './look.ts'
import { packWord, startBody } from './parts/package.ts'
import { stylesXml } from './parts/styles.ts'
import { Pictures } from './pictures.ts'
import { roomOf, type SectionLook } from './section.ts'
import { surveyBook } from './survey.ts'
import { startWriting } from './writing.ts'

/** Size and margins of the paper, in points. */
const pages = {
  a4: { width: 595.3, height: 841.9, margin: 72 },
  a5: { width: 419.55, height: 595.3, margin: 45 },
  letter: { width: 612, height: 792, margin: 72 },
}

export interface WordOptions {
  page: keyof typeof pages
  /** The pages of each chapter instead, if they have their own. */
  sections?: readonly SectionLook[] | undefined
  /** Whether a table of contents is written, unless the book shows one. */
  contents: boolean
  /** Whether links to files beside the document are kept. */
  linksFiles?: boolean
  /** Where the fonts of SVG are written to be rendered; by default they are not. */
  folder?: string
  /** Called with the fraction of the book that is written. */
  progress?(fraction: number): void
}

interface WrittenBook {
  bytes: Uint8Array
  /** Numbers of what is not in the Word document. */
  lost: { pictures: number; formulas: number; media: number; links: number }
}

/** Writes a document as a Word document; headings, lists, notes and formulas are Word's own. */
export async function writeDocument(document: Document, given: Given): Promise<Uint8Array> {
  const { bytes } = await writeWord(bookOf(document, given, true), {
    page: 'a4',
    sections: document.sections,
    contents: false,
    linksFiles: true,
  })
  return bytes
}

export async function writeWord(book: Book, options: WordOptions): Promise<WrittenBook> {
  const documents = new Documents(book)
  const order = readingOrder(book)
  const survey = surveyBook(book, order, documents)
  const { margin, ...paper } = pages[options.page]
  const margins = { top: margin, right: margin, bottom: margin, left: margin }
  const sections = options.sections ?? [{ ...paper, margins, startsPage: true }]
  const styles = new StyleSheets(book, properties, ['screen', 'print'])
  const pictures = new Pictures(book, options.folder)
  const { linksFiles = false } = options
  const writing = startWriting(book, survey, {
    documents,
    styles,
    pictures,
    page: roomOf(sections[0]!),
    linksFiles,
  })
  const showsContents = options.contents && !survey.showsContents && book.navigation.length > 0
  const contents = showsContents ? contentsXml(book, writing.bookmarks) : undefined
  const body = await startBody()
  const write = (xml: string) => body.write(xml)
  const isVertical = writesVertically(book, documents, styles)
  const direction = isVertical
    ? '<w:textDirection w:val="tbRl"/>'
    : book.direction === 'rtl'
      ? '<w:bidi/>'
      : ''
  const parts = { book, order, contents, sections, direction }
  await writeBody(parts, writing, write, options.progress ?? (() => {}))
  const { metadata } = book
  const created = new Date(metadata.published ?? '')
  const bytes = await packWord({
    body,
    relationships: writing.relationships,
    footnotes: writing.footnotes.texts,
    footnoteRelationships: writing.footnotes.relationships,
    styles: stylesXml(metadata.languages[0] ?? 'und'),
    numbering: writing.numbering.xml(),
    media: pictures.media,
    properties: {
      title: metadata.title,
      authors: metadata.authors.map(({ name }) => name),
      language: metadata.languages[0] ?? 'und',
      description: metadata.description,
      subjects: metadata.subjects,
      identifier: metadata.uniqueIdentifier,
      publisher: metadata.publisher,
      created: Number.isNaN(created.getTime()) ? undefined : created,
      modified: metadata.modified ?? new Date(),
    },
  })
  const { lostFormulas: formulas, lostMedia: media } = writing
  return { bytes, lost: { pictures: pictures.lost, formulas, media, links: survey.lostLinks } }
}

/** Number of documents that are checked for their text direction. */
const LOOKED_INTO = 6

function writesVertically(book: Book, documents: Documents, sheets: StyleSheets): boolean {
  if (book.primaryWritingMode) return book.primaryWritingMode.startsWith('vertical')
  return readingOrder(book)
    .slice(0, LOOKED_INTO)
    .some(href => {
      const root = documents.root(href)
      if (!root) return false
      const styleOf = sheets.stylesOf(root, href)
      return [root, bodyOf(root)].some(element => {
        const css = styleOf(element)
        const mode = css['writing-mode'] ?? css['-epub-writing-mode'] ?? css['-webkit-writing-mode'] ?? ''
        return mode.startsWith('vertical')
      })
    })
}
