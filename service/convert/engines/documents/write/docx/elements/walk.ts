/** Goes through the elements of a document and writes each according to its kind. */
import { joinTarget } from '../../../../books/book/links.ts'
import { chosenCase } from '../../../../books/book/markup/document.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { frameOf } from '../frame.ts'
import { lookOf } from '../look.ts'
import type { DocxContext, Walk } from './context.ts'
import { writeFormula } from './formula.ts'
import { breaksPage, isBlock, isHidden, isMedia, isSilent } from './kinds.ts'
import { writeLink } from './link.ts'
import { writeList } from './list.ts'
import { writePicture } from './picture.ts'
import { rubyXml } from './ruby.ts'
import { writeTable } from './table.ts'
import { writeText } from './text.ts'

const walk: Walk = { element: writeElement, children: writeChildren }

/** Writes an element of the book, if it is visible and not a note. */
export function writeElement(element: XmlElement, outer: DocxContext): void {
  const { writing, href, story, styleOf } = outer
  const { name, attributes } = element
  if (writing.footnotes.elements.has(element)) return
  if (isSilent(element)) {
    if (isMedia(element)) writing.lostMedia += 1
    return
  }
  const css = styleOf(element)
  if (isHidden(element, css)) return
  const look = lookOf(element, css, outer.look, writing.language)
  const isOwnBlock = isBlock(element, css)
  const frame = isOwnBlock || name === 'table' ? frameOf(element, css, outer.frame, look.scale) : outer.frame
  if (isOwnBlock) story.close()
  if (breaksPage(css, 'before')) story.breakPage()
  for (const id of [attributes.id, name === 'a' ? attributes.name : undefined])
    if (id) writing.bookmarks.mark(joinTarget(href, id), story)
  writeContent(element, { ...outer, look, frame }, isOwnBlock)
  if (isOwnBlock) story.close()
  if (breaksPage(css, 'after')) story.breakPage()
}

/** Writes the content of an element. */
export function writeChildren(element: XmlElement, context: DocxContext): void {
  for (const child of element.children) {
    if (typeof child === 'string') writeText(child, context)
    else writeElement(child, context)
  }
}

function writeContent(element: XmlElement, context: DocxContext, isOwnBlock: boolean): void {
  const { writing, story, look, frame } = context
  switch (element.name) {
    case 'br':
      story.inline('<w:r><w:br/></w:r>', frame, look.link)
      return
    case 'hr':
      story.blank({ ...frame, rule: true })
      return
    case 'img':
    case 'svg':
    case 'object':
      writePicture(element, context, walk)
      return
    case 'math':
      writeFormula(element, context)
      return
    case 'ruby':
      story.inline(rubyXml(element, look, frame.style, writing.language), frame, look.link)
      return
    case 'table':
      writeTable(element, context, walk)
      return
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      writeList(element, context, walk)
      return
    case 'a':
      writeLink(element, context, walk)
      return
    case 'q':
      writeText('“', context)
      writeChildren(element, context)
      writeText('”', context)
      return
    case 'epub:switch':
      writeChildren(chosenCase(element), context)
      return
    case 'blockquote':
    case 'div':
    case 'section':
      // Margins of a block around paragraphs are not applied to the paragraphs.
      writeChildren(
        element,
        isOwnBlock && !holdsText(element)
          ? { ...context, frame: { ...frame, before: undefined, after: undefined } }
          : context,
      )
      return
    default:
      writeChildren(element, context)
  }
}

const holdsText = ({ children }: XmlElement) =>
  children.some(child => typeof child === 'string' && child.trim() !== '')
