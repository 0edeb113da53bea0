import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { onlyFull } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { gradient } from '../../../../../testing/fixtures/pixels.ts'
import { decode, writePnm } from '../../../../../testing/pictures.ts'
import type { Pixels } from '../pixels.ts'
import { readBmp } from './read.ts'
import { writeBmp } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-bmp-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pixels = (file: Buffer): Pixels => {
  const picture = readBmp(file)
  if (!picture.complete) throw new Error('not decoded as a whole')
  return picture.pixels
}

/** Numbers as bytes, each as wide as its name says. */
const bytes = (...parts: (number | { u16: number } | { u32: number } | Uint8Array)[]) =>
  Buffer.concat(
    parts.map(part => {
      if (typeof part === 'number') return Buffer.from([part])
      if (part instanceof Uint8Array) return Buffer.from(part)
      const wide = 'u32' in part
      const buffer = Buffer.alloc(wide ? 4 : 2)
      if ('u32' in part) buffer.writeInt32LE(part.u32 | 0)
      else buffer.writeUInt16LE(part.u16)
      return buffer
    }),
  )
const u16 = (value: number) => ({ u16: value })
const u32 = (value: number) => ({ u32: value })

/** A whole file: header of its kind, palette or masks, samples. */
function bmp(header: Buffer, tables: Buffer, samples: Buffer): Buffer {
  const offset = 14 + header.length + tables.length
  const size = offset + samples.length
  return bytes(...Buffer.from('BM'), u32(size), u32(0), u32(offset), header, tables, samples)
}

const info = (width: number, height: number, bits: number, compression = 0, used = 0, size = 40) =>
  Buffer.concat([
    bytes(
      u32(size),
      u32(width),
      u32(height),
      u16(1),
      u16(bits),
      u32(compression),
      u32(0),
      u32(0),
      u32(0),
      u32(used),
      u32(0),
    ),
    Buffer.alloc(size - 40),
  ]).subarray(0, size)

const red = [255, 0, 0]
const green = [0, 255, 0]
const blue = [0, 0, 255]
const black = [0, 0, 0]
const palette = bytes(0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0)

describe('files written by hand', () => {
  test.each<[string, Buffer, number[][]]>([
    [
      'OS/2 1.x, 1 bit, a palette of three bytes',
      bmp(
        bytes(u32(12), u16(2), u16(2), u16(1), u16(1)),
        bytes(0, 0, 255, 255, 0, 0),
        bytes(0x40, 0, 0, 0, 0x80, 0, 0, 0),
      ),
      [blue, red, red, blue],
    ],
    ['4 bits', bmp(info(3, 1, 4, 0, 4), palette, bytes(0x12, 0x30, 0, 0)), [red, green, blue]],
    ['2 bits', bmp(info(4, 1, 2, 0, 4), palette, bytes(0b00011011, 0, 0, 0)), [black, red, green, blue]],
    ['8 bits, top down', bmp(info(1, -2, 8, 0, 4), palette, bytes(1, 0, 0, 0, 2, 0, 0, 0)), [red, green]],
    ['an index beyond the palette', bmp(info(1, 1, 8, 0, 4), palette, bytes(200, 0, 0, 0)), [black]],
    [
      '16 bits, 5 for each',
      bmp(info(2, 1, 16), Buffer.alloc(0), bytes(u16(0x7c00), u16(0x001f))),
      [red, blue],
    ],
    [
      '16 bits, 5-6-5',
      bmp(info(2, 1, 16, 3), bytes(u32(0xf800), u32(0x7e0), u32(0x1f)), bytes(u16(0xf800), u16(0x7e0))),
      [red, green],
    ],
    [
      '32 bits, odd masks',
      bmp(info(1, 1, 32, 3), bytes(u32(0x3ff00000), u32(0xffc00), u32(0x3ff)), bytes(u32(0x3ff00000))),
      [red],
    ],
    [
      '32 bits without masks: the fourth byte is no alpha',
      bmp(info(1, 1, 32), Buffer.alloc(0), bytes(255, 0, 0, 9)),
      [blue],
    ],
    [
      'RLE8',
      bmp(info(3, 2, 8, 1, 4), palette, bytes(3, 1, 0, 0, 0, 3, 1, 2, 3, 0, 0, 1)),
      [red, green, blue, red, red, red],
    ],
    ['RLE4', bmp(info(4, 1, 4, 2, 4), palette, bytes(4, 0x12, 0, 1)), [red, green, red, green]],
    ['no file header', bmp(info(2, 1, 8, 0, 4), palette, bytes(1, 2, 0, 0)).subarray(14), [red, green]],
  ])('%s', (_, file, expected) => {
    const { data, channels } = pixels(file)
    expect(channels).toBe(3)
    expect([...data]).toEqual(expected.flat())
  })

  test('pixels that RLE skips are transparent', () => {
    // One red pixel, then a jump of two.
    const { data, channels } = pixels(bmp(info(4, 1, 8, 1, 4), palette, bytes(1, 1, 0, 2, 2, 0, 1, 3, 0, 1)))
    expect(channels).toBe(4)
    expect([...data]).toEqual([...red, 255, 0, 0, 0, 0, 0, 0, 0, 0, ...blue, 255])
  })

  test('alpha is used if a mask names it, unless it is zero everywhere', () => {
    const masks = bytes(u32(0xff0000), u32(0xff00), u32(0xff), u32(0xff000000))
    const file = (alpha: number) => bmp(info(1, 1, 32, 6), masks, bytes(0, 0, 255, alpha))
    expect([...pixels(file(128)).data]).toEqual([...red, 128])
    expect([...pixels(file(0)).data]).toEqual(red)
  })

  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'jobs.corrupt_input'],
    ['another format', Buffer.from('GIF89a, and more of it than a header has'), 'jobs.corrupt_input'],
    ['too few samples', bmp(info(50, 50, 24), Buffer.alloc(0), Buffer.alloc(99)), 'jobs.corrupt_input'],
    ['no size', bmp(info(0, 5, 24), Buffer.alloc(0), Buffer.alloc(99)), 'jobs.corrupt_input'],
    [
      'a size to take the machine down',
      bmp(info(60_000, 60_000, 8, 1), palette, bytes(0, 1)),
      'jobs.too_large',
    ],
    [
      'skipped pixels by the million',
      bmp(info(19_000, 19_000, 8, 1), palette, bytes(1, 1, 0, 1)),
      'jobs.too_large',
    ],
    ['64 bits', bmp(info(1, 1, 64), Buffer.alloc(0), Buffer.alloc(8)), 'jobs.unsupported_input'],
    [
      'OS/2 2.x',
      bmp(bytes(u32(16), u32(2), u32(1), u16(1), u16(24)), Buffer.alloc(0), Buffer.alloc(8)),
      'jobs.corrupt_input',
    ],
  ])('%s is refused', (_, file, code) => {
    expect(() => readBmp(file)).toThrow(expect.objectContaining({ code }))
  })
})

test.each(['BMP2', 'BMP3', 'BMP'])('reads what ImageMagick writes as %s', format => {
  const path = join(folder, 'a.bmp')
  writePnm(gradient(37, 21), join(folder, 'a.ppm'))
  tool('convert', join(folder, 'a.ppm'), `${format}:${path}`)
  expect([...pixels(readFileSync(path)).data]).toEqual([...gradient(37, 21).data])
})

test.each(onlyFull(['RLE', 'None']))(
  'reads a palette picture of ImageMagick, compression %s',
  compression => {
    const path = join(folder, 'p.bmp')
    tool(
      'convert',
      '-size',
      '50x30',
      'pattern:checkerboard',
      '-colors',
      '16',
      '-compress',
      compression,
      `BMP3:${path}`,
    )
    const { data, width } = pixels(readFileSync(path))
    const expected = decode(path)
    expect(width).toBe(50)
    expect([...data]).toEqual([...expected.data].filter((_, i) => i % 4 !== 3))
  },
)

describe('writing', () => {
  test('RGB', async () => {
    const raster = gradient(301, 260)
    await writeBmp({ ...raster, channels: 3 }, join(folder, 'w.bmp'), 300)
    expect(tool('identify', '-format', '%m %wx%h %A %x', join(folder, 'w.bmp'))).toMatch(
      /^BMP3 301x260 \w+ 118/,
    )
    const { data } = decode(join(folder, 'w.bmp'))
    expect(Buffer.from(data.filter((_, i) => i % 4 !== 3)).equals(Buffer.from(raster.data))).toBe(true)
  })

  test('RGBA', async () => {
    const data = new Uint8Array(9 * 5 * 4).map((_, i) => (i * 37) % 256)
    await writeBmp({ data, width: 9, height: 5, channels: 4 }, join(folder, 'w.bmp'))
    expect([...decode(join(folder, 'w.bmp')).data]).toEqual([...data])
    expect([...pixels(readFileSync(join(folder, 'w.bmp'))).data]).toEqual([...data])
  })
})
