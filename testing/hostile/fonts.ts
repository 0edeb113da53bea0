/** Fonts with wild offsets, glyphs that contain themselves and programs that call themselves. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, deflateSync } from 'node:zlib'
import { u8, u16, u32 } from '../fixtures/numbers.ts'
import { type Attack, attacksOn, heavy, join8, patched } from './attack.ts'
import { inflatingZlib } from './bombs.ts'

const regular = readFileSync(join(import.meta.dirname, '../../resources/fonts/Cousine-Regular.ttf'))

type Tables = Map<string, Buffer>

function tablesOf(font: Buffer): Tables {
  const tables: Tables = new Map()
  for (let n = 0; n < font.readUInt16BE(4); n++) {
    const at = 12 + 16 * n
    const start = font.readUInt32BE(at + 8)
    tables.set(
      font.toString('latin1', at, at + 4),
      Buffer.from(font.subarray(start, start + font.readUInt32BE(at + 12))),
    )
  }
  return tables
}

function fontOf(tables: Tables, version = 0x0001_0000): Buffer {
  let offset = 12 + 16 * tables.size
  const places = [...tables].map(([tag, bytes]) => {
    const place = join8(tag, u32(0, offset, bytes.length))
    offset += bytes.length + (-bytes.length & 3)
    return place
  })
  return join8(
    u32(version),
    u16(tables.size, 0, 0, 0),
    ...places,
    ...[...tables.values()].map(bytes => join8(bytes, Buffer.alloc(-bytes.length & 3))),
  )
}

/** The font with some tables changed. */
const withTables = (change: (tables: Tables) => void) => {
  const tables = tablesOf(regular)
  change(tables)
  return fontOf(tables)
}
/** The font with a table overwritten from an offset on. */
const withPatch = (tag: string, at: number, patch: Buffer) =>
  withTables(tables => tables.set(tag, patched(tables.get(tag) ?? Buffer.alloc(0), at, patch)))
/** Only these glyphs, and what they need. */
const withGlyphs = (glyphs: readonly Buffer[]) =>
  withTables(tables => {
    const loca = Buffer.alloc(4 * (glyphs.length + 1))
    for (const [n, glyph] of glyphs.entries())
      loca.writeUInt32BE(loca.readUInt32BE(4 * n) + glyph.length, 4 * n + 4)
    tables.set('glyf', Buffer.concat(glyphs)).set('loca', loca)
    tables.get('head')!.writeInt16BE(1, 50)
    tables.get('maxp')!.writeUInt16BE(glyphs.length, 4)
    for (const tag of ['GSUB', 'GPOS', 'GDEF', 'cmap', 'post', 'hdmx', 'VDMX', 'LTSH', 'kern'])
      tables.delete(tag)
  })
const composite = (...parts: number[]) =>
  join8(
    u16(0xffff, 0, 0, 100, 100),
    ...parts.map((glyph, n) => join8(u16(n < parts.length - 1 ? 0x22 : 0x02, glyph), u8(1, 1))),
    parts.length % 2 ? u16(0) : '',
  )

const entry = (tag: string) => regular.indexOf(tag)
const outlines: Record<string, Attack['bytes']> = {
  'tables beyond the end of the file': () =>
    patched(regular, entry('glyf') + 8, u32(0xffff_fff0, 0xffff_ffff)),
  'every table in the same place': () => {
    const bytes = Buffer.from(regular)
    for (let n = 0; n < bytes.readUInt16BE(4); n++) bytes.writeUInt32BE(0, 12 + 16 * n + 8)
    return bytes
  },
  'sixty-five thousand tables': () => patched(regular, 4, u16(0xffff)),
  'glyphs of which there is no end': () => withPatch('maxp', 4, u16(0xffff)),
  'glyphs that lie beyond the table': () => withPatch('loca', 0, u32(0xffff_fff0, 0, 0xffff_ffff)),
  'a glyph made of itself': () => withGlyphs([composite(0, 0), composite(1, 1)]),
  'glyphs made of each other': () => withGlyphs([composite(1, 2), composite(2, 0), composite(0, 1)]),
  'glyphs made of the one before twice, sixty times': () =>
    withGlyphs(Array.from({ length: 61 }, (_, n) => (n === 0 ? Buffer.alloc(0) : composite(n - 1, n - 1)))),
  'a contour of sixty-five thousand points in ten bytes': () =>
    withGlyphs([join8(u16(1, 0, 0, 9, 9, 0xffff, 0), u8(0x39, 255, 0x39, 255)), Buffer.alloc(0)]),
  'a map of all characters and more': () =>
    withTables(tables =>
      tables.set('cmap', join8(u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(28, 0, 1, 0, 0xffff_ffff, 0))),
    ),
  'a map of 2^28 groups': () =>
    withTables(tables =>
      tables.set(
        'cmap',
        join8(u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(0xffff_fff0, 0, 0x0fff_ffff, 0, 0xffff, 0)),
      ),
    ),
  'maps that are the table itself': () =>
    withTables(tables => tables.set('cmap', join8(u16(0, 0xffff), Buffer.alloc(64)))),
  'names that lie elsewhere': () =>
    withTables(tables => tables.set('name', join8(u16(0, 0xffff, 6), Buffer.alloc(12 * 200, 0xff)))),
  'no size of an em, and a bad index of places': () => withPatch('head', 18, u16(0)),
  'widths of more glyphs than there are': () => withPatch('hhea', 34, u16(0xffff)),
  'substitutions that lead to themselves': () =>
    withTables(tables => tables.set('GSUB', join8(u16(1, 0, 0, 0, 0), Buffer.alloc(64)))),
}

const indexOf = (items: readonly Buffer[]): Buffer => {
  let end = 1
  const offsets = [end]
  for (const item of items) {
    end += item.length
    offsets.push(end)
  }
  return items.length === 0 ? u16(0) : join8(u16(items.length), u8(2), u16(...offsets), ...items)
}

/** A CFF program (Adobe Technical Note 5176) of three glyphs with the same outline, and global subroutines. */
function cffOf(outline: Buffer, subroutines: readonly Buffer[] = []): Buffer {
  const top = (at: number) => indexOf([join8(u8(29), u32(at), u8(17), u8(139, 139, 18))])
  const head = join8(u8(1, 0, 4, 2), indexOf([Buffer.from('A')]))
  const rest = join8(u16(0), indexOf(subroutines))
  return join8(
    head,
    top(head.length + top(0).length + rest.length),
    rest,
    indexOf([outline, outline, outline]),
  )
}

/** A font with this program as its outlines. */
function cffIn(cff: Buffer): Buffer {
  const tables = tablesOf(regular)
  for (const tag of tables.keys()) {
    if (!['head', 'hhea', 'OS/2', 'name'].includes(tag)) tables.delete(tag)
  }
  tables.get('hhea')!.writeUInt16BE(1, 34)
  const maxp = join8(u32(0x5000), u16(3))
  return fontOf(tables.set('CFF ', cff).set('maxp', maxp).set('hmtx', Buffer.alloc(16)), 0x4f54_544f)
}
/** Calls a global subroutine, if there are fewer than 1,240. */
const callGlobal = (number: number) => u8(number - 107 + 139, 29)

const programs: Record<string, Attack['bytes']> = {
  'a subroutine that calls itself': () => cffIn(cffOf(callGlobal(0), [join8(callGlobal(0), u8(11))])),
  'subroutines that each call the next twice, sixty of them': () =>
    cffIn(
      cffOf(
        callGlobal(0),
        Array.from({ length: 60 }, (_, n) => join8(callGlobal(n + 1), callGlobal(n + 1), u8(11))),
      ),
    ),
  'a subroutine that is not there': () => cffIn(cffOf(callGlobal(100))),
  'a stack of ten thousand numbers': () => cffIn(cffOf(join8(Buffer.alloc(10_000, 139), u8(5, 14)))),
  'lines of a kilometre, fifty thousand times': () =>
    cffIn(
      cffOf(
        join8(
          ...Array.from({ length: 10_000 }, () => u8(28, 127, 255, 28, 127, 255, 5)).slice(0, 9000),
          u8(14),
        ),
      ),
    ),
  'indexes of 65,535 entries': () => cffIn(patched(cffOf(u8(14)), 4, u16(0xffff))),
  'offsets of five bytes': () => cffIn(patched(cffOf(u8(14)), 6, u8(5))),
  'outlines beyond the end': () => cffIn(patched(cffOf(u8(14)), 16, u32(0x7fff_ffff))),
  'no program at all': () => cffIn(Buffer.alloc(4)),
}

const woff = (length: number, packed: Buffer, { tables = 1, offset = 64 } = {}) =>
  join8(
    'wOFF',
    u32(0x0001_0000, 64 + packed.length),
    u16(tables, 0),
    u32(100_000),
    u16(1, 0),
    u32(0, 0, 0, 0, 0),
    'glyf',
    u32(offset, packed.length, length, 0),
    packed,
  )
const base128 = (value: number) => {
  const groups = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    groups.unshift((rest % 128) | 128)
  return u8(...groups)
}
const woff2 = (length: number, packed: Buffer, { flags = 0, tables = 1 } = {}) =>
  join8(
    'wOF2',
    u32(0x0001_0000, 48 + packed.length),
    u16(tables, 0),
    u32(length, packed.length),
    u16(1, 0),
    u32(0, 0, 0, 0, 0),
    u8(flags),
    base128(length),
    packed,
  )
const brotli = (bytes: number) =>
  brotliCompressSync(Buffer.alloc(bytes), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

export const fontAttacks: Attack[] = heavy(
  [
    ...attacksOn('ttf', outlines),
    ...attacksOn('otf', programs),
    ...attacksOn('ttc', {
      'four thousand million faces': () => join8('ttcf', u32(0x0001_0000, 0xffff_ffff, 12)),
      'faces that are the collection': () =>
        join8('ttcf', u32(0x0001_0000, 200), u32(...Array.from({ length: 200 }, () => 0)), Buffer.alloc(64)),
      'fifty faces of the same tables': () => {
        const head = 12 + 4 * 50
        const font = Buffer.from(regular)
        for (let n = 0; n < font.readUInt16BE(4); n++)
          font.writeUInt32BE(font.readUInt32BE(12 + 16 * n + 8) + head, 12 + 16 * n + 8)
        return join8('ttcf', u32(0x0001_0000, 50), u32(...Array.from({ length: 50 }, () => head)), font)
      },
    }),
    ...attacksOn('woff', {
      'a table that unpacks to 200 MB': () => woff(201_326_592, inflatingZlib(200)),
      'a table that unpacks to more than it says': () => woff(1000, inflatingZlib(200)),
      'a table of four gigabytes': () => woff(0xffff_ffff, deflateSync(Buffer.alloc(1000))),
      'tables beyond the end of the file': () =>
        woff(1000, deflateSync(Buffer.alloc(1000)), { offset: 0xffff_fff0 }),
      'sixty-five thousand tables': () => woff(1000, deflateSync(Buffer.alloc(1000)), { tables: 0xffff }),
    }),
    ...attacksOn('woff2', {
      'tables that unpack to 400 MB': () => woff2(400e6, brotli(400e6)),
      'tables that unpack to more than they say': () => woff2(1000, brotli(100e6)),
      'a table of four gigabytes': () => woff2(0xffff_ffff, brotli(1000)),
      'outlines without a header': () => woff2(1000, brotli(1000), { flags: 10 }),
      'sixty-five thousand tables': () => woff2(1000, brotli(1000), { tables: 0xffff }),
    }),
  ],
  'a table that unpacks to 200 MB',
  'fifty faces of the same tables',
  'tables that unpack to 400 MB',
  'tables that unpack to more than they say',
)
