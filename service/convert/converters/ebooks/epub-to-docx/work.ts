/** Converts a book to a Word document. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { StyleSheets } from '../../../engines/books/book/css/cascade.ts'
import { readingOrder } from '../../../engines/books/book/links.ts'
import { bodyOf } from '../../../engines/books/book/markup/document.ts'
import type { Book } from '../../../engines/books/book/model.ts'
import { packWord, startBody } from '../../../engines/documents/word/package.ts'
import { stylesXml } from '../../../engines/documents/word/styles.ts'
import { bookIn } from '../read.ts'
import { writeBody } from './body.ts'
import { contentsXml } from './contents.ts'
import { Documents } from './documents.ts'
import { properties } from './look.ts'
import type { BookDocumentOptions } from './options.ts'
import { Pictures } from './pictures.ts'
import { surveyBook } from './survey.ts'
import { startWriting } from './writing.ts'

/** Size and margins of the paper, in twentieths of a point. */
const pages = {
  a4: { width: 11_906, height: 16_838, margin: 1440 },
  a5: { width: 8391, height: 11_906, margin: 900 },
  letter: { width: 12_240, height: 15_840, margin: 1440 },
}

/** @throws JobFailure encrypted_input, corrupt_input, too_large */
export async function convert(task: Task<BookDocumentOptions>): Promise<Output[]> {
  const { folder, options } = task
  task.progress(0, 'preparing')
  const book = await bookIn(task)
  const documents = new Documents(book)
  const order = readingOrder(book)
  const survey = surveyBook(book, order, documents)
  const page = pages[options.page]
  const room = { width: page.width - 2 * page.margin, height: page.height - 2 * page.margin }
  const sheets = new StyleSheets(book, properties, ['screen', 'print'])
  const pictures = new Pictures(book, fontWriter(folder))
  const writing = startWriting(book, survey, { documents, sheets, pictures, page: room })
  const showsContents = options.contents && !survey.showsContents && book.navigation.length > 0
  const contents = showsContents ? contentsXml(book, writing.bookmarks) : undefined
  const body = await startBody()
  const write = (xml: string) => body.write(xml)
  await writeBody({ book, order, contents }, writing, write, fraction =>
    task.progress(0.1 + fraction * 0.8, 'converting'),
  )
  task.progress(0.9, 'packaging')
  const { metadata } = book
  const isVertical = writesVertically(book, documents, sheets)
  const section = [
    `<w:pgSz w:w="${page.width}" w:h="${page.height}"/>`,
    `<w:pgMar w:top="${page.margin}" w:right="${page.margin}" w:bottom="${page.margin}" w:left="${page.margin}" w:header="720" w:footer="720" w:gutter="0"/>`,
    isVertical ? '<w:textDirection w:val="tbRl"/>' : '',
    book.direction === 'rtl' && !isVertical ? '<w:bidi/>' : '',
  ]
  const path = join(folder, 'book.docx')
  const created = new Date(metadata.published ?? '')
  await body.write(`<w:sectPr>${section.join('')}</w:sectPr>`)
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
  await writeFile(path, bytes)
  if (pictures.lost > 0) task.warn(message('books.pictures_lost', { count: pictures.lost }))
  if (writing.lostFormulas > 0) task.warn(message('books.formulas_lost', { count: writing.lostFormulas }))
  if (writing.lostMedia > 0) task.warn(message('books.media_lost', { count: writing.lostMedia }))
  if (survey.lostLinks > 0) task.warn(message('books.links_lost', { count: survey.lostLinks }))
  return [{ path }]
}

/** Fonts of drawings are read from files. */
function fontWriter(folder: string): (files: readonly Buffer[]) => Promise<string[]> {
  let count = 0
  return async files => {
    if (files.length > 0) await mkdir(join(folder, 'fonts'), { recursive: true })
    const paths = files.map(() => join(folder, 'fonts', `${count++}.ttf`))
    for (const [index, path] of paths.entries()) await writeFile(path, files[index]!)
    return paths
  }
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
