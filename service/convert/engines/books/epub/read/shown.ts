/** What readers show of a book that its spine does not name: fallbacks, and documents to which only links lead. */
import { isDocument, isSvg } from '../../book/media-types.ts'
import type { Resource, SpineItem } from '../../book/model.ts'

/** Types whose content can be converted, so that a fallback is not needed. */
const SHOWN =
  /^(?:application\/(?:xhtml\+xml|font-|vnd\.ms-opentype|x-font)|image\/(?:gif|jpeg|png|svg\+xml|webp|avif|bmp|tiff)|text\/css|audio\/|video\/|font\/)/

/** The file that is shown instead of another: the first of its fallbacks that can be converted, or the file itself if there is none. */
export function shownFor(href: string, resources: ReadonlyMap<string, Resource>): string {
  for (const resource of fallbacksOf(href, resources))
    if (SHOWN.test(resource.mediaType)) return resource.href
  return href
}

/** Maximum length of a chain of fallbacks, which may lead back to its start. */
const MAX_FALLBACKS = 20

/** A file of a book followed by its fallbacks in order: https://www.w3.org/TR/epub-33/#sec-foreign-resources */
function* fallbacksOf(href: string, resources: ReadonlyMap<string, Resource>): Generator<Resource> {
  let resource = resources.get(href)
  for (let steps = 0; resource && steps < MAX_FALLBACKS; steps++) {
    yield resource
    resource = resource.fallback === undefined ? undefined : resources.get(resource.fallback)
  }
}

/**
 * Adds the documents to the spine that only links within the book lead to, out of the reading order.
 * @param links paths of the files that each document links to
 */
export function addLinked(
  spine: SpineItem[],
  resources: ReadonlyMap<string, Resource>,
  links: ReadonlyMap<string, Iterable<string>>,
): void {
  const known = new Set(spine.map(({ href }) => href))
  for (let at = 0; at < spine.length; at++) {
    for (const href of links.get(spine[at]!.href) ?? []) {
      const resource = resources.get(href)
      if (known.has(href) || !resource) continue
      if (!isDocument(resource.mediaType) && !isSvg(resource.mediaType)) continue
      known.add(href)
      spine.push({ href, linear: false, properties: [] })
    }
  }
}
