/** Writes the documents of a book one after another. */
import { joinTarget } from '../../../books/book/links.ts'
import { bodyOf } from '../../../books/book/markup/document.ts'
import type { Book } from '../../../books/book/model.ts'
import { type DocxContext, startContext } from './elements/context.ts'
import { loadPictures, pictureRun } from './elements/picture.ts'
import { writeChildren, writeElement } from './elements/walk.ts'
import { frameOf } from './frame.ts'
import { lookOf } from './look.ts'
import type { DocxPicture } from './pictures.ts'
import { roomOf, type SectionLook, sectionXml } from './section.ts'
import { Story } from './story.ts'
import type { Writing } from './writing.ts'

/** Documents in order, and what surrounds them. */
export interface Parts {
  book: Book
  /** `href`s of the spine, in reading order. */
  order: readonly string[]
  /** The pages of all documents, or of each. */
  sections: readonly SectionLook[]
  /** What a section says of the direction of its text. */
  direction: string
  /** Paragraphs of a table of contents as XML, which gets its own pages. */
  contents: string | undefined
}

/**
 * Writes the text of the Word document as XML; notes without references come last.
 * @param write called with each piece, in order
 * @param progress called with the fraction of the documents that is written
 */
export async function writeBody(
  { book, order, contents, sections, direction }: Parts,
  writing: Writing,
  write: (xml: string) => Promise<void>,
  progress: (fraction: number) => void,
): Promise<void> {
  const { survey, bookmarks } = writing
  const story = new Story()
  const start = startContext(writing, story)
  let frame = { ...start.frame }
  if (survey.putsCover) await writeCover(book, start)
  if (contents !== undefined) {
    story.table(contents, start.frame)
    story.breakPage()
  }
  for (const { element, href } of survey.notes.values()) await loadPictures(element, href, writing)
  const shown = new Set(survey.order)
  for (const [index, href] of order.entries()) {
    progress(index / order.length)
    const section = index > 0 ? sections[index] : undefined
    if (section) {
      story.endSection(sectionXml(sections[index - 1]!, direction))
      writing.page = roomOf(section)
      frame = startContext(writing, story).frame
    } else if (shown.has(href)) story.breakPage()
    if (shown.has(href)) await writeDocument(href, { ...start, frame })
    else bookmarks.markDocument(href, story)
    await write(story.take())
  }
  await writeRemainingNotes(start)
  bookmarks.markAll(story)
  await write(story.finish(start.frame))
  await write(sectionXml(sections.at(-1)!, direction))
}

/** Puts the cover picture on its own page. */
async function writeCover({ cover, metadata }: Book, start: DocxContext): Promise<void> {
  const shown = cover === undefined ? undefined : await start.writing.pictures.resource(cover)
  if (!shown) return
  writePage(shown, metadata.title, start)
  start.story.breakPage()
}

async function writeDocument(href: string, start: DocxContext): Promise<void> {
  const { writing, story } = start
  writing.bookmarks.mark(joinTarget(href), story)
  const root = writing.documents.root(href)
  if (root) {
    const styleOf = writing.styles.stylesOf(root, href)
    await loadPictures(root, href, writing)
    const look = lookOf(root, styleOf(root), start.look, writing.language)
    const frame = frameOf(root, styleOf(root), start.frame, 1)
    writeElement(bodyOf(root), { ...start, href, styleOf, look, frame })
  }
  story.close()
  writing.bookmarks.markDocument(href, story)
}

/** Writes a picture that fills a page. */
function writePage(shown: DocxPicture, alternative: string, start: DocxContext): void {
  const context: DocxContext = { ...start, frame: { ...start.frame, align: 'center' } }
  start.story.inline(pictureRun(shown, {}, alternative, context), context.frame)
}

/** Writes notes without references as text. */
async function writeRemainingNotes(start: DocxContext): Promise<void> {
  const { writing, story } = start
  for (const [target, { element, href }] of writing.survey.notes) {
    if (writing.footnotes.numbers.has(target)) continue
    const root = writing.documents.root(href)
    if (!root) continue
    await loadPictures(element, href, writing)
    story.close()
    writeChildren(element, { ...start, href, styleOf: writing.styles.stylesOf(root, href) })
  }
}
