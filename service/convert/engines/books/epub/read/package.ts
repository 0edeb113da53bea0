import { JobFailure } from '../../../../../shared/errors.ts'
import { childOf, childrenOf, findIn, type XmlElement } from '../../../common/xml/element.ts'
import { resolveHref } from '../../book/links.ts'
import { mediaTypeOf } from '../../book/media-types.ts'
import type { SpineItem } from '../../book/model.ts'
import type { Container } from './container.ts'

export interface ManifestItem {
  id: string
  /** Path in the archive. */
  href: string
  mediaType: string
  properties: string[]
  /** Id of another item. */
  fallback: string | undefined
}

/** A package document with its references resolved: https://www.w3.org/TR/epub-33/#sec-package-doc */
export interface Package {
  root: XmlElement
  path: string
  /** By id. */
  items: ReadonlyMap<string, ManifestItem>
  spine: (Omit<SpineItem, 'href'> & { id: string })[]
  direction: 'ltr' | 'rtl' | 'default'
  /** Id of the NCX, if the spine declares one. */
  ncx: string | undefined
  /** Number of declared files that are not in the archive. */
  missing: number
}

const words = (text: string | undefined) => text?.split(/\s+/).filter(word => word !== '') ?? []

/** @throws JobFailure corrupt_input */
export async function readPackage(container: Container): Promise<Package> {
  const path = await container.packagePath()
  const document = await container.readXml(path)
  const root = document.name === 'package' ? document : findIn(document, 'package')
  if (!root) throw new JobFailure('jobs.corrupt_input')
  const items = new Map<string, ManifestItem>()
  let missing = 0
  for (const item of childrenOf(childOf(root, 'manifest'), 'item')) {
    const { attributes } = item
    const target = resolveHref(path, attributes.href ?? '')
    if (!target || target.href === path) continue
    const href = container.find(target.href)
    if (href === undefined) {
      missing++
      continue
    }
    const id = attributes.id ?? href
    items.set(id, {
      id,
      href,
      mediaType: mediaTypeOf(href, attributes['media-type']),
      properties: words(attributes.properties),
      fallback: attributes.fallback,
    })
  }
  const element = childOf(root, 'spine')
  const direction = element?.attributes['page-progression-direction']
  return {
    root,
    path,
    items,
    spine: childrenOf(element, 'itemref').map(({ attributes }) => ({
      id: attributes.idref ?? '',
      linear: attributes.linear?.toLowerCase() !== 'no',
      properties: words(attributes.properties),
    })),
    direction: direction === 'rtl' || direction === 'ltr' ? direction : 'default',
    ncx: element?.attributes.toc,
    missing,
  }
}
