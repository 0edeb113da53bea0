import { examine } from '../../book/examine.ts'
import { joinTarget, resolveHref, splitTarget } from '../../book/links.ts'
import { isDocument, isSvg } from '../../book/media-types.ts'
import type { Book, Landmark, NavigationEntry, Resource } from '../../book/model.ts'
import { writeZip, type ZipFile } from '../zip.ts'
import { navigationDocument, ncxOf } from './navigation.ts'
import { type BookPackage, packageOf } from './package.ts'
import { wrapperPage } from './wrapper.ts'

const CONTAINER = (path: string) => `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="${path}" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

/** Media types that are already compressed. */
const packed =
  /^(?:image\/(?:jpeg|png|gif|webp|avif)|font\/woff2?|application\/(?:font-woff|pdf|zip)|audio\/|video\/)/

/**
 * Writes a book as EPUB 3 (https://www.w3.org/TR/epub-33/) with an NCX and a guide, so that EPUB 2 readers can use it too.
 * An existing navigation document is kept; otherwise one is created. Features that documents use, such as SVG or scripts,
 * are declared; navigation entries without a target are left out; documents that are only linked are added to the spine.
 * @param date of the last change, which the package has to declare
 */
export async function writeEpub(book: Book, date: Date): Promise<Buffer> {
  const written = prepare(book)
  const { folder, resources } = written
  const path = nameFor('package.opf', written)
  const navigation = written.navigationPath
  const files: ZipFile[] = [
    // Readers recognise a book by these bytes, so they come first and uncompressed.
    { name: 'mimetype', content: Buffer.from('application/epub+zip'), stored: true },
    { name: 'META-INF/container.xml', content: Buffer.from(CONTAINER(`${folder}${path}`)) },
    { name: `${folder}${path}`, content: Buffer.from(packageOf(written, path, date)) },
    { name: `${folder}${written.ncxPath}`, content: Buffer.from(ncxOf(written)) },
  ]
  if (!resources.has(navigation)) {
    files.push({ name: `${folder}${navigation}`, content: Buffer.from(navigationDocument(written)) })
  }
  for (const { href, mediaType, bytes } of resources.values()) {
    const content = isDocument(mediaType) ? withDoctype(bytes) : bytes
    files.push({ name: `${folder}${href}`, content, stored: packed.test(mediaType) })
  }
  return writeZip(files)
}

/** Prepares a book for writing. */
function prepare(book: Book): BookPackage {
  const resources = new Map(book.resources)
  const spine = book.spine
    .filter(({ href }) => resources.has(href))
    .map(item => {
      const page = wrapperPage(resources.get(item.href)!, resources, book)
      if (!page) return item
      resources.set(page.href, page)
      return { ...item, href: page.href }
    })
  const examined = new Map(
    [...resources.values()]
      .filter(({ mediaType }) => isDocument(mediaType) || isSvg(mediaType))
      .map(({ href, bytes }) => [href, examine(bytes)]),
  )
  const isRead = new Set(spine.map(({ href }) => href))
  const addRead = (href: string) => {
    if (isRead.has(href) || !isReadable(resources.get(href))) return
    isRead.add(href)
    spine.push({ href, linear: false, properties: [] })
  }
  for (let at = 0; at < spine.length; at++) {
    const { href } = spine[at]!
    for (const link of examined.get(href)?.links ?? []) {
      const target = resolveHref(href, link)
      if (target) addRead(target.href)
    }
  }
  const place = (target: string | null): string | null => {
    if (target === null) return null
    const { href, fragment } = splitTarget(target)
    if (!isReadable(resources.get(href))) return null
    addRead(href)
    const isThere = fragment !== '' && (examined.get(href)?.ids.has(fragment) ?? false)
    return joinTarget(href, isThere ? fragment : '')
  }
  const entries = (list: readonly NavigationEntry[]): NavigationEntry[] =>
    list.flatMap(({ title, href, children }) => {
      const kept = { title, href: place(href), children: entries(children) }
      return kept.href === null && kept.children.length === 0 ? [] : [kept]
    })
  const navigation = entries(book.navigation)
  const first = spine[0] ? joinTarget(spine[0].href) : null
  const written = {
    book,
    resources,
    examined,
    spine,
    navigation:
      navigation.length > 0 ? navigation : [{ title: book.metadata.title, href: first, children: [] }],
    pageList: entries(book.pageList),
    landmarks: landmarksOf(book.landmarks, place),
    ...foldersOf(resources),
  }
  const own = [...resources.values()].find(({ properties }) => properties.includes('nav'))
  return {
    ...written,
    navigationPath: own?.href ?? nameFor('nav.xhtml', written),
    ncxPath: nameFor('toc.ncx', written),
  }
}

const isReadable = (resource: Resource | undefined) =>
  resource !== undefined && (isDocument(resource.mediaType) || isSvg(resource.mediaType))

function landmarksOf(landmarks: readonly Landmark[], place: (target: string) => string | null): Landmark[] {
  const known = new Set<string>()
  return landmarks.flatMap(({ type, title, href }) => {
    const target = place(href)
    const key = `${type} ${target}`
    if (target === null || known.has(key)) return []
    known.add(key)
    return [{ type, title: title || type, href: target }]
  })
}

/** Folder of the package: the one that contains all files, or a new one around them. */
function foldersOf(resources: ReadonlyMap<string, Resource>): { folder: string; base: string } {
  const tops = new Set([...resources.keys()].map(href => href.slice(0, href.indexOf('/') + 1)))
  const [top = ''] = tops
  return tops.size === 1 && top !== '' && top !== 'META-INF/'
    ? { folder: '', base: top }
    : { folder: 'EPUB/', base: '' }
}

/** An unused path for a file that belongs to the package itself. */
function nameFor(name: string, { resources, base }: Pick<BookPackage, 'resources' | 'base'>): string {
  const taken = new Set([...resources.keys()].map(href => href.toLowerCase()))
  let path = `${base}${name}`
  for (let number = 2; taken.has(path.toLowerCase()); number++)
    path = `${base}${name.replace('.', `-${number}.`)}`
  return path
}

/** Replaces the document types of EPUB 2, which EPUB 3 does not allow. */
function withDoctype(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2048)).toString('latin1')
  const found = /<!DOCTYPE\s+html\s+(?:PUBLIC|SYSTEM)[^>]*>/i.exec(head)
  if (!found) return bytes
  const rest = bytes.subarray(found.index + found[0].length)
  return Buffer.concat([bytes.subarray(0, found.index), Buffer.from('<!DOCTYPE html>'), rest])
}
