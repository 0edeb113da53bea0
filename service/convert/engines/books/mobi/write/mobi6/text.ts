import { escapeXml } from '../../../../common/xml/characters.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { StyleSheets } from '../../../book/css/cascade.ts'
import { elementsIn, resolveHref, splitTarget } from '../../../book/links.ts'
import type { Book, NavigationEntry } from '../../../book/model.ts'
import { onlyPicture, vectorGraphicFile } from '../../../book/vector-graphics.ts'
import { Anchors } from '../anchors.ts'
import { contentsRecords, type TextPosition } from '../contents.ts'
import type { Documents } from '../documents.ts'
import { type GuideEntry, guideEntries, startOf } from '../guide.ts'
import type { Resources } from '../resources.ts'
import { type PackedText, packText } from '../text-records.ts'
import { Utf8Writer } from '../utf8-writer.ts'
import { OldDocumentWriter, type OldWriting } from './document.ts'
import { POSITION_DIGITS, writePosition } from './inline.ts'
import { MEDIA, properties } from './style.ts'

/** The text of a book in MOBI 6, with the index of its contents. */
export interface Mobi6Text {
  text: PackedText
  contents: Uint8Array[]
  /** Position of the start of reading, if the book declares it. */
  start: number | undefined
}

const END = '</body></html>'
/** `href` of the contents page that is created if the book has none. */
const MADE_CONTENTS = '\0contents'
const CONTENTS_TITLE = 'Table of Contents'

/** Writes all documents of a book one after another, with page breaks between them. */
export async function writeMobi6Text(
  book: Book,
  documents: Documents,
  resources: Resources,
  progress: (fraction: number) => void,
): Promise<Mobi6Text> {
  const text = new Utf8Writer()
  const drawn = new Map<XmlElement, number>()
  const writing: OldWriting = { text, anchors: new Anchors(), links: [], documents, resources, drawn }
  const locate = (target: string): TextPosition | undefined => {
    const position = writing.anchors.find(target)
    return position === undefined ? undefined : { position }
  }
  const sheets = new StyleSheets(book, properties, MEDIA)
  // The references of the guide, whose positions become known later.
  const isThere = (target: string) => (documents.has(splitTarget(target).href) ? { position: 0 } : undefined)
  const guide: Omit<GuideEntry, 'place'>[] = guideEntries(book, isThere)
  const makesContents = book.navigation.length > 0 && !guide.some(({ type }) => type === 'toc')
  if (makesContents) guide.push({ type: 'toc', title: CONTENTS_TITLE, href: MADE_CONTENTS })
  text.write('<html><head>')
  if (guide.length > 0) {
    text.write('<guide>')
    for (const { type, title, href } of guide) {
      text.write(`<reference type="${escapeXml(type)}" title="${escapeXml(title)}" filepos=`)
      writePosition(writing, href)
      text.write(' />')
    }
    text.write('</guide>')
  }
  text.write('</head><body>')
  for (const [index, href] of documents.hrefs.entries()) {
    progress(index / documents.hrefs.length)
    const root = documents.read(href)
    drawn.clear()
    for (const element of elementsIn(root)) {
      if (element.name !== 'svg') continue
      const picture = resolveHref(href, onlyPicture(element) ?? 'data:')
      const number =
        (picture && resources.number(picture.href)) ??
        (await resources.drawn(vectorGraphicFile(element, href, book.resources)))
      if (number !== undefined) drawn.set(element, number)
    }
    new OldDocumentWriter(href, sheets.stylesOf(root, href), writing).write(root, index === 0)
  }
  const end = text.length
  if (makesContents) writeContents(book.navigation, writing)
  text.write(END)
  for (const { at, target } of writing.links) {
    const place = locate(target)
    if (place) text.patch(at, String(place.position).padStart(POSITION_DIGITS, '0'))
  }
  return {
    text: packText(text),
    contents: contentsRecords(book.navigation, locate, end, false),
    start: startOf(guideEntries(book, locate)),
  }
}

function writeContents(entries: readonly NavigationEntry[], writing: OldWriting): void {
  const { text, anchors, documents } = writing
  text.write('<mbp:pagebreak/>')
  anchors.begin(MADE_CONTENTS, text.length)
  text.write(`<h2>${CONTENTS_TITLE}</h2>`)
  const write = (list: readonly NavigationEntry[]) => {
    text.write('<ul>')
    for (const { title, href, children } of list) {
      const label = escapeXml(title)
      text.write('<li>')
      if (href !== null && documents.has(splitTarget(href).href)) {
        text.write('<a filepos=')
        writePosition(writing, href)
        text.write(`>${label}</a>`)
      } else text.write(label)
      if (children.length > 0) write(children)
      text.write('</li>')
    }
    text.write('</ul>')
  }
  write(entries)
}
