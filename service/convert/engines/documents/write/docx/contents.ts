import { entriesOf } from '../../../books/book/links.ts'
import type { Book } from '../../../books/book/model.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import type { Bookmarks } from './bookmarks.ts'

const DEEPEST_ENTRY = 9

/** The book's table of contents, as a field that Word can update from the headings. */
export function contentsXml({ navigation, landmarks }: Book, bookmarks: Bookmarks): string {
  const title = landmarks.find(({ type }) => type === 'toc')?.title || 'Contents'
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const begin = `${mark('begin')}<w:r><w:instrText xml:space="preserve"> TOC \\o "1-3" \\h \\z \\u </w:instrText></w:r>${mark('separate')}`
  const entries = [...entriesOf(navigation)].map(({ title: name, href, depth }, index, { length }) => {
    const anchor = href === null ? undefined : bookmarks.anchor(href)
    const style = `<w:pPr><w:pStyle w:val="TOC${Math.min(depth + 1, DEEPEST_ENTRY)}"/></w:pPr>`
    return `<w:p>${style}${index === 0 ? begin : ''}${linkXml(anchor, name)}${index === length - 1 ? mark('end') : ''}</w:p>`
  })
  return `<w:p><w:pPr><w:pStyle w:val="Contents"/></w:pPr>${linkXml(undefined, title)}</w:p>${entries.join('')}`
}

/** Text of a link to a place of the document. */
function linkXml(anchor: string | undefined, text: string): string {
  const run = `<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
  return anchor === undefined ? run : `<w:hyperlink w:anchor="${anchor}" w:history="1">${run}</w:hyperlink>`
}
