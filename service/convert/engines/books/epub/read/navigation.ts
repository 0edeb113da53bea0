import {
  childOf,
  childrenOf,
  elementsOf,
  findIn,
  textOf,
  type XmlElement,
} from '../../../common/xml/element.ts'
import { landmarkType } from '../../book/landmarks.ts'
import { elementsIn, joinTarget, resolveHref } from '../../book/links.ts'
import { readXhtml } from '../../book/markup/document.ts'
import type { Book, Landmark, NavigationEntry, Resource } from '../../book/model.ts'
import type { Container } from './container.ts'
import type { ManifestItem, Package } from './package.ts'
import { shownFor } from './shown.ts'

export const NCX = 'application/x-dtbncx+xml'

/** Maximum number of entries per list, beyond any usable table of contents. */
const MAX_ENTRIES = 100_000

export type Navigation = Pick<Book, 'navigation' | 'pageList' | 'landmarks'>

/** Resolves a reference in a file of the book to a path as spelled in the archive. */
export type Resolve = (base: string, reference: string) => string | null

/** Creates a resolver that uses the spelling of the archive. */
export const resolverOf =
  (find: (path: string) => string | undefined): Resolve =>
  (base, reference) => {
    const target = resolveHref(base, reference)
    const href = target && (find(target.href) ?? target.href)
    return target && href !== undefined ? joinTarget(href, target.fragment) : null
  }

/** The navigation document of EPUB 3: https://www.w3.org/TR/epub-33/#sec-nav */
export function readNavigationDocument(root: XmlElement, path: string, resolve: Resolve): Navigation {
  const found: Navigation = { navigation: [], pageList: [], landmarks: [] }
  for (const element of elementsIn(root)) {
    if (element.name !== 'nav') continue
    const types = (element.attributes['epub:type'] ?? '').split(/\s+/)
    const list = findIn(element, 'ol')
    if (types.includes('landmarks')) found.landmarks = landmarksOf(list, path, resolve)
    else if (types.includes('page-list')) found.pageList = entriesOf(list, path, resolve)
    else if (types.includes('toc') || (types.join('') === '' && found.navigation.length === 0)) {
      found.navigation = entriesOf(list, path, resolve)
    }
  }
  return found
}

function entriesOf(list: XmlElement | undefined, path: string, resolve: Resolve): NavigationEntry[] {
  return childrenOf(list, 'li')
    .slice(0, MAX_ENTRIES)
    .flatMap(item => {
      const label = elementsOf(item).find(({ name }) => name !== 'ol')
      const link = label?.name === 'a' ? label : findIn(label, 'a')
      const reference = link?.attributes.href
      const children = entriesOf(childOf(item, 'ol'), path, resolve)
      const title = labelOf(label)
      const href = reference === undefined ? null : resolve(path, reference)
      return title === '' && href === null ? children : [{ title, href, children }]
    })
}

/** The label of an entry: its text, with the alternative text of pictures. */
function labelOf(element: XmlElement | undefined): string {
  if (!element) return ''
  let text = ''
  for (const child of element.children) {
    if (typeof child === 'string') text += child
    else if (child.name === 'img') text += child.attributes.alt ?? ''
    else text += labelOf(child)
  }
  return text.replace(/\s+/g, ' ').trim() || (element.attributes.title ?? '')
}

function landmarksOf(list: XmlElement | undefined, path: string, resolve: Resolve): Landmark[] {
  const landmarks: Landmark[] = []
  if (!list) return landmarks
  for (const element of elementsIn(list)) {
    const reference = element.attributes.href
    const type = element.attributes['epub:type']?.trim()
    if (element.name !== 'a' || reference === undefined || !type) continue
    const href = resolve(path, reference)
    if (href !== null) landmarks.push({ type, title: labelOf(element), href })
  }
  return landmarks
}

/** The NCX of EPUB 2: https://idpf.org/epub/20/spec/OPF_2.0.1_draft.htm#Section2.4.1 */
export function readNcx(root: XmlElement, path: string, resolve: Resolve): Navigation {
  const points = (parent: XmlElement | undefined, name: string): NavigationEntry[] =>
    childrenOf(parent, name)
      .slice(0, MAX_ENTRIES)
      .map(point => ({
        title: textOf(findIn(childOf(point, 'navLabel'), 'text'))
          .replace(/\s+/g, ' ')
          .trim(),
        href: sourceOf(point, path, resolve),
        children: points(point, name),
      }))
  return {
    navigation: points(childOf(root, 'navMap'), 'navPoint'),
    pageList: points(childOf(root, 'pageList'), 'pageTarget'),
    landmarks: [],
  }
}

function sourceOf(point: XmlElement, path: string, resolve: Resolve): string | null {
  const source = childOf(point, 'content')?.attributes.src
  return source ? resolve(path, source) : null
}

/** The guide of EPUB 2: https://idpf.org/epub/20/spec/OPF_2.0.1_draft.htm#Section2.6 */
export function readGuide(root: XmlElement, path: string, resolve: Resolve): Landmark[] {
  return childrenOf(childOf(root, 'guide'), 'reference').flatMap(({ attributes }) => {
    const declared = (attributes.type ?? '')
      .trim()
      .toLowerCase()
      .replace(/^other\./, '')
    const href = resolve(path, attributes.href ?? '')
    if (declared === '' || href === null) return []
    const type =
      declared === 'table of contents' ? 'toc' : (landmarkType(declared) ?? declared.replace(/\s+/g, '-'))
    return [{ type, title: attributes.title?.trim() || declared, href }]
  })
}

/** Contents, pages and landmarks from the navigation document, otherwise from the NCX and the guide. */
export async function navigationOf(
  container: Container,
  opf: Package,
  resources: ReadonlyMap<string, Resource>,
): Promise<Navigation> {
  const resolve = resolverOf(name => {
    const found = container.find(name)
    return found === undefined ? undefined : shownFor(found, resources)
  })
  const result: Navigation = { navigation: [], pageList: [], landmarks: [] }
  const document = [...opf.items.values()].find(({ properties }) => properties.includes('nav'))
  const bytes = document && (resources.get(document.href)?.bytes ?? (await container.read(document.href)))
  if (document && bytes)
    Object.assign(result, readNavigationDocument(readXhtml(bytes).root, document.href, resolve))
  if (result.navigation.length === 0) {
    const ncx = ncxOf(opf)
    const root = ncx && (await container.readXml(ncx.href).catch(() => undefined))
    if (ncx && root) {
      const { navigation, pageList } = readNcx(root, ncx.href, resolve)
      result.navigation = navigation
      if (result.pageList.length === 0) result.pageList = pageList
    }
  }
  if (result.landmarks.length === 0) result.landmarks = readGuide(opf.root, opf.path, resolve)
  return result
}

const ncxOf = ({ items, ncx }: Package): ManifestItem | undefined =>
  items.get(ncx ?? '') ?? [...items.values()].find(({ mediaType }) => mediaType === NCX)
