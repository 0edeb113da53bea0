import { escapeXml } from '../../../common/xml/characters.ts'
import type { Examined } from '../../book/examine.ts'
import { guideTypes } from '../../book/landmarks.ts'
import { relativeHref, splitTarget } from '../../book/links.ts'
import { isPicture, mediaTypeOf } from '../../book/media-types.ts'
import type { Book, Landmark, NavigationEntry, Resource, SpineItem } from '../../book/model.ts'
import { metadataXml } from './metadata.ts'

/** A book ready to be written, in which all references resolve. */
export interface BookPackage {
  book: Book
  resources: ReadonlyMap<string, Resource>
  examined: ReadonlyMap<string, Examined>
  spine: readonly SpineItem[]
  navigation: readonly NavigationEntry[]
  pageList: readonly NavigationEntry[]
  landmarks: readonly Landmark[]
  /** Prefix of all paths in the archive. */
  folder: string
  /** Common prefix of the paths of all resources. */
  base: string
  navigationPath: string
  ncxPath: string
}

/** Properties that cannot be detected from the content and are copied. */
const kept = new Set(['index', 'glossary', 'dictionary', 'search-key-map', 'data-nav'])
const spineProperties = /^(?:page-spread-(?:left|right)|rendition:[\w-]+)$/

/** The package document: https://www.w3.org/TR/epub-33/#sec-package-doc */
export function packageOf(written: BookPackage, path: string, date: Date): string {
  const { book, resources, spine, landmarks, navigationPath, ncxPath } = written
  const ids = idsOf(written)
  const id = (href: string) => ids.get(href) ?? ''
  const address = (href: string, fragment = '') => escapeXml(relativeHref(path, { href, fragment }))
  const items = [...resources.values()].map(resource => {
    const properties = propertiesOf(resource, written)
    const attribute = properties.length > 0 ? ` properties="${properties.join(' ')}"` : ''
    const fallback =
      resource.fallback !== undefined && ids.has(resource.fallback)
        ? ` fallback="${id(resource.fallback)}"`
        : ''
    return `<item id="${id(resource.href)}" href="${address(resource.href)}" media-type="${escapeXml(resource.mediaType)}"${attribute}${fallback}/>`
  })
  if (!resources.has(navigationPath)) {
    items.push(
      `<item id="${id(navigationPath)}" href="${address(navigationPath)}" media-type="application/xhtml+xml" properties="nav"/>`,
    )
  }
  items.push(`<item id="${id(ncxPath)}" href="${address(ncxPath)}" media-type="application/x-dtbncx+xml"/>`)
  const remote = new Set([...written.examined.values()].flatMap(({ remote: addresses }) => [...addresses]))
  for (const [index, href] of [...remote].entries()) {
    items.push(
      `<item id="remote${index + 1}" href="${escapeXml(href)}" media-type="${mediaTypeOf(href.replace(/[?#].*/s, ''))}"/>`,
    )
  }
  const itemrefs = spine.map(({ href, linear, properties }) => {
    const known = properties.filter(property => spineProperties.test(property))
    const attribute = known.length > 0 ? ` properties="${known.join(' ')}"` : ''
    return `<itemref idref="${id(href)}"${linear ? '' : ' linear="no"'}${attribute}/>`
  })
  const direction = book.direction === 'default' ? '' : ` page-progression-direction="${book.direction}"`
  const cover = book.cover !== undefined && resources.has(book.cover) ? id(book.cover) : undefined
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="uid">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
${metadataXml(book, date)}${cover === undefined ? '' : `\n<meta name="cover" content="${cover}"/>`}
</metadata>
<manifest>
${items.join('\n')}
</manifest>
<spine toc="${id(ncxPath)}"${direction}>
${itemrefs.join('\n')}
</spine>${guideOf(landmarks, address)}
</package>
`
}

function propertiesOf(
  { href, mediaType, properties }: Resource,
  { book, examined, navigationPath }: BookPackage,
): string[] {
  const found = new Set([
    ...(examined.get(href)?.properties ?? []),
    ...properties.filter(property => kept.has(property)),
  ])
  if (href === book.cover && isPicture(mediaType)) found.add('cover-image')
  if (href === navigationPath) found.add('nav')
  return [...found]
}

/** A readable id for every file, derived from its name. */
function idsOf({ resources, navigationPath, ncxPath }: BookPackage): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set(['uid'])
  for (const href of new Set([...resources.keys(), navigationPath, ncxPath])) {
    const name = href.slice(href.lastIndexOf('/') + 1).replace(/[^\w.-]+/g, '_')
    const stem = /^[A-Za-z_]/.test(name) ? name : `f_${name}`
    let id = stem
    for (let number = 2; taken.has(id) || /^(?:remote\d+|m-)/.test(id); number++) id = `f${number}_${stem}`
    taken.add(id)
    ids.set(href, id)
  }
  return ids
}

function guideOf(
  landmarks: readonly Landmark[],
  address: (href: string, fragment: string) => string,
): string {
  const references = landmarks.flatMap(({ type, title, href }) => {
    const word = guideTypes.get(type)
    if (!word) return []
    const target = splitTarget(href)
    return [
      `<reference type="${word}" title="${escapeXml(title)}" href="${address(target.href, target.fragment)}"/>`,
    ]
  })
  return references.length > 0 ? `\n<guide>\n${references.join('\n')}\n</guide>` : ''
}
