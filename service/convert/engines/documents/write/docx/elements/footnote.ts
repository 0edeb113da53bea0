import { joinTarget } from '../../../../books/book/links.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import type { Note } from '../notes.ts'
import { sizeOfStyle, TEXT_SIZE } from '../parts/styles.ts'
import { Story } from '../story.ts'
import type { Writing } from '../writing.ts'
import { type DocxContext, startContext, type Walk } from './context.ts'

/** The number of the note, and a space after it. */
const NUMBER =
  '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>'

/**
 * Writes a footnote that has not been written yet.
 * @param target place of its text
 * @returns its number, from 1
 */
export function writeFootnote(target: string, note: Note, writing: Writing, walk: Walk): number {
  const { footnotes, documents, styles, bookmarks } = writing
  const number = footnotes.numbers.size + 1
  footnotes.numbers.set(target, number)
  const { element, href, backs, marks } = note
  const root = documents.root(href)
  const story = new Story()
  const start = startContext(writing, story)
  const context: DocxContext = {
    ...start,
    href,
    styleOf: root ? styles.stylesOf(root, href) : start.styleOf,
    relationships: footnotes.relationships,
    note: { backs, marks, isAtStart: true },
    look: { ...start.look, scale: sizeOfStyle('FootnoteText') / TEXT_SIZE },
    frame: { ...start.frame, style: 'FootnoteText' },
  }
  story.inline(NUMBER, context.frame)
  const { id } = element.attributes
  if (id) bookmarks.mark(joinTarget(href, id), story)
  writeInFirstParagraph(element, context, walk)
  footnotes.texts[number - 1] = story.finish(context.frame)
  return number
}

/** Writes the content of a block; its first paragraph continues after the number of the note. */
function writeInFirstParagraph(element: XmlElement, context: DocxContext, walk: Walk): void {
  const [first, ...rest] = element.children.filter(child => typeof child === 'object' || child.trim() !== '')
  if (typeof first !== 'object' || !/^(?:p|div|section|aside)$/.test(first.name)) {
    walk.children(element, context)
    return
  }
  const { id } = first.attributes
  if (id) context.writing.bookmarks.mark(joinTarget(context.href, id), context.story)
  writeInFirstParagraph(first, context, walk)
  context.story.close()
  walk.children({ ...element, children: rest }, context)
}
