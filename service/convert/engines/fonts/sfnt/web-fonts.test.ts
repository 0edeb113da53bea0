/** WOFF and WOFF2 files that their specifications tell readers to refuse or to accept; OpenType Sanitiser judges the same. */
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { sanitised } from '../../../../../testing/fonts.ts'
import { smallFont } from '../../../../../testing/small-font.ts'
import { assembled, type Stored, stored, type Writing } from '../../../../../testing/woff2-parts.ts'
import { type ByteWriter, FontCursor } from './data.ts'
import type { Font } from './font.ts'
import { readFonts } from './read.ts'
import { writeSfnt } from './sfnt.ts'
import { writeWoff } from './woff.ts'
import { writeBase128 } from './woff2/numbers.ts'
import { writeWoff2 } from './woff2/write.ts'

const files = testFiles('web-fonts')
const source = {
  ...smallFont(),
  metadata: Buffer.from('<metadata version="1.0"/>'),
  privateData: Buffer.from('mine'),
}

/** A font's tables in hexadecimal, by tag; `head` without what depends on the container. */
const shown = ({ tables }: Font) =>
  Object.fromEntries(
    [...tables].map(([tag, bytes]) => {
      const copy = Buffer.from(bytes)
      if (tag === 'head') copy.fill(0, 8, 12).fill(0, 16, 18)
      return [tag, copy.toString('hex')]
    }),
  )
const whole = shown(smallFont())

/** What is read of a file; undefined if it is refused as damaged. The sanitiser has to come to the same verdict. */
function read(bytes: Buffer, suffix: string) {
  const accepted = sanitised(files.write(bytes, suffix)) === ''
  let font: Font | undefined
  try {
    font = readFonts(bytes)[0]
  } catch (error) {
    expect(error).toMatchObject({ code: 'jobs.corrupt_input' })
  }
  expect({ accepted: font !== undefined }).toEqual({ accepted })
  return font && { ...font, tables: shown(font) }
}

const changed = (bytes: Buffer, change: (copy: Buffer) => void): Buffer => {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}
const add16 = (at: number, value: number) => (copy: Buffer) =>
  copy.writeUInt16BE(copy.readUInt16BE(at) + value, at)
const add32 = (at: number, value: number) => (copy: Buffer) =>
  copy.writeUInt32BE(copy.readUInt32BE(at) + value, at)

/** The header fields of either format. */
const fields = {
  woff: { metadata: 24, privateData: 36, bytes: writeWoff(source), plain: writeWoff(smallFont()) },
  woff2: { metadata: 28, privateData: 40, bytes: writeWoff2(source), plain: writeWoff2(smallFont()) },
} as const

describe.each(['woff', 'woff2'] as const)('%s', format => {
  const { metadata, privateData, bytes, plain } = fields[format]
  /** With zeros in front of the data at an offset, which blocks behind it follow. */
  const gap = (copy: Buffer, at: number, ...moved: number[]): Buffer => {
    for (const field of moved) add32(field, 4)(copy)
    add32(8, 4)(copy)
    return Buffer.concat([copy.subarray(0, at), Buffer.alloc(4), copy.subarray(at)])
  }
  const startOf = (field: number) => bytes.readUInt32BE(field)

  test('with metadata and private data', () => {
    expect(read(bytes, format)).toEqual({
      flavor: source.flavor,
      tables: whole,
      metadata: source.metadata,
      privateData: source.privateData,
    })
  })

  test.each<[string, Buffer]>([
    ['a false signature', changed(bytes, copy => copy.write('XXXX', 'latin1'))],
    ['a length that is too small', changed(bytes, add32(8, -4))],
    ['a length that is too large', changed(bytes, add32(8, 4))],
    ['no tables', changed(bytes, copy => copy.writeUInt16BE(0, 12))],
    ['data before the metadata', gap(Buffer.from(bytes), startOf(metadata), metadata, privateData)],
    ['data before the private data', gap(Buffer.from(bytes), startOf(privateData), privateData)],
    ['data at the end', gap(Buffer.from(bytes), bytes.length)],
    ['data behind the tables', gap(Buffer.from(plain), plain.length)],
    ['metadata that begins in the tables', changed(bytes, add32(metadata, -4))],
    ['private data that begins in the metadata', changed(bytes, add32(privateData, -4))],
    ['private data at no multiple of four', changed(bytes, add32(privateData, -1))],
    ['metadata behind the end', changed(bytes, copy => copy.writeUInt32BE(1 << 20, metadata))],
    ['private data behind the end', changed(bytes, add32(privateData + 4, 4))],
  ])('%s is refused', (_, damaged) => {
    expect(read(damaged, format)).toBeUndefined()
  })

  test('metadata that cannot be unpacked does not count', () => {
    for (const damaged of [
      changed(bytes, copy => copy.fill(0xff, startOf(metadata), startOf(metadata) + 4)),
      changed(bytes, add32(metadata + 8, 1)),
    ]) {
      expect(read(damaged, format)).toEqual({
        flavor: source.flavor,
        tables: whole,
        unreadableMetadata: true,
        privateData: source.privateData,
      })
    }
  })
})

describe('WOFF', () => {
  const { plain } = fields.woff
  const record = 44
  test.each<[string, Buffer]>([
    ['a reserved field with a value', changed(plain, copy => copy.writeUInt16BE(1, 14))],
    ['a size of the unpacked font that is not right', changed(plain, add32(16, 4))],
    ['a table that is longer packed than unpacked', changed(plain, add32(record + 8, 200))],
    ['tables that overlap', changed(plain, copy => copy.copy(copy, record + 24, record + 4, record + 8))],
  ])('%s is refused', (_, damaged) => {
    expect(read(damaged, 'woff')).toBeUndefined()
  })

  test('a table that unpacks to less than it says is refused', () => {
    expect(read(changed(plain, add32(record + 12, -1)), 'woff')).toBeUndefined()
  })
})

describe('WOFF2', () => {
  const assemble = (tables: readonly Stored[], writing?: Writing) =>
    assembled(fields.woff2.plain, tables, writing)
  /** The tables, with one changed. */
  const withTable = (tag: string, change: (table: Stored) => Partial<Stored>): Stored[] =>
    stored(fields.woff2.plain).map(table => (table.tag === tag ? { ...table, ...change(table) } : table))
  const withStreams = (change: (streams: Buffer[]) => void): Stored[] =>
    withTable('glyf', ({ bytes }) => ({ bytes: restreamed(bytes, change) }))
  /** A transformed `glyf` with its seven streams changed. */
  function restreamed(glyf: Buffer, change: (streams: Buffer[]) => void): Buffer {
    const cursor = new FontCursor(glyf, 36)
    const streams = Array.from({ length: 7 }, (_, i) =>
      Buffer.from(cursor.take(glyf.readUInt32BE(8 + 4 * i))),
    )
    change(streams)
    const header = Buffer.from(glyf.subarray(0, 36))
    for (const [i, stream] of streams.entries()) header.writeUInt32BE(stream.length, 8 + 4 * i)
    return Buffer.concat([header, ...streams])
  }
  const POINT_COUNTS = 1
  const BOXES = 5
  /** Changes which glyphs have a box: a bitmap of four bytes, and eight bytes for each. */
  const boxes = (bits: number, bytes: (present: Buffer) => Buffer) =>
    withStreams(streams => {
      const present = streams[BOXES]!.subarray(4)
      streams[BOXES] = Buffer.concat([Buffer.of(bits, 0, 0, 0), bytes(present)])
    })
  const box = (...edges: number[]) => Buffer.from(Int16Array.from(edges).buffer).swap16()

  test.each<[string, Buffer]>([
    ['a reserved field with a value', changed(fields.woff2.plain, copy => copy.writeUInt16BE(1, 14))],
    ['a size of the font that is too small', changed(fields.woff2.plain, add32(16, -100))],
    ['a size of the font that is too large', changed(fields.woff2.plain, add32(16, 100))],
    ['the same tables assembled again', assemble(stored(fields.woff2.plain))],
    ['known tags spelled out', assemble(stored(fields.woff2.plain), { spelled: true })],
    ['a false size of glyf', assemble(withTable('glyf', ({ length }) => ({ length: length - 20 })))],
    [
      'numbers of another encoding',
      assemble(
        withStreams(streams => {
          streams[POINT_COUNTS] = Buffer.concat(
            [...streams[POINT_COUNTS]!].map(count => Buffer.of(253, 0, count)),
          )
        }),
      ),
    ],
    [
      'a box that follows from the points',
      assemble(boxes(0b1001_0000, present => Buffer.concat([box(50, 0, 450, 700), present]))),
    ],
    [
      'tables that are not transformed',
      assemble(
        stored(fields.woff2.plain).map(({ tag }) => {
          const bytes = Buffer.from(whole[tag]!, 'hex')
          return { tag, version: ['glyf', 'loca'].includes(tag) ? 3 : 0, length: bytes.length, bytes }
        }),
      ),
    ],
  ])('%s is accepted', (_, bytes) => {
    expect(read(bytes, 'woff2')?.tables).toEqual(whole)
  })

  const leadingZero = (out: ByteWriter, length: number) => {
    out.u8(0x80)
    writeBase128(out, length)
  }
  const swapped = (): Stored[] => {
    const tables = stored(fields.woff2.plain)
    const at = tables.findIndex(({ tag }) => tag === 'glyf')
    return tables.with(at, tables[at + 1]!).with(at + 1, tables[at]!)
  }
  const twice = (): Stored[] =>
    stored(fields.woff2.plain).flatMap(table => (table.tag === 'cmap' ? [table, table] : table))
  const without = (tag: string) => stored(fields.woff2.plain).filter(table => table.tag !== tag)

  test.each<[string, () => Buffer]>([
    ['numbers with leading zeros', () => assemble(stored(fields.woff2.plain), { length: leadingZero })],
    [
      'numbers of more than 32 bits',
      () => assemble(twice(), { length: out => out.bytes([0x90, 128, 128, 128, 0]) }),
    ],
    [
      'numbers of more than five bytes',
      () => assemble(twice(), { length: out => out.bytes([0x81, 128, 128, 128, 128, 0]) }),
    ],
    ['a stream of zlib', () => assemble(stored(fields.woff2.plain), { pack: stream => deflateSync(stream) })],
    [
      'a stream that is too short',
      () => assemble(withTable('cmap', ({ length }) => ({ length: length + 1 }))),
    ],
    [
      'a stream that is too long',
      () => assemble(withTable('cmap', ({ length }) => ({ length: length - 1 }))),
    ],
    ['a short size of loca', () => assemble(withTable('loca', ({ length }) => ({ length: length - 4 })))],
    ['a long size of loca', () => assemble(withTable('loca', ({ length }) => ({ length: length + 4 })))],
    ['a loca with bytes', () => assemble(withTable('loca', () => ({ bytes: Buffer.alloc(4) })))],
    [
      'a loca that is not transformed',
      () => assemble(withTable('loca', ({ length }) => ({ version: 3, bytes: Buffer.alloc(length) }))),
    ],
    ['glyf without loca', () => assemble(without('loca'))],
    ['loca without glyf', () => assemble(without('glyf'))],
    ['loca before glyf', () => assemble(swapped())],
    ['a table twice', () => assemble(twice())],
    ['an unknown transformation of head', () => assemble(withTable('head', () => ({ version: 1 })))],
    ['an unknown transformation of glyf', () => assemble(withTable('glyf', () => ({ version: 1 })))],
    [
      'hmtx with all bearings',
      () =>
        assemble(withTable('hmtx', ({ bytes }) => ({ bytes: changed(bytes, copy => copy.fill(0, 0, 1)) }))),
    ],
    [
      'hmtx with unknown flags',
      () =>
        assemble(
          withTable('hmtx', ({ bytes }) => ({ bytes: changed(bytes, copy => copy.fill(0xff, 0, 1)) })),
        ),
    ],
    [
      'an empty glyph with a box',
      () => assemble(boxes(0b0101_0000, present => Buffer.concat([box(0, 0, 1, 1), present]))),
    ],
    ['a composite glyph without a box', () => assemble(boxes(0, () => Buffer.alloc(0)))],
    [
      'streams beyond the table',
      () => assemble(withTable('glyf', ({ bytes }) => ({ bytes: changed(bytes, add32(32, 100)) }))),
    ],
    [
      'more glyphs than there are',
      () => assemble(withTable('glyf', ({ bytes }) => ({ bytes: changed(bytes, add16(4, 40)) }))),
    ],
  ])('%s is refused', (_, bytes) => {
    expect(read(bytes(), 'woff2')).toBeUndefined()
  })
})

test('of several tables with the same tag the first one counts', () => {
  const font = writeSfnt({
    ...smallFont(),
    tables: new Map([...smallFont().tables, ['zzzz', Buffer.from('none')]]),
  })
  const record = font.indexOf('zzzz', 0, 'latin1')
  font.write('post', record, 'latin1')
  const [face] = readFonts(font)
  expect([...face!.tables.keys()]).toEqual([...smallFont().tables.keys()])
  expect(face!.tables.get('post')).toEqual(smallFont().tables.get('post'))
})
