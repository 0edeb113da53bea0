/** What is done to a book once before a writer makes a new one of it. Kobo's variant keeps the files of its EPUB instead. */
import { createHash } from 'node:crypto'
import { HEAD_BYTES, type PictureKind, pictureKind } from '../../../../shared/picture-signatures.ts'
import { readDataAddress } from '../../common/addresses.ts'
import { decodeText } from '../../common/text.ts'
import { elementWith, findIn, type XmlElement } from '../../common/xml/element.ts'
import { asWebPicture } from '../../pictures/web-picture.ts'
import { replaceAddresses } from './css/addresses.ts'
import { elementsIn, joinTarget, linksOf, relativeHref, resolveHref, splitTarget } from './links.ts'
import { readXhtml } from './markup/document.ts'
import { writeDocument } from './markup/write.ts'
import { isDocument, isPicture, isSvg, mediaTypeOf, suffixOf } from './media-types.ts'
import type { Book, NavigationEntry, Resource } from './model.ts'
import { vectorGraphicIn, wordsIn } from './vector-graphics.ts'

/**
 * Changes a book, so that its pictures are files in formats of the web, on pages: those written into its text
 * (`data:`, RFC 2397) become resources, as do fonts in its styles, those that browsers do not show become PNG, and what the spine
 * names gets a page.
 */
export async function normalise(book: Book): Promise<void> {
  const { resources } = book
  for (const resource of [...resources.values()]) {
    if (isDocument(resource.mediaType)) extractFromText(resource, resources)
    else if (resource.mediaType === 'text/css' && hasData(resource)) {
      resource.bytes = Buffer.from(extractFromStyles(decodeText(resource.bytes), resource.href, resources))
    }
  }
  for (const resource of resources.values()) {
    if (!isPicture(resource.mediaType)) continue
    const kind = pictureKind(Buffer.from(resource.bytes.subarray(0, HEAD_BYTES)))
    const shown = kind && !SHOWN.includes(kind) && (await asWebPicture(resource.bytes))
    // Writers leave out a picture that cannot be read, and say so.
    if (shown) Object.assign(resource, { bytes: shown.bytes, mediaType: shown.mime })
  }
  addPages(book)
}

/** What all browsers show. */
const SHOWN: readonly PictureKind[] = ['avif', 'gif', 'jpg', 'png', 'svg', 'webp']

/** Gives each picture and vector graphic in the spine a page of its own, and has links to it lead there. */
function addPages(book: Book): void {
  const { resources } = book
  const pages = new Map<string, string>()
  book.spine = book.spine.map(item => {
    const picture = resources.get(item.href)
    if (!picture || !isPicture(picture.mediaType)) return item
    const href = `${item.href}.xhtml`
    pages.set(item.href, href)
    const bytes = Buffer.from(writeDocument(pageOf(picture, href, book.metadata.title)))
    resources.set(href, { href, mediaType: mediaTypeOf(href), bytes, properties: [] })
    return { ...item, href }
  })
  if (pages.size === 0) return
  const moved = (target: string) => {
    const { href, fragment } = splitTarget(target)
    return joinTarget(pages.get(href) ?? href, fragment)
  }
  const entries = (list: readonly NavigationEntry[]): NavigationEntry[] =>
    list.map(({ title, href, children }) => ({
      title,
      href: href === null ? null : moved(href),
      children: entries(children),
    }))
  book.navigation = entries(book.navigation)
  book.landmarks = book.landmarks.map(landmark => ({ ...landmark, href: moved(landmark.href) }))
  for (const resource of resources.values()) {
    if (!isDocument(resource.mediaType)) continue
    const { root } = readXhtml(resource.bytes)
    for (const { element, attribute, value } of linksOf(root)) {
      const target = element.name === 'a' ? resolveHref(resource.href, value) : undefined
      const href = target && pages.get(target.href)
      if (href) element.attributes[attribute] = relativeHref(resource.href, { ...target, href })
    }
    resource.bytes = Buffer.from(writeDocument(root))
  }
}

/** A page with a picture; SVG with links stands in it, others keep their file. */
function pageOf({ href, mediaType, bytes }: Resource, base: string, title: string): XmlElement {
  const vectorGraphic = isSvg(mediaType) ? vectorGraphicIn(bytes) : undefined
  const alt = vectorGraphic ? wordsIn(vectorGraphic) : ''
  const picture = elementWith('img', [], { src: relativeHref(base, { href, fragment: '' }), alt })
  const shown = vectorGraphic && findIn(vectorGraphic, 'a') ? vectorGraphic : picture
  return elementWith('html', [
    elementWith('head', [elementWith('title', [title])]),
    elementWith('body', [elementWith('div', [shown], { style: 'text-align: center' })]),
  ])
}

const hasData = ({ bytes }: Resource) => /data:/i.test(Buffer.from(bytes).toString('latin1'))

/** Makes files of the pictures in `data:` addresses. Those in SVG files stay, since whatever shows SVG shows them too. */
function extractFromText(document: Resource, resources: Book['resources']): void {
  if (!hasData(document)) return
  const { href } = document
  const { root } = readXhtml(document.bytes)
  let isChanged = false
  for (const { element, attribute, value } of linksOf(root)) {
    const picture = fileIn(value, isPicture)
    if (!picture) continue
    element.attributes[attribute] = stored(picture, href, resources)
    isChanged = true
  }
  for (const element of elementsIn(root)) {
    const { style } = element.attributes
    if (style !== undefined && /data:/i.test(style)) {
      element.attributes.style = extractFromStyles(style, href, resources)
      isChanged = true
    }
    if (element.name !== 'style') continue
    element.children = element.children.map(child =>
      typeof child === 'string' ? extractFromStyles(child, href, resources) : child,
    )
    isChanged = true
  }
  if (isChanged) document.bytes = Buffer.from(writeDocument(root))
}

/** CSS whose pictures and fonts are files of the book. */
const extractFromStyles = (css: string, base: string, resources: Book['resources']): string =>
  replaceAddresses(css, {
    sheet: address => address,
    resource: address => {
      const file = fileIn(address, type => isPicture(type) || isFont(type))
      return file && stored(file, base, resources)
    },
  })

/** The reference to a file that has become one of the book. */
function stored(file: Resource, base: string, resources: Book['resources']): string {
  if (!resources.has(file.href)) resources.set(file.href, file)
  return relativeHref(base, { href: file.href, fragment: '' })
}

const isFont = (mediaType: string) => /font|opentype|truetype/.test(mediaType)

/** The file in a `data:` address, named by its content, so that one shown often is stored once. */
function fileIn(address: string, isWanted: (mediaType: string) => boolean): Resource | undefined {
  const { mediaType, bytes } = readDataAddress(address) ?? {}
  if (!mediaType || !bytes?.length || !isWanted(mediaType)) return undefined
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { href: `data-${hash}.${suffixOf(mediaType)}`, mediaType, bytes, properties: [] }
}
