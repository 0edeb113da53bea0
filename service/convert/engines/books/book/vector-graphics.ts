/** SVG in the documents of a book, and the pictures that they show. */
import { dataAddress } from '../../common/addresses.ts'
import { decodeText } from '../../common/text.ts'
import { textOf, type XmlElement } from '../../common/xml/element.ts'
import { SVG } from '../../common/xml/namespaces.ts'
import { rootIn } from '../../common/xml/tree.ts'
import { elementsIn, resolveHref } from './links.ts'
import { writeElement } from './markup/write.ts'
import type { Book } from './model.ts'

/** Maximum total size of the pictures that are embedded in an SVG document. */
const MAX_INLINE_BYTES = 30_000_000

/** An SVG element as a file of its own, with its pictures embedded, since programs open no other files for it. @param base the document's path */
export function vectorGraphicFile(root: XmlElement, base: string, resources: Book['resources']): Buffer {
  let room = MAX_INLINE_BYTES
  const copy = structuredClone(root)
  for (const element of elementsIn(copy)) {
    if (element.name !== 'image') continue
    for (const attribute of ['href', 'xlink:href']) {
      const target = resolveHref(base, element.attributes[attribute] ?? 'data:')
      const picture = target && resources.get(target.href)
      if (!picture || picture.bytes.length > room) continue
      room -= picture.bytes.length
      element.attributes[attribute] = dataAddress(picture.mediaType, picture.bytes)
    }
  }
  copy.attributes.xmlns = SVG
  return Buffer.from(writeElement(copy))
}

/** SVG documents that have been read, since several steps of writing need each of them. */
const roots = new WeakMap<Uint8Array, XmlElement | undefined>()

/** The root of an SVG document, which must not be changed; undefined if it is damaged. */
export function vectorGraphicIn(bytes: Uint8Array): XmlElement | undefined {
  if (!roots.has(bytes)) roots.set(bytes, rootIn(decodeText(bytes), SVG))
  return roots.get(bytes)
}

const LONGEST_ALTERNATIVE = 2000

/** The text of an SVG document, its title and description first. */
export function wordsIn(svg: XmlElement): string {
  const texts = [...elementsIn(svg)].filter(({ name }) => /^(?:title|desc|text)$/.test(name)).map(textOf)
  return texts.join(' ').replace(/\s+/g, ' ').trim().slice(0, LONGEST_ALTERNATIVE)
}

/** The reference to the picture in an SVG document that shows nothing else, as covers often do. */
export function onlyPicture(root: XmlElement): string | undefined {
  const shown = [...elementsIn(root)].filter(({ name }) => !/^(?:svg|g|title|desc|defs|metadata)$/.test(name))
  const [image, more] = shown
  if (image?.name !== 'image' || more) return undefined
  return image.attributes['xlink:href'] ?? image.attributes.href
}
