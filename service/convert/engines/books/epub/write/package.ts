import { escapeXml } from '../../../common/xml/characters.ts'
import { guideTypes } from '../../book/landmarks.ts'
import { relativeHref, splitTarget } from '../../book/links.ts'
import { isPicture } from '../../book/media-types.ts'
import type { Book, Landmark, NavigationEntry } from '../../book/model.ts'
import { metadataXml } from './metadata.ts'

/** Files of the package itself. */
export const paths = { package: 'package.opf', ncx: 'toc.ncx', navigation: 'nav.xhtml' } as const

/** What the package has to know of a document: what it declares of it, and the places in it. */
export interface Examined {
  properties: readonly string[]
  ids: ReadonlySet<string>
}

/** A book ready to be written, in which all references resolve. */
export interface BookPackage {
  book: Book
  examined: ReadonlyMap<string, Examined>
  navigation: readonly NavigationEntry[]
  landmarks: readonly Landmark[]
}

const spineProperties = /^(?:page-spread-(?:left|right)|rendition:[\w-]+)$/

/** The package document: https://www.w3.org/TR/epub-33/#sec-package-doc */
export function packageOf({ book, examined, landmarks }: BookPackage, date: Date): string {
  const { resources, spine, direction: progression } = book
  const ids = idsOf([...resources.keys(), paths.navigation, paths.ncx])
  const id = (href: string) => ids.get(href) ?? ''
  const address = (href: string, fragment = '') => escapeXml(relativeHref(paths.package, { href, fragment }))
  const isCover = (href: string) => href === book.cover && isPicture(resources.get(href)?.mediaType ?? '')
  const item = (href: string, mediaType: string, properties: readonly string[] = []) =>
    `<item id="${id(href)}" href="${address(href)}" media-type="${escapeXml(mediaType)}"${propertiesOf(properties)}/>`
  const items = [
    ...Array.from(resources.values(), ({ href, mediaType }) =>
      item(href, mediaType, isCover(href) ? ['cover-image'] : examined.get(href)?.properties),
    ),
    item(paths.navigation, 'application/xhtml+xml', ['nav']),
    item(paths.ncx, 'application/x-dtbncx+xml'),
  ]
  const itemrefs = spine.map(({ href, linear, properties }) => {
    const known = properties.filter(property => spineProperties.test(property))
    return `<itemref idref="${id(href)}"${linear ? '' : ' linear="no"'}${propertiesOf(known)}/>`
  })
  const direction = progression === 'default' ? '' : ` page-progression-direction="${progression}"`
  const cover = book.cover !== undefined && resources.has(book.cover) ? id(book.cover) : undefined
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="uid">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
${metadataXml(book, date)}${cover === undefined ? '' : `\n<meta name="cover" content="${cover}"/>`}
</metadata>
<manifest>
${items.join('\n')}
</manifest>
<spine toc="${id(paths.ncx)}"${direction}>
${itemrefs.join('\n')}
</spine>${guideOf(landmarks, address)}
</package>
`
}

const propertiesOf = (properties: readonly string[]) =>
  properties.length > 0 ? ` properties="${properties.join(' ')}"` : ''

/** A readable id for every file, derived from its name. */
function idsOf(hrefs: readonly string[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set(['uid'])
  for (const href of hrefs) {
    const name = href.slice(href.lastIndexOf('/') + 1).replace(/[^\w.-]+/g, '_')
    const stem = /^[A-Za-z_]/.test(name) ? name : `f_${name}`
    let id = stem
    for (let number = 2; taken.has(id) || id.startsWith('m-'); number++) id = `f${number}_${stem}`
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
    const target = splitTarget(href)
    const place = address(target.href, target.fragment)
    return word ? `<reference type="${word}" title="${escapeXml(title)}" href="${place}"/>` : []
  })
  return references.length > 0 ? `\n<guide>\n${references.join('\n')}\n</guide>` : ''
}
