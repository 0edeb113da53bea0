/**
 * The RESC record, in which Kindle files store the spine of their source and the metadata without an EXTH record, as OPF
 * (https://idpf.org/epub/20/spec/OPF_2.0_final_spec.html). All of it is optional.
 */

import { childOf, childrenOf, type XmlElement } from '../../../common/xml/element.ts'
import { rootIn } from '../../../common/xml/tree.ts'
import type { Metadata, Rendition, SpineItem } from '../../book/model.ts'
import { readMetadata } from '../../epub/read/metadata.ts'
import { renditionOf } from '../../epub/read/rendition.ts'
import type { Container } from './container.ts'

export interface PackageRecord {
  metadata: Partial<Metadata>
  /** Spine items by part number. */
  items: ReadonlyMap<number, Pick<SpineItem, 'linear' | 'properties'>>
  rendition: Rendition
  direction: string | undefined
}

const ITEM_LIMIT = 50_000
/** Largest record that is read; the spine of a long book takes about 100 KB. */
const RECORD_BYTES_LIMIT = 2 ** 20

/** Item properties that have a different name in EPUB. */
const RENAMED: Readonly<Record<string, string>> = {
  'page-spread-center': 'rendition:page-spread-center',
  'facing-page-left': 'page-spread-left',
  'facing-page-right': 'page-spread-right',
}
const KNOWN =
  /^(?:page-spread-(?:left|right)|rendition:(?:page-spread-center|align-x-center|layout-(?:pre-paginated|reflowable)|orientation-(?:auto|landscape|portrait)|spread-(?:auto|both|landscape|none)|flow-(?:auto|paginated|scrolled-continuous|scrolled-doc)))$/

export function readPackageRecord({ records, header }: Container): PackageRecord {
  const record = records.find(
    (each, number) => number >= header.record && each.toString('latin1', 0, 4) === 'RESC',
  )
  const root = record && packageIn(record.subarray(0, RECORD_BYTES_LIMIT).toString())
  const spine = childOf(root, 'spine')
  return {
    metadata: root ? readMetadata(root) : {},
    items: readItems(spine),
    rendition: renditionOf(root).rendition,
    direction: spine?.attributes['page-progression-direction'],
  }
}

/** The package, whose metadata and spine kindlegen also writes without an element around them. */
function packageIn(record: string): XmlElement | undefined {
  const start = record.search(/<(?:package|metadata|spine)\b/)
  const xml = record.slice(start, record.lastIndexOf('>') + 1)
  const root = rootIn(`<record>${start < 0 ? '' : xml}</record>`)
  return childOf(root, 'package') ?? root
}

function readItems(spine: XmlElement | undefined): PackageRecord['items'] {
  const items = new Map<number, Pick<SpineItem, 'linear' | 'properties'>>()
  for (const { attributes } of childrenOf(spine, 'itemref')) {
    const part = Number(attributes.skelid ?? Number.NaN)
    if (!Number.isInteger(part) || part < 0 || items.size >= ITEM_LIMIT) continue
    const properties = (attributes.properties ?? '')
      .split(/\s+/)
      .map(name => RENAMED[name] ?? name)
      .filter(name => KNOWN.test(name))
    items.set(part, { linear: attributes.linear !== 'no', properties: [...new Set(properties)] })
  }
  // A book without any linear item would not open.
  if ([...items.values()].every(({ linear }) => !linear))
    for (const item of items.values()) item.linear = true
  return items
}
