/** Goes through the elements of a document and writes each according to its kind. */
import { breaksPage, type Declarations } from '../../../../books/book/css/cascade.ts'
import { joinTarget } from '../../../../books/book/links.ts'
import { chosenCase } from '../../../../books/book/markup/document.ts'
import { ownValue } from '../../../../common/own-value.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { isBlock, isHidden } from '../../../read/html/elements.ts'
import { frameOf } from '../frame.ts'
import { lookOf } from '../look.ts'
import type { DocxContext, Walk } from './context.ts'
import { writeLink } from './link.ts'
import { writeList } from './list.ts'
import { writePicture } from './picture.ts'
import { writeTable } from './table.ts'
import { rubyXml, writeFormula, writeText } from './text.ts'

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
  const isOwnBlock = isOwnBlockIn(element, css)
  const frame = isOwnBlock || name === 'table' ? frameOf(element, css, outer.frame, look.scale) : outer.frame
  if (isOwnBlock) story.close()
  if (breaksPage(css, 'before')) story.breakPage()
  if (css['break-before'] === 'column') story.breakColumn()
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

type Write = (element: XmlElement, context: DocxContext) => void

const named = (names: string, write: Write) => Object.fromEntries(names.split(' ').map(name => [name, write]))

/** What writes the elements that are more than what is in them. */
const writers: Readonly<Record<string, Write>> = {
  br: (_, { story, look, frame }) => story.inline('<w:r><w:br/></w:r>', frame, look.link),
  hr: (_, { story, frame }) => story.blank({ ...frame, rule: true }),
  ...named('img svg object', (element, context) => writePicture(element, context, walk)),
  math: writeFormula,
  ruby: (element, { writing, story, look, frame }) =>
    story.inline(rubyXml(element, look, frame.style, writing.language), frame, look.link),
  table: (element, context) => writeTable(element, context, walk),
  ...named('ul ol menu dir', (element, context) => writeList(element, context, walk)),
  a: (element, context) => writeLink(element, context, walk),
  q: (element, context) => {
    writeText('“', context)
    writeChildren(element, context)
    writeText('”', context)
  },
  'epub:switch': (element, context) => writeChildren(chosenCase(element), context),
}

function writeContent(element: XmlElement, context: DocxContext, isOwnBlock: boolean): void {
  const { name } = element
  // Margins of a block around paragraphs are not applied to the paragraphs.
  const isAround = /^(?:blockquote|div|section)$/.test(name) && isOwnBlock && !holdsText(element)
  const inner = { ...context, frame: { ...context.frame, before: undefined, after: undefined } }
  const write = ownValue(writers, name) ?? writeChildren
  write(element, isAround ? inner : context)
}

const holdsText = ({ children }: XmlElement) =>
  children.some(child => typeof child === 'string' && child.trim() !== '')

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const silent = names(
  'audio canvas datalist embed head iframe input link meta param rp script select source style template title track video wbr',
)
const media = names('audio video iframe embed canvas')

/** Elements of which nothing is shown, or nothing that Word supports. */
const isSilent = ({ name }: XmlElement): boolean => silent.has(name)

/** Elements without text that a reader of the book sees or hears. */
const isMedia = ({ name }: XmlElement): boolean => media.has(name)

/** Whether an element starts and ends a paragraph. */
const isOwnBlockIn = (element: XmlElement, css: Declarations): boolean =>
  isBlock(element, css) ||
  (/^(?:block|list-item|flex|grid|table)$/.test(css.display ?? '') && element.name !== 'br')
