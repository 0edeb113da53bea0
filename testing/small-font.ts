/** A font of four glyphs: a box, an empty one, a triangle as "A", and a composite of that. */
import { ByteWriter } from '../service/convert/engines/fonts/sfnt/data.ts'
import { type Font, flavors } from '../service/convert/engines/fonts/sfnt/font.ts'
import { GlyphWriter } from '../service/convert/engines/fonts/sfnt/glyf/write.ts'

const bytes = (write: (out: ByteWriter) => void): Buffer => {
  const out = new ByteWriter()
  write(out)
  return Buffer.from(out.take())
}
const words = (...values: number[]): Buffer =>
  bytes(out => {
    for (const value of values) out.u16(value)
  })

export function smallFont(): Font {
  const outlines = new GlyphWriter()
  const glyph = (xs: number[], ys: number[]) =>
    outlines.simple({
      box: { xMin: Math.min(...xs), yMin: 0, xMax: Math.max(...xs), yMax: Math.max(...ys) },
      ends: [xs.length - 1],
      xs,
      ys,
      onCurve: xs.map(() => 1),
      overlapping: false,
    })
  glyph([50, 50, 450, 450], [0, 700, 700, 0])
  outlines.empty()
  glyph([30, 300, 570], [0, 700, 0])
  const simple = outlines.take(false)
  // Its box, and glyph 2 at its own place.
  const glyf = Buffer.concat([simple.glyf, words(0xffff, 30, 0, 570, 700, 2, 2, 0)])
  const loca = Buffer.concat([simple.loca, words(glyf.length / 2)])
  const tables = new Map<string, Uint8Array>([
    ['OS/2', os2()],
    ['cmap', cmap()],
    ['glyf', glyf],
    // Version, revision, checksum, magic number, flags and units, dates, box, style and size, direction, format of `loca` and `glyf`.
    [
      'head',
      words(
        1,
        0,
        1,
        0,
        0,
        0,
        0x5f0f,
        0x3cf5,
        3,
        1000,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        1,
        30,
        0,
        570,
        700,
        0,
        8,
        2,
        0,
        0,
      ),
    ],
    ['hhea', words(1, 0, 800, 0xff38, 0, 600, 30, 30, 570, 1, 0, 0, 0, 0, 0, 0, 0, 4)],
    ['hmtx', words(500, 50, 250, 0, 600, 30, 600, 30)],
    ['loca', loca],
    ['maxp', words(1, 0, 4, 4, 1, 4, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1)],
    ['name', name('Small')],
    ['post', words(3, 0, 0, 0, 0xff9c, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)],
  ])
  return { flavor: flavors.trueType, tables }
}

function os2(): Buffer {
  const table = Buffer.alloc(96)
  for (const [at, value] of [
    [0, 4],
    [2, 500],
    [4, 400],
    [6, 5],
    [62, 0x40],
    [64, 0x20],
    [66, 0x42],
    [68, 800],
    [72, 200],
    [74, 800],
    [76, 200],
  ] as const)
    table.writeUInt16BE(value, at)
  return table
}

/** Format 4: a space, "A" and "B". */
const cmap = (): Buffer =>
  Buffer.concat([
    words(0, 1, 3, 1, 0, 12, 4, 40, 0, 6, 4, 1, 2),
    words(0x20, 0x42, 0xffff, 0, 0x20, 0x41, 0xffff),
    words(0x1_0001 - 0x20, 0x1_0002 - 0x41, 1, 0, 0, 0),
  ])

function name(text: string): Buffer {
  const utf16 = Buffer.from(text, 'utf16le').swap16()
  const ids = [1, 2, 4, 6]
  return Buffer.concat([
    words(0, ids.length, 6 + 12 * ids.length),
    ...ids.map(id => words(3, 1, 0x409, id, utf16.length, 0)),
    utf16,
  ])
}
