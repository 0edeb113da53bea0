import { JobFailure } from '../../../../../shared/errors.ts'
import { decodeText } from '../../../common/text.ts'
import { type XmlElement, XmlError } from '../../../common/xml/element.ts'
import { SVG } from '../../../common/xml/namespaces.ts'
import { readTree } from '../../../common/xml/tree.ts'
import { drawingFile } from '../../book/drawings.ts'
import type { Book, Resource } from '../../book/model.ts'

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
  return drawingFile(root, resource.href, book.resources)
}
