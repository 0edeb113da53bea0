/**
 * The RESC record, in which Kindle files store the spine of their source and the metadata without an EXTH record, as OPF
 * (https://idpf.org/epub/20/spec/OPF_2.0_final_spec.html). All of it is optional.
 */
import type { Identifier, Metadata, Rendition, SpineItem } from '../../book/model.ts'
import type { Container } from './container.ts'

export interface PackageRecord {
  /** Spine items by part number. */
  items: ReadonlyMap<number, Pick<SpineItem, 'linear' | 'properties'>>
  series: Metadata['series']
  subtitle: string | undefined
  identifiers: readonly Identifier[]
  /** Languages after the main one. */
  languages: readonly string[]
  rendition: Pick<Rendition, 'orientation' | 'spread' | 'flow'>
  direction: 'ltr' | 'rtl' | undefined
}

const ITEM_LIMIT = 50_000
const IDENTIFIER_LIMIT = 100
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
  const xml = record?.subarray(0, RECORD_BYTES_LIMIT).toString() ?? ''
  const property = (name: string) => textOf(xml, `meta`, `property="${name}"`)
  const spine = /<spine\b[^>]{0,1000}>/.exec(xml)?.[0] ?? ''
  const direction = attributeOf(spine, 'page-progression-direction')
  return {
    items: readItems(xml),
    series: readSeries(xml),
    subtitle: /<meta refines="#subtitle" property="title-type">subtitle</.test(xml)
      ? textOf(xml, 'dc:title', 'id="subtitle"')
      : undefined,
    identifiers: readIdentifiers(xml),
    languages: [...xml.matchAll(/<dc:language>([^<]{1,40})<\/dc:language>/g)].map(([, tag = '']) =>
      tag.trim(),
    ),
    rendition: {
      orientation: oneOf(property('rendition:orientation'), ['auto', 'landscape', 'portrait']),
      spread: oneOf(property('rendition:spread'), ['auto', 'none', 'landscape', 'both']),
      flow: oneOf(property('rendition:flow'), ['auto', 'paginated', 'scrolled-continuous', 'scrolled-doc']),
    },
    direction: oneOf(direction, ['ltr', 'rtl']),
  }
}

function readItems(xml: string): Map<number, Pick<SpineItem, 'linear' | 'properties'>> {
  const items = new Map<number, Pick<SpineItem, 'linear' | 'properties'>>()
  for (const [item] of xml.matchAll(/<itemref\b[^>]{0,1000}>/g)) {
    const part = Number(attributeOf(item, 'skelid') ?? Number.NaN)
    if (!Number.isInteger(part) || part < 0 || items.size >= ITEM_LIMIT) continue
    const properties = (attributeOf(item, 'properties') ?? '')
      .split(/\s+/)
      .map(name => RENAMED[name] ?? name)
      .filter(name => KNOWN.test(name))
    items.set(part, { linear: attributeOf(item, 'linear') !== 'no', properties: [...new Set(properties)] })
  }
  // A book without any linear item would not open.
  if ([...items.values()].every(({ linear }) => !linear))
    for (const item of items.values()) item.linear = true
  return items
}

function readIdentifiers(xml: string): Identifier[] {
  return [...xml.matchAll(/<dc:identifier\b[^>]{0,500}>([^<]{1,1000})</g)]
    .slice(0, IDENTIFIER_LIMIT)
    .map(([tag, value = '']) => ({
      scheme: attributeOf(tag, 'opf:scheme') || null,
      value: decoded(value).trim(),
    }))
    .filter(({ value }) => value !== '')
}

/** Reads the series as written by EPUB 3 or Calibre. */
function readSeries(xml: string): Metadata['series'] {
  const name = textOf(xml, 'meta', 'property="belongs-to-collection"') ?? contentOf(xml, 'calibre:series')
  const position = textOf(xml, 'meta', 'property="group-position"') ?? contentOf(xml, 'calibre:series_index')
  return name ? { name, position } : undefined
}

function textOf(xml: string, name: string, attribute: string): string | undefined {
  const [, text] = new RegExp(`<${name}\\b[^>]{0,500}${attribute}[^>]{0,500}>([^<]{1,1000})<`).exec(xml) ?? []
  return text && decoded(text).trim()
}

function contentOf(xml: string, name: string): string | undefined {
  const [tag] = new RegExp(`<meta\\b[^>]{0,500}name="${name}"[^>]{0,2000}>`).exec(xml) ?? []
  return tag && attributeOf(tag, 'content')
}

function attributeOf(tag: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? []
  const value = double ?? single
  return value === undefined ? undefined : decoded(value)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decoded = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')

const oneOf = <Value extends string>(
  value: string | undefined,
  values: readonly Value[],
): Value | undefined => values.find(each => each === value)
