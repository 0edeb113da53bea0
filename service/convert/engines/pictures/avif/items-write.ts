import { box, fullBox, handler, text, u8, u16, u32 } from '../../common/iso-boxes.ts'
import type { Item, Items } from '../heif/items.ts'

/** An item of the new file. */
export interface NewItem {
  /** A `mime` item is XMP. */
  type: string
  /** Whether it is no picture of its own, such as a tile. */
  isHidden: boolean
  properties: { type: string; body: Uint8Array }[]
  /** Entries that this one refers to. */
  references: (readonly [kind: string, to: NewItem[]])[]
  /** Offset from the beginning of all data, and length. */
  offset: number
  length: number
}

/** Size in pixels. */
export const ispe = (width: number, height: number) => ({ type: 'ispe', body: u32(0, width, height) })

/** Bits of each channel. */
export const pixi = (...bits: number[]) => ({
  type: 'pixi',
  body: Buffer.concat([u32(0), u8(bits.length, ...bits)]),
})

/** Colours in full range by code points (ITU-T H.273). */
export const nclx = (primaries: number, transfer: number, matrix: number) => ({
  type: 'colr',
  body: Buffer.concat([text('nclx'), u16(primaries, transfer, matrix), u8(0x80)]),
})

/** Purpose of an auxiliary picture. */
export const auxC = (purpose: string) => ({ type: 'auxC', body: Buffer.concat([u32(0), text(purpose)]) })

/** The box that describes pictures and metadata as items (HEIF); the first one is the picture that is shown. */
export function meta(entries: NewItem[], start: number, alternatives: NewItem[] = []): Buffer {
  const idOf = new Map(entries.map((entry, index) => [entry, index + 1]))
  const ids = (list: NewItem[]) => list.map(entry => idOf.get(entry)!)
  const infe = ({ type, isHidden }: NewItem, index: number) => {
    const names = text(type === 'mime' ? '\0application/rdf+xml\0' : '\0')
    return fullBox('infe', 2, isHidden ? 1 : 0, u16(index + 1, 0), text(type), names)
  }
  const locations = entries.map(({ offset, length }, index) =>
    Buffer.concat([u16(index + 1, 0, 1), u32(start + offset, length)]),
  )
  const references = entries.flatMap(entry =>
    entry.references.map(([kind, to]) => box(kind, u16(...ids([entry]), to.length, ...ids(to)))),
  )
  return fullBox(
    'meta',
    0,
    0,
    handler('pict'),
    fullBox('pitm', 0, 0, u16(1)),
    fullBox('iloc', 0, 0, u8(0x44, 0), u16(entries.length), ...locations),
    fullBox('iinf', 0, 0, u16(entries.length), ...entries.map(infe)),
    ...(references.length > 0 ? [fullBox('iref', 0, 0, ...references)] : []),
    itemProperties(entries),
    // Groups have numbers as items do.
    ...(alternatives.length > 0
      ? [
          box(
            'grpl',
            fullBox('altr', 0, 0, u32(entries.length + 1, alternatives.length, ...ids(alternatives))),
          ),
        ]
      : []),
  )
}

/** A new file as far as it is known: its items, of which the first is the picture, and their data one after the other. */
export interface Contents {
  brand: string
  /** What it conforms to besides. */
  brands: string[]
  entries: NewItem[]
  /** Renditions of the same picture, the best first. */
  alternatives?: NewItem[]
  pieces: Uint8Array[]
}

export const emptyContents = (brand: 'avif' | 'heic'): Contents => ({
  brand,
  brands: [],
  entries: [],
  pieces: [],
})

/** Adds an item, and gives it back. */
export function add(
  { entries, pieces }: Contents,
  type: string,
  data: Uint8Array,
  properties: NewItem['properties'] = [],
  references: readonly (readonly [kind: string, to: NewItem[]])[] = [],
): NewItem {
  const offset = pieces.reduce((sum, { length }) => sum + length, 0)
  const { length } = data
  const item = { type, isHidden: false, properties, references: [...references], offset, length }
  pieces.push(data)
  entries.push(item)
  return item
}

/** The contents of a file that was read, without some of its items. */
export function contentsOf(items: Items, isLeftOut: (item: Item) => boolean = () => false): Contents {
  const contents = emptyContents(items.brands[0] === 'avif' ? 'avif' : 'heic')
  const kept = [items.primary, ...items.all.values().filter(item => item !== items.primary)].filter(
    item => !isLeftOut(item),
  )
  const added = new Map(
    kept.map(item => [item.id, add(contents, item.type, items.data(item), item.properties)]),
  )
  for (const item of kept)
    for (const [kind, ids] of item.references) {
      const to = ids.flatMap(id => added.get(id) ?? [])
      if (to.length > 0) added.get(item.id)?.references.push([kind, to])
      // Tiles are no pictures of their own.
      if (kind === 'dimg') for (const tile of to) tile.isHidden = true
    }
  return contents
}

/** The file with these contents; the first entry is the picture. */
export function fileOf({ brand, brands, entries, alternatives, pieces }: Contents): Buffer {
  const ftyp = box('ftyp', text(brand), u32(0), ...[brand, 'mif1', 'miaf', ...brands].map(text))
  // Boxes have the same size whatever the offsets, so a first draft shows where the data will begin.
  const start = ftyp.length + meta(entries, 0, alternatives).length + 8
  return Buffer.concat([ftyp, meta(entries, start, alternatives), box('mdat', ...pieces)])
}

/** Properties, each stored once however many items have it, and their associations with items. */
function itemProperties(entries: NewItem[]): Buffer {
  const kept: Buffer[] = []
  const indices = new Map<string, number>()
  const indexOf = ({ type, body }: NewItem['properties'][number]) => {
    const key = type + Buffer.from(body).toString('latin1')
    const index = indices.get(key) ?? kept.push(box(type, body))
    indices.set(key, index)
    // A reader that does not know an item's coding or its visible part must not show it.
    return ['av1C', 'clap', 'hvcC', 'imir', 'irot'].includes(type) ? index | 0x80 : index
  }
  const associations = entries.flatMap(({ properties }, item) =>
    properties.length > 0 ? [{ id: item + 1, list: properties.map(indexOf) }] : [],
  )
  return box(
    'iprp',
    box('ipco', ...kept),
    fullBox(
      'ipma',
      0,
      0,
      u32(associations.length),
      ...associations.map(({ id, list }) => Buffer.concat([u16(id), u8(list.length, ...list)])),
    ),
  )
}
