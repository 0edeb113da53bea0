/** ISO base media files with pictures and audio: boxes with wild sizes, offsets and references. */
import { box } from '../fixtures/heif.ts'
import { u8, u16, u32 } from '../fixtures/numbers.ts'
import { type Attack, attacksOn, type Bait, canary, heavy, join8, patched } from './attack.ts'

const full = (type: string, ...parts: (Uint8Array | string)[]) => box(type, u32(0), ...parts)

interface Item {
  type: string
  /** Construction method of iloc: 0 in the file, 1 in `idat`, 2 in another item. */
  method?: number
  offset?: number
  length?: number
}

/** A picture file with the given items, whether or not they make sense. */
function pictureOf(
  brand: string,
  items: readonly Item[],
  { properties = [] as Buffer[], references = [] as Buffer[], more = [] as Buffer[] } = {},
) {
  const ispe = full('ispe', u32(64, 64))
  const owned = [ispe, ...properties]
  return join8(
    box('ftyp', brand, u32(0), `mif1${brand}`),
    full(
      'meta',
      full('hdlr', u32(0), 'pict', u32(0, 0, 0), '\0'),
      full('pitm', u16(1)),
      box(
        'iloc',
        u32(0x0100_0000),
        u8(0x44, 0),
        u16(items.length),
        ...items.map(({ method = 0, offset = 8, length = 64 }, n) =>
          join8(u16(n + 1, method, 0, 1), u32(offset, length)),
        ),
      ),
      full(
        'iinf',
        u16(items.length),
        ...items.map(({ type }, n) => box('infe', u32(0x0200_0000), u16(n + 1, 0), type, '\0')),
      ),
      box(
        'iprp',
        box('ipco', ...owned),
        full(
          'ipma',
          u32(items.length),
          ...items.map((_, n) =>
            join8(u16(n + 1), u8(owned.length, ...owned.map((_each, p) => 0x80 | (p + 1)))),
          ),
        ),
      ),
      ...(references.length > 0 ? [full('iref', ...references)] : []),
      box('idat', Buffer.alloc(64)),
      ...more,
    ),
    box('mdat', Buffer.alloc(256)),
  )
}

const nested = (depth: number) => {
  let inner: Buffer = Buffer.alloc(0)
  for (let n = 0; n < depth; n++) inner = box('meta', inner)
  return inner
}

const pictures = (brand: string, coding: string): Record<string, Attack['bytes']> => ({
  'items beyond the end of the file': () =>
    pictureOf(brand, [{ type: coding, offset: 0xffff_fff0, length: 0xffff_ffff }]),
  'an item that is made of itself': () =>
    pictureOf(brand, [{ type: coding, method: 2 }], { references: [box('iloc', u16(1, 1, 1))] }),
  'a grid of itself': () =>
    pictureOf(brand, [{ type: 'grid', method: 1 }], { references: [box('dimg', u16(1, 1, 1))] }),
  'a grid of 256 by 256 tiles, which are grids': () =>
    pictureOf(
      brand,
      [
        { type: 'grid', method: 1 },
        { type: 'grid', method: 1 },
      ],
      {
        references: [box('dimg', u16(1, 4, 2, 2, 2, 2)), box('dimg', u16(2, 4, 1, 1, 1, 1))],
      },
    ),
  'a picture of 2^31 by 2^31': () =>
    pictureOf(brand, [{ type: coding }], { properties: [full('ispe', u32(2 ** 31 - 1, 2 ** 31 - 1))] }),
  'a crop of nothing, turned': () =>
    pictureOf(brand, [{ type: coding }], {
      properties: [box('clap', u32(0, 0, 0, 0, -1, 0, -1, 0)), box('irot', u8(255))],
    }),
  'a size that is its own box': () => patched(pictureOf(brand, [{ type: coding }]), 24, u32(1)),
  'ten thousand boxes in one another': () => pictureOf(brand, [{ type: coding }], { more: [nested(10_000)] }),
  'sixty thousand items': () =>
    pictureOf(
      brand,
      Array.from({ length: 60_000 }, () => ({ type: coding })),
    ),
  'a derived picture of an overlay of itself': () =>
    pictureOf(brand, [{ type: 'iovl', method: 1 }], { references: [box('dimg', u16(1, 3, 1, 1, 1))] }),
})

const track = (bait: Bait | null, table: Buffer, url: 'url ' | 'alis' = 'url ') =>
  box(
    'trak',
    full('tkhd', Buffer.alloc(80)),
    box(
      'mdia',
      full('mdhd', u32(0, 0, 8000, 80_000, 0)),
      full('hdlr', u32(0), 'soun', u32(0, 0, 0), '\0'),
      box(
        'minf',
        full('smhd', u32(0)),
        box(
          'dinf',
          full('dref', u32(1), bait ? full(url, `file://${canary(bait, 'ts')}\0`) : box(url, u32(1))),
        ),
        box(
          'stbl',
          full(
            'stsd',
            u32(1),
            box('sowt', Buffer.alloc(6), u16(1, 0, 0, 0, 0, 2, 16, 0, 0), u32(8000 * 65_536)),
          ),
          table,
        ),
      ),
    ),
  )
const movie = (brand: string, ...tracks: Buffer[]) =>
  join8(
    box('ftyp', brand, u32(0), brand),
    box('moov', full('mvhd', u32(0, 0, 1000, 10_000), Buffer.alloc(80)), ...tracks),
    box('mdat', Buffer.alloc(4096)),
  )

const plainTable = join8(
  full('stts', u32(1, 1000, 1)),
  full('stsc', u32(1, 1, 1000, 1)),
  full('stsz', u32(2, 1000)),
  full('stco', u32(1, 8)),
)
const wildTable = join8(
  full('stts', u32(1, 0xffff_ffff, 0xffff_ffff)),
  full('stsc', u32(2, 1, 0xffff_ffff, 1, 0, 0, 9)),
  full('stsz', u32(0xffff_ffff, 0xffff_ffff)),
  full('stco', u32(0x3fff_ffff, 0xffff_fff0)),
)

const movies = (brand: string): Record<string, Attack['bytes']> => ({
  'a track that lies in a file elsewhere': bait => movie(brand, track(bait, plainTable)),
  'a track under an alias of the Macintosh': bait => movie(brand, track(bait, plainTable, 'alis')),
  'tables of four thousand million entries': () => movie(brand, track(null, wildTable)),
  'boxes in one another without an end': () => movie(brand, nested(10_000)),
  'a box of no size in one of 2^64': () =>
    join8(box('ftyp', brand, u32(0), brand), u32(1), 'moov', u32(0xffff_ffff, 0xffff_ffff), u32(0), 'trak'),
  'two hundred tracks': () => movie(brand, ...Array.from({ length: 200 }, () => track(null, plainTable))),
})

export const boxAttacks: Attack[] = heavy(
  [
    ...attacksOn('heic', pictures('heic', 'hvc1')),
    ...attacksOn('avif', pictures('avif', 'av01')),
    ...attacksOn('mp4', movies('isom')),
    ...attacksOn('mov', movies('qt  ')),
    ...attacksOn('m4a', movies('M4A '), { targets: ['mp3'] }),
    ...attacksOn('m4b', movies('M4B '), { targets: ['m4a'] }),
  ],
  'two hundred tracks',
)
