import { linksOf, resolveHref, splitTarget } from '../../book/links.ts'
import { readXhtml } from '../../book/markup/document.ts'
import { isDocument, isPicture } from '../../book/media-types.ts'
import type { Landmark, Resource } from '../../book/model.ts'
import type { Container } from './container.ts'
import { metadataOf } from './metadata.ts'
import { navigationOf } from './navigation.ts'
import type { ManifestItem, Package } from './package.ts'

/** Like `coverOf` for a book whose files have not been read: reads only its navigation and its cover page. */
export async function findCover(container: Container, opf: Package): Promise<string | undefined> {
  const { landmarks } = await navigationOf(container, opf, new Map())
  const items = Array.from(opf.items.values(), item => ({
    ...item,
    fallback: undefined,
    bytes: new Uint8Array(),
  }))
  const resources = new Map<string, Resource>(items.map(item => [item.href, item]))
  const page = resources.get(coverPage(opf, landmarks) ?? '')
  if (page && isDocument(page.mediaType)) page.bytes = await container.read(page.href)
  return coverOf(opf, resources, landmarks)
}

/** The cover picture: the one declared as in EPUB 3 or 2, or the only picture on the cover page. */
export function coverOf(
  opf: Package,
  resources: ReadonlyMap<string, Resource>,
  landmarks: readonly Landmark[],
): string | undefined {
  const isShown = (item: ManifestItem | undefined) =>
    item !== undefined && isPicture(item.mediaType) && resources.has(item.href)
  const marked = [...opf.items.values()].find(({ properties }) => properties.includes('cover-image'))
  if (marked && isShown(marked)) return marked.href
  const item = namedCover(opf)
  if (item && isShown(item)) return item.href
  const resource = resources.get(coverPage(opf, landmarks) ?? '')
  if (!resource) return undefined
  if (isPicture(resource.mediaType)) return resource.href
  if (!isDocument(resource.mediaType)) return undefined
  const pictures = [...linksOf(readXhtml(resource.bytes).root)].filter(({ element }) =>
    /^(?:img|image)$/.test(element.name),
  )
  const target = pictures.length === 1 ? resolveHref(resource.href, pictures[0]!.value) : undefined
  return target && resources.has(target.href) ? target.href : undefined
}

/** The item that the EPUB 2 `meta` refers to: the picture, or in some books the page. */
function namedCover({ items, root }: Package): ManifestItem | undefined {
  const named = metadataOf(root).find(({ attributes }) => attributes.name === 'cover')?.attributes.content
  return items.get(named ?? '') ?? [...items.values()].find(({ href }) => named && href.endsWith(named))
}

function coverPage(opf: Package, landmarks: readonly Landmark[]): string | undefined {
  const landmark = landmarks.find(({ type }) => type === 'cover')
  return landmark ? splitTarget(landmark.href).href : namedCover(opf)?.href
}
