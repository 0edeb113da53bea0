import { JobFailure } from '../../../../../shared/errors.ts'
import { dataAddress } from '../../../common/addresses.ts'
import { decodeText } from '../../../common/text.ts'
import { type XmlElement, XmlError } from '../../../common/xml/element.ts'
import { SVG } from '../../../common/xml/namespaces.ts'
import { readTree } from '../../../common/xml/tree.ts'
import { elementsIn, resolveHref } from '../../book/links.ts'
import { writeElement } from '../../book/markup/write.ts'
import type { Book, Resource } from '../../book/model.ts'

/** Maximum total size of the pictures that are embedded in a drawing. */
const MAX_INLINE_BYTES = 30_000_000

/** Drawings that have been read, since several steps of writing need each of them. */
const roots = new WeakMap<Resource, XmlElement | undefined>()

/** The root of a drawing, which must not be changed; undefined if it is damaged. */
export function readDrawing(resource: Resource): XmlElement | undefined {
  if (!roots.has(resource)) roots.set(resource, parsed(resource))
  return roots.get(resource)
}

function parsed({ bytes }: Resource): XmlElement | undefined {
  try {
    return readTree(decodeText(bytes), SVG).root
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

/**
 * Embeds the pictures of a drawing in it, since the renderer does not open external files.
 * @throws JobFailure corrupt_input
 */
export function drawingWithPictures(resource: Resource, book: Book): Uint8Array {
  if (!/<(?:\w+:)?image\b/.test(decodeText(resource.bytes))) return resource.bytes
  const root = readDrawing(resource)
  if (!root) throw new JobFailure('jobs.corrupt_input')
  return inlined(root, resource.href, book)
}

/** The same for a drawing within a document. */
export function inlined(root: XmlElement, base: string, book: Book): Uint8Array {
  let room = MAX_INLINE_BYTES
  const copy = structuredClone(root)
  for (const element of elementsIn(copy)) {
    if (element.name !== 'image') continue
    for (const attribute of ['href', 'xlink:href']) {
      const target = resolveHref(base, element.attributes[attribute] ?? 'data:')
      const picture = target && book.resources.get(target.href)
      if (!picture || picture.bytes.length > room) continue
      room -= picture.bytes.length
      element.attributes[attribute] = dataAddress(picture.mediaType, picture.bytes)
    }
  }
  return Buffer.from(writeElement(copy))
}

/** `href` of the picture in a drawing that contains nothing else, as covers often do. */
export function onlyPicture(root: XmlElement, base: string): string | undefined {
  let found: string | undefined
  for (const { name, attributes, children } of elementsIn(root)) {
    if (name === 'image' && found === undefined) {
      found = resolveHref(base, attributes['xlink:href'] ?? attributes.href ?? 'data:')?.href
      if (found === undefined) return undefined
    } else if (!/^(?:svg|g|title|desc|metadata|defs)$/.test(name)) return undefined
    if (
      name !== 'title' &&
      name !== 'desc' &&
      children.some(child => typeof child === 'string' && child.trim())
    )
      return undefined
  }
  return found
}
