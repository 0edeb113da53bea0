import { elementsIn, isRemote, joinTarget } from '../../../../books/book/links.ts'
import { textOf, type XmlElement } from '../../../../common/xml/element.ts'
import { targetOf } from '../documents.ts'
import { isNoteMark } from '../notes.ts'
import type { DocxContext, Walk } from './context.ts'
import { writeFootnote } from './footnote.ts'

/** Longest text of a link in a note that only leads back to the citation. */
const LONGEST_WAY_BACK = 12

/** Writes an `a`: a reference to a note, or a link to a place of the book or to a URL. */
export function writeLink(element: XmlElement, context: DocxContext, walk: Walk): void {
  const { writing, href, story, note, look, frame } = context
  const target = targetOf(href, element.attributes.href)
  if (target !== undefined && note?.backs.has(target) && textOf(element).trim().length <= LONGEST_WAY_BACK)
    return
  const cited = target === undefined ? undefined : writing.survey.notes.get(target)
  if (target !== undefined && cited && !note && !writing.footnotes.numbers.has(target)) {
    // Word writes numbers itself; words that lead to a note are part of the sentence.
    if (isNoteMark(textOf(element).trim())) {
      for (const { attributes } of elementsIn(element))
        if (attributes.id) writing.bookmarks.mark(joinTarget(href, attributes.id), story)
    } else walk.children(element, context)
    const number = writeFootnote(target, cited, writing, walk)
    story.inline(
      `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="${number}"/></w:r>`,
      frame,
    )
    return
  }
  const link = linkAttributes(element.attributes.href, target, context) ?? look.link
  // Links have the colour of links, unless text in them has its own.
  walk.children(element, { ...context, look: { ...look, link, ...(link && { colour: undefined }) } })
}

/** Attributes of `w:hyperlink`; undefined for a link without a target. */
function linkAttributes(
  reference: string | undefined,
  target: string | undefined,
  { writing, relationships }: DocxContext,
): string | undefined {
  const anchor = target === undefined ? undefined : writing.bookmarks.anchor(target)
  if (anchor !== undefined) return `w:anchor="${anchor}" w:history="1"`
  const address = reference && (isRemote(reference) ? webAddress : fileAddress)(reference.trim())
  if (!address || (target !== undefined && !writing.linksFiles)) return undefined
  return `r:id="${relationships.add('hyperlink', address, true)}" w:history="1"`
}

function webAddress(reference: string): string | undefined {
  if (!URL.canParse(reference)) return undefined
  const { protocol, href } = new URL(reference)
  return /^(?:https?|mailto|tel|ftp):$/.test(protocol) ? href : undefined
}

/** The address of a file beside the document; undefined for a place that is missing in it, or another computer. */
const fileAddress = (reference: string): string | undefined =>
  /^(?:#|[\\/]{2})/.test(reference) ? undefined : reference.replace(/\s/g, '%20')
