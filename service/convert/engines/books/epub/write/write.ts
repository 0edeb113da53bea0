import { contentsFromHeadings } from '../../book/headings.ts'
import { joinTarget, splitTarget } from '../../book/links.ts'
import { readXhtml } from '../../book/markup/document.ts'
import { isDocument } from '../../book/media-types.ts'
import type { Book, Landmark, NavigationEntry } from '../../book/model.ts'
import { writeZip, type ZipFile } from '../zip.ts'
import { navigationDocument, ncxOf } from './navigation.ts'
import { type BookPackage, type Examined, packageOf, paths } from './package.ts'

const FOLDER = 'EPUB/'
const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="${FOLDER}${paths.package}" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

/** Media types that are already compressed. */
const packed =
  /^(?:image\/(?:jpeg|png|gif|webp|avif)|font\/woff2?|application\/(?:font-woff|pdf|zip)|audio\/|video\/)/

/**
 * Writes a book whose documents were made here as EPUB 3 (https://www.w3.org/TR/epub-33/) with an NCX and a guide, so that EPUB 2
 * readers can use it too. Navigation entries without a target are left out.
 * @param date of the last change, which the package has to declare
 */
export function writeEpub(book: Book, date: Date): Promise<Buffer> {
  const written = prepare(book)
  const files: ZipFile[] = [
    // Readers recognise a book by these bytes, so they come first and uncompressed.
    { name: 'mimetype', content: Buffer.from('application/epub+zip'), stored: true },
    { name: 'META-INF/container.xml', content: Buffer.from(CONTAINER) },
    { name: `${FOLDER}${paths.package}`, content: Buffer.from(packageOf(written, date)) },
    { name: `${FOLDER}${paths.ncx}`, content: Buffer.from(ncxOf(written)) },
    { name: `${FOLDER}${paths.navigation}`, content: Buffer.from(navigationDocument(written)) },
  ]
  for (const { href, mediaType, bytes } of book.resources.values())
    files.push({ name: `${FOLDER}${href}`, content: bytes, stored: packed.test(mediaType) })
  return writeZip(files)
}

/** Examines a document that was written here, where quotation marks and `<` in text are escaped. */
function examine(bytes: Uint8Array): Examined {
  const text = Buffer.from(bytes).toString()
  const properties = ['svg', ...(/<math[\s>]/.test(text) ? ['mathml'] : [])].slice(
    /<svg[\s>]/.test(text) ? 0 : 1,
  )
  return { properties, ids: new Set(Array.from(text.matchAll(/\sid="([^"]*)"/g), ([, id = '']) => id)) }
}

/** Prepares a book for writing. */
function prepare(book: Book): BookPackage {
  const examined = new Map(
    [...book.resources.values()]
      .filter(({ mediaType }) => isDocument(mediaType))
      .map(({ href, bytes }) => [href, examine(bytes)]),
  )
  const place = (target: string | null): string | null => {
    const { href, fragment } = splitTarget(target ?? '')
    const document = examined.get(href)
    return document ? joinTarget(href, document.ids.has(fragment) ? fragment : '') : null
  }
  const entries = (list: readonly NavigationEntry[]): NavigationEntry[] =>
    list.flatMap(({ title, href, children }) => {
      const kept = { title, href: place(href), children: entries(children) }
      return kept.href === null && kept.children.length === 0 ? [] : [kept]
    })
  const { metadata, resources, spine } = book
  const rootOf = (href: string) => readXhtml(resources.get(href)!.bytes).root
  const headings = () =>
    contentsFromHeadings(
      spine.map(({ href }) => href),
      rootOf,
    )
  // What a reader opens has an entry at least.
  const start = () => [{ title: metadata.title, href: joinTarget(spine[0]!.href), children: [] }]
  const navigation = [() => entries(book.navigation), headings, start].values().map(list => list())
  return {
    book,
    examined,
    navigation: navigation.find(list => list.length > 0)!,
    landmarks: landmarksOf(book.landmarks, place),
  }
}

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
