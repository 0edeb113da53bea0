import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { JobFailure } from '../../errors.ts'
import { render } from '../../messages/render.ts'
import { malformed } from '../../test/malformed.ts'
import {
  type Box,
  background,
  bits,
  type Color,
  color,
  fallback,
  foreground,
  op,
  type PixelMapSpec,
  pict,
  pixelPattern,
  quickTime,
  region,
  text,
  u16,
  u32,
} from '../../test/pict.ts'
import { Budget } from './budget.ts'
import { readPict } from './index.ts'

const black: Color = [0, 0, 0]
const white: Color = [255, 255, 255]
const red: Color = [255, 0, 0]
const green: Color = [0, 255, 0]
const blue: Color = [0, 0, 255]

interface Drawn {
  width: number
  height: number
  /** Colour of a pixel. */
  at(x: number, y: number): number[]
  warnings: string[]
}

async function drawn(bytes: Buffer): Promise<Drawn> {
  const warnings: string[] = []
  const { data, width, height, channels } = await readPict(bytes, warning => warnings.push(render(warning)))
  expect(channels).toBe(3)
  expect(data.length).toBe(width * height * 3)
  return {
    width,
    height,
    at: (x, y) => [...data.slice((y * width + x) * 3, (y * width + x) * 3 + 3)],
    warnings,
  }
}

/** A picture of 20 × 20 points drawn at two pixels to a point. */
const drawing = (...opcodes: Buffer[]) => drawn(pict({ frame: [0, 0, 20, 20] }, ...opcodes))
const rect = (code: number, ...box: Box) => op(code, u16(...box))

/** The picture point by point (not pixel by pixel), dark ones as `#`, as rows of a string. */
function shapeOf({ at, width, height }: Drawn): string[] {
  const points: string[] = []
  for (let y = 1; y < height; y += 2) {
    let row = ''
    for (let x = 1; x < width; x += 2) row += at(x, y)[0]! < 128 ? '#' : '.'
    points.push(row)
  }
  return points
}

describe('files', () => {
  const paint = Buffer.concat([foreground(red), rect(0x31, 0, 0, 10, 10)])

  test.each([512, 0, 640])('the picture begins after %i bytes', async lead => {
    const { width, at } = await drawn(pict({ frame: [0, 0, 10, 20], lead }, paint))
    expect(width).toBe(40)
    expect(at(3, 3)).toEqual(red)
    expect(at(30, 3)).toEqual(white)
  })

  test('version 1 has opcodes of one byte', async () => {
    const opcodes = [
      Buffer.from([0x0e]),
      u32(409),
      Buffer.from([0xa0]),
      u16(130),
      Buffer.from([0x31]),
      u16(2, 2, 8, 8),
      Buffer.from([0xa1]),
      u16(100, 3),
      Buffer.from('abc'),
      Buffer.from([0x38]),
    ]
    const { at } = await drawn(pict({ frame: [0, 0, 10, 10], version: 1 }, ...opcodes))
    expect(at(10, 10)).toEqual([0, 0, 211])
    expect(at(2, 2)).toEqual(white)
  })

  test('extended pictures are shown at their own resolution', async () => {
    const extended = { dpi: 288, source: [100, 200, 140, 280] as Box }
    const picture = pict({ frame: [0, 0, 10, 20], extended }, foreground(red), rect(0x51, 100, 200, 140, 240))
    const { width, height, at } = await drawn(picture)
    expect([width, height]).toEqual([80, 40])
    expect(at(20, 20)).toEqual(red)
    expect(at(1, 1)).toEqual(white)
  })

  test('one that breaks off between two opcodes is drawn, and that is said', async () => {
    const whole = pict({ frame: [0, 0, 20, 20] }, rect(0x31, 0, 0, 5, 5))
    expect((await drawn(whole)).warnings).toEqual([])
    const { at, warnings } = await drawn(whole.subarray(0, -2))
    expect(at(1, 1)).toEqual(black)
    expect(warnings).toEqual([expect.stringContaining('ends before its picture')])
  })

  test('opcodes nobody uses are moved over', async () => {
    const frames = (i: number) => rect(0x31, i, 0, i + 1, 1)
    const reserved = [
      op(0x24, u16(3), Buffer.from([1, 2, 3])),
      op(0x35, u16(1, 2, 3, 4)),
      op(0x3d),
      op(0x65, u16(1, 2, 3, 4, 5, 6)),
      op(0x6d, u16(1, 2)),
      op(0x75, u16(10, 1, 2, 3, 4)),
      op(0x92, u16(4), u32(1)),
      op(0xa2, u16(2), u16(7)),
      op(0xb0),
      op(0xd0, u32(6), Buffer.alloc(6)),
      op(0x0305, Buffer.alloc(6)),
      op(0x7fff, Buffer.alloc(254)),
      op(0x8037),
      op(0x9876, u32(5), Buffer.alloc(5)),
    ]
    const { at } = await drawing(...reserved.flatMap((opcode, i) => [opcode, frames(i)]))
    for (let i = 0; i < reserved.length; i++) expect(at(1, i * 2 + 1)).toEqual(black)
    expect(at(1, reserved.length * 2 + 1)).toEqual(white)
  })
})

describe('pixel maps', () => {
  const tints: Color[] = Array.from({ length: 256 }, (_, i) => [i, (i * 7) & 255, 255 - i])
  const colorAt = (x: number, y: number): Color => [(x * 8) & 248, (y * 16) & 248, ((x + y) * 24) & 248]
  const indexAt = (depth: number) => (x: number, y: number) =>
    (y % 3 === 0 ? 1 : x * 3 + y) & (2 ** depth - 1)
  const indexed = (depth: 1 | 2 | 4 | 8, width: number, packed = true): PixelMapSpec => ({
    width,
    height: 9,
    depth,
    packed,
    colors: tints.slice(0, 2 ** depth),
    at: indexAt(depth),
  })
  const direct = (depth: 16 | 32, width: number, more: Partial<PixelMapSpec>): PixelMapSpec => ({
    width,
    height: 9,
    depth,
    at: colorAt,
    ...more,
  })

  test.each<[string, PixelMapSpec]>([
    ['1 bit', indexed(1, 70)],
    ['1 bit, rows not packed', indexed(1, 70, false)],
    ['2 bits', indexed(2, 70)],
    ['4 bits', indexed(4, 70)],
    ['4 bits, short rows', indexed(4, 10)],
    ['8 bits', indexed(8, 70)],
    ['8 bits, long rows', indexed(8, 301)],
    ['8 bits, rows not packed', indexed(8, 301, false)],
    ['16 bits', direct(16, 70, { packType: 3 })],
    ['16 bits by default', direct(16, 200, {})],
    ['16 bits, not packed', direct(16, 70, { packType: 1 })],
    ['32 bits', direct(32, 70, { packType: 4 })],
    ['32 bits of four components', direct(32, 70, { packType: 4, components: 4 })],
    ['32 bits by default, somewhere else', direct(32, 70, { left: 30, top: -5 })],
    ['32 bits, not packed', direct(32, 70, { packType: 1 })],
    ['32 bits without the pad byte', direct(32, 70, { packType: 2 })],
    ['32 bits, one pixel', direct(32, 1, {})],
  ])('%s come out exactly', async (_, spec) => {
    const { width, height, left = 0, top = 0 } = spec
    const picture = pict({ frame: [top, left, top + height, left + width] }, bits(spec))
    const image = await drawn(picture)
    expect([image.width, image.height]).toEqual([width, height])
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const value = spec.at(x, y)
        const wanted = typeof value === 'number' ? spec.colors![value]! : value
        const seen = image.at(x, y)
        // Five bits a colour are spread over the whole range.
        const exact = spec.depth === 16 ? wanted.map(v => (v & 248) | (v >> 5)) : wanted
        expect(seen, `${x},${y}`).toEqual([...exact])
      }
    }
  })

  test('an image of more pixels than points keeps them', async () => {
    const spec = direct(32, 40, {})
    const picture = pict(
      { frame: [0, 0, 3, 10] },
      bits({ ...spec, height: 12 }, { destination: [0, 0, 3, 10] }),
    )
    const { width, height, at } = await drawn(picture)
    expect([width, height]).toEqual([40, 12])
    expect(at(17, 7)).toEqual([...colorAt(17, 7)])
  })

  test('part of an image goes where it should, its pixels as squares', async () => {
    const spec: PixelMapSpec = { width: 4, height: 4, depth: 8, colors: tints, at: (x, y) => y * 4 + x }
    const { width, at } = await drawing(bits(spec, { source: [1, 1, 3, 3], destination: [4, 4, 12, 12] }))
    expect(width).toBe(20)
    expect(at(4, 4)).toEqual(tints[5])
    expect(at(7, 7)).toEqual(tints[5])
    expect(at(8, 7)).toEqual(tints[6])
    expect(at(11, 11)).toEqual(tints[10])
    expect(at(12, 12)).toEqual(white)
    expect(at(3, 4)).toEqual(white)
  })

  test('a mask region cuts an image', async () => {
    const mask = region([0, 0, 4, 8], [4, 4, 8, 8])
    const spec: PixelMapSpec = { width: 8, height: 8, depth: 8, colors: [red], at: () => 0 }
    const { at } = await drawn(pict({ frame: [0, 0, 8, 8] }, bits(spec, { mask })))
    expect(at(1, 3)).toEqual(red)
    expect(at(1, 4)).toEqual(white)
    expect(at(4, 4)).toEqual(red)
  })

  // Black and white stripes over a red and a green half, drawn with a blue foreground and a yellow background.
  const yellow: Color = [255, 255, 0]
  const stripes: PixelMapSpec = { width: 16, height: 4, depth: 1, at: x => x & 1 }
  const halves = [foreground(red), rect(0x31, 0, 0, 4, 8), foreground(green), rect(0x31, 0, 8, 4, 16)]
  test.each<[number, string, Color, Color, Color, Color]>([
    // mode, name, set on red, clear on red, set on green, clear on green
    [0, 'srcCopy', blue, yellow, blue, yellow],
    [1, 'srcOr', blue, red, blue, green],
    [2, 'srcXor', [0, 255, 255], red, [255, 0, 255], green],
    [3, 'srcBic', yellow, red, yellow, green],
    [4, 'notSrcCopy', yellow, blue, yellow, blue],
    [5, 'notSrcOr', red, blue, green, blue],
    [6, 'notSrcXor', red, [0, 255, 255], green, [255, 0, 255]],
    [7, 'notSrcBic', red, yellow, green, yellow],
    [36, 'transparent', blue, red, blue, green],
  ])('bitmaps in mode %i (%s)', async (mode, _, setRed, clearRed, setGreen, clearGreen) => {
    const frame: Box = [0, 0, 4, 16]
    const { at } = await drawn(
      pict({ frame }, ...halves, foreground(blue), background(yellow), bits(stripes, { mode })),
    )
    expect([at(1, 1), at(2, 1), at(9, 1), at(10, 1)]).toEqual([setRed, clearRed, setGreen, clearGreen])
  })

  const source: Color = [200, 100, 50]
  const ground: Color = [100, 150, 250]
  test.each<[number, Color]>([
    [0, source],
    [64, source],
    [1, [200 & 100, 100 & 150, 50 & 250]],
    [2, [255 - (200 ^ 100), 255 - (100 ^ 150), 255 - (50 ^ 250)]],
    [3, [55 | 100, 155 | 150, 205 | 250]],
    [4, [55, 155, 205]],
    [7, [200 | 100, 100 | 150, 50 | 250]],
    [32, [150, 125, 150]],
    [33, [128, 128, 128]],
    [34, [44, 250, 44]],
    [35, [128, 128, 200]],
    [37, [200, 150, 250]],
    [38, [156, 50, 200]],
    [39, [100, 100, 50]],
  ])('colours in transfer mode %i', async (mode, wanted) => {
    const spec: PixelMapSpec = { width: 8, height: 8, depth: 8, colors: [source], at: () => 0 }
    const { at } = await drawn(
      pict(
        { frame: [0, 0, 8, 8] },
        foreground(ground),
        rect(0x31, 0, 0, 8, 8),
        foreground(black),
        op(0x1f, color([128, 128, 128])),
        bits(spec, { mode }),
      ),
    )
    for (const [i, value] of at(4, 4).entries()) expect(Math.abs(value - wanted[i]!)).toBeLessThanOrEqual(1)
  })

  test('the transparent mode leaves the background colour out', async () => {
    const spec: PixelMapSpec = { width: 8, height: 8, depth: 8, colors: [red, green], at: x => x & 1 }
    const { at } = await drawn(
      pict({ frame: [0, 0, 8, 8] }, rect(0x31, 0, 0, 8, 8), background(green), bits(spec, { mode: 36 })),
    )
    expect([at(0, 0), at(1, 0)]).toEqual([red, black])
  })
})

describe('shapes', () => {
  test('rectangles: the pen hangs inside', async () => {
    const image = await drawing(op(0x07, u16(2, 3)), rect(0x30, 4, 3, 16, 17))
    const rows = shapeOf(image)
    expect(rows[3]).toBe('.'.repeat(20))
    expect(rows[4]).toBe(`...${'#'.repeat(14)}...`)
    expect(rows[5]).toBe(`...${'#'.repeat(14)}...`)
    expect(rows[6]).toBe('...###........###...')
    expect(rows[13]).toBe('...###........###...')
    expect(rows[14]).toBe(`...${'#'.repeat(14)}...`)
    expect(rows[16]).toBe('.'.repeat(20))
    // Edges lie on whole pixels.
    expect([image.at(5, 20), image.at(6, 20)]).toEqual([white, black])
  })

  test('a pen without size draws nothing', async () => {
    const image = await drawing(op(0x07, u16(0, 0)), rect(0x30, 0, 0, 20, 20), op(0x20, u16(0, 0, 20, 20)))
    expect(shapeOf(image).join('')).not.toContain('#')
  })

  const count = (rows: string[]) => [...rows.join('')].filter(point => point === '#').length

  test('ovals, and rounded rectangles with corners of their own', async () => {
    const oval = shapeOf(await drawing(rect(0x51, 0, 0, 20, 20)))
    expect(Math.abs(count(oval) - Math.PI * 100)).toBeLessThan(12)
    expect([oval[0]![0], oval[10]![0], oval[0]![10]]).toEqual(['.', '#', '#'])
    const round = shapeOf(await drawing(op(0x0b, u16(10, 10)), rect(0x41, 0, 0, 20, 20)))
    expect(Math.abs(count(round) - (400 - (100 - Math.PI * 25)))).toBeLessThan(6)
    const ring = shapeOf(await drawing(op(0x07, u16(2, 2)), rect(0x50, 0, 0, 20, 20)))
    expect(Math.abs(count(ring) - Math.PI * (100 - 64))).toBeLessThan(14)
  })

  test('arcs begin at the top and go clockwise', async () => {
    const quarter = shapeOf(await drawing(op(0x61, u16(0, 0, 20, 20, 0, 90))))
    expect(Math.abs(count(quarter) - Math.PI * 25)).toBeLessThan(8)
    expect([quarter[5]![12], quarter[5]![7], quarter[14]![12], quarter[14]![7]]).toEqual(['#', '.', '.', '.'])
    const back = shapeOf(await drawing(op(0x61, u16(0, 0, 20, 20, 0, -90))))
    expect([back[5]![12], back[5]![7]]).toEqual(['.', '#'])
    const band = shapeOf(await drawing(op(0x07, u16(3, 3)), op(0x60, u16(0, 0, 20, 20, 180, 180))))
    expect([band[10]![1], band[10]![18], band[10]![6], band[0]![10]]).toEqual(['#', '.', '.', '.'])
  })

  const polygon = (code: number, ...points: [x: number, y: number][]) =>
    op(code, u16(10 + points.length * 4, 0, 0, 20, 20, ...points.flatMap(([x, y]) => [y, x])))

  test('polygons fill where an odd number of their lines surrounds', async () => {
    const rows = shapeOf(
      await drawing(
        polygon(0x71, [0, 0], [20, 0], [20, 20], [0, 20], [0, 0], [5, 5], [5, 15], [15, 15], [15, 5], [5, 5]),
      ),
    )
    expect([rows[2]![2], rows[10]![10], rows[17]![17]]).toEqual(['#', '.', '#'])
  })

  test('framed polygons and lines are hulls of the pen', async () => {
    const frame = await drawing(op(0x07, u16(2, 4)), polygon(0x70, [2, 2], [12, 2], [12, 14]))
    const rows = shapeOf(frame)
    expect(rows[2]!.slice(0, 18)).toBe('..##############..')
    expect(rows[3]!.slice(0, 18)).toBe('..##############..')
    expect(rows[15]!.slice(10, 18)).toBe('..####..')
    expect(rows[16]).not.toContain('#')
    const line = shapeOf(
      await drawing(
        op(0x20, u16(10, 2, 10, 8)),
        op(0x21, u16(15, 8)),
        op(0x23, Buffer.from([5, 0])),
        op(0x22, u16(1, 1), Buffer.from([2, 0])),
      ),
    )
    expect(line[10]!.slice(0, 12)).toBe('..#######...')
    expect(line[15]!.slice(7, 15)).toBe('.######.')
    expect(line[1]!.slice(0, 6)).toBe('.###..')
  })

  test('regions: areas, holes, frames, clips', async () => {
    const ring: Box[] = [
      [2, 2, 5, 18],
      [5, 2, 15, 5],
      [5, 15, 15, 18],
      [15, 2, 18, 18],
    ]
    const area = shapeOf(await drawing(op(0x81, region(...ring))))
    expect(area[3]).toBe('..################..')
    expect(area[10]).toBe('..###..........###..')
    expect(count(area)).toBe(3 * 16 * 2 + 10 * 6)
    const frame = shapeOf(await drawing(op(0x80, region(...ring))))
    expect(frame[2]).toBe('..################..')
    expect(frame[3]).toBe('..#..............#..')
    expect(frame[4]).toBe('..#.############.#..')
    expect(frame[10]).toBe('..#.#..........#.#..')
    const clipped = shapeOf(await drawing(op(0x01, region(...ring)), rect(0x31, 0, 0, 20, 20)))
    expect(clipped).toEqual(area)
    const reopened = shapeOf(
      await drawing(
        op(0x01, region([0, 0, 1, 1])),
        op(0x01, region([0, 0, 20, 20])),
        rect(0x31, 0, 0, 20, 20),
      ),
    )
    expect(count(reopened)).toBe(400)
  })

  test('"same" opcodes repeat the last shape of their kind', async () => {
    const image = await drawing(
      foreground(red),
      rect(0x31, 0, 0, 5, 5),
      rect(0x51, 10, 10, 20, 20),
      foreground(blue),
      op(0x39),
      op(0x68 + 1, u16(0, 360)),
    )
    expect(image.at(4, 4)).toEqual(blue)
    expect(image.at(30, 30)).toEqual(red)
  })

  test('the origin moves what follows', async () => {
    const { at } = await drawing(op(0x0c, u16(-10, -5)), rect(0x31, 0, 0, 2, 2))
    expect(at(21, 11)).toEqual(black)
    expect(at(1, 1)).toEqual(white)
  })
})

describe('patterns and inversion', () => {
  const checks = Buffer.from([0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55])

  test('bits of the pattern are points in the two colours', async () => {
    const { at } = await drawing(
      foreground(red),
      background(blue),
      op(0x09, checks),
      rect(0x31, 0, 0, 20, 20),
    )
    expect([at(0, 0), at(1, 1), at(2, 0), at(2, 2), at(0, 2)]).toEqual([red, red, blue, red, blue])
  })

  test('pattern modes leave out, invert or turn round', async () => {
    const under = [
      foreground(green),
      rect(0x31, 0, 0, 20, 20),
      foreground(red),
      background(blue),
      op(0x09, checks),
    ]
    const mode = async (value: number) => {
      const { at } = await drawing(...under, op(0x08, u16(value)), rect(0x31, 0, 0, 20, 20))
      return [at(0, 0), at(2, 0)]
    }
    expect(await mode(8)).toEqual([red, blue])
    expect(await mode(9)).toEqual([red, green])
    expect(await mode(10)).toEqual([[255, 0, 255], green])
    expect(await mode(11)).toEqual([blue, green])
    expect(await mode(12)).toEqual([blue, red])
    expect(await mode(13)).toEqual([green, red])
  })

  test('fill and erase have patterns of their own', async () => {
    const fill = await drawing(foreground(red), background(blue), op(0x0a, checks), rect(0x34, 0, 0, 20, 20))
    expect([fill.at(0, 0), fill.at(2, 0)]).toEqual([red, blue])
    const erase = await drawing(rect(0x31, 0, 0, 20, 20), background(blue), rect(0x32, 0, 0, 20, 10))
    expect([erase.at(0, 0), erase.at(30, 0)]).toEqual([blue, black])
  })

  test('patterns of pixels and of a colour', async () => {
    const tile: PixelMapSpec = {
      width: 8,
      height: 8,
      depth: 8,
      colors: [red, green, blue],
      at: (x, y) => (x + y) % 3,
    }
    const pixels = await drawing(op(0x13, pixelPattern(tile)), rect(0x31, 0, 0, 20, 20))
    expect([pixels.at(0, 0), pixels.at(2, 0), pixels.at(4, 0), pixels.at(16, 0)]).toEqual([
      red,
      green,
      blue,
      red,
    ])
    const flat = await drawing(op(0x14, u16(2), checks, color([10, 200, 30])), rect(0x34, 0, 0, 20, 20))
    expect(flat.at(9, 9)).toEqual([10, 200, 30])
  })

  test('inversion turns colours round, highlighting exchanges two', async () => {
    const { at } = await drawing(
      foreground(red),
      rect(0x31, 0, 0, 10, 10),
      op(0x1d, color([1, 2, 3])),
      rect(0x33, 0, 0, 20, 5),
      op(0x1c),
      rect(0x33, 0, 5, 20, 20),
    )
    expect([at(2, 2), at(2, 30)]).toEqual([[0, 255, 255], black])
    expect([at(16, 2), at(30, 2)]).toEqual([red, [1, 2, 3]])
  })
})

describe('text', () => {
  /** Points a text covers: how many, how far right. */
  async function inked(
    ...opcodes: Buffer[]
  ): Promise<{ points: number; right: number; bottom: number; top: number }> {
    const image = await drawn(pict({ frame: [0, 0, 60, 300] }, ...opcodes, text(10, 40, 'Hamburg, iiii')))
    const found = { points: 0, right: 0, bottom: 0, top: 999 }
    for (let y = 0; y < image.height; y++) {
      for (let x = 0; x < image.width; x++) {
        if (image.at(x, y)[0]! > 128) continue
        found.points++
        found.right = Math.max(found.right, x)
        found.top = Math.min(found.top, y)
        found.bottom = Math.max(found.bottom, y)
      }
    }
    return found
  }
  const size = (points: number) => op(0x0d, u16(points))
  const font = (number: number) => op(0x03, u16(number))
  const face = (bits_: number) => op(0x04, Buffer.from([bits_]))

  test('stands on its baseline, as large as asked', async () => {
    const small = await inked(font(21), size(12))
    const large = await inked(font(21), size(24))
    // Capitals of Helvetica are 0.72 of the size; at two pixels to a point.
    expect(Math.abs(80 - small.top - 0.72 * 24)).toBeLessThan(3)
    expect(Math.abs(80 - large.top - 0.72 * 48)).toBeLessThan(4)
    expect(large.right - 20).toBeGreaterThan(1.8 * (small.right - 20))
  })

  test('fonts, by number and by name, and faces differ as they should', async () => {
    const sans = await inked(font(21), size(18))
    const mono = await inked(font(22), size(18))
    const serif = await inked(font(20), size(18))
    expect(mono.right).toBeGreaterThan(sans.right + 20)
    expect(serif.right).toBeLessThan(sans.right)
    const name = (value: string) =>
      op(0x2c, u16(3 + value.length, 777), Buffer.from([value.length]), Buffer.from(value))
    expect(await inked(name('Courier'), font(777), size(18))).toEqual(mono)
    expect(await inked(name('Palatino'), size(18))).toEqual(serif)
    expect((await inked(font(21), size(18), face(1))).points).toBeGreaterThan(sans.points * 1.15)
    expect((await inked(font(21), size(18), face(4))).points).toBeGreaterThan(sans.points + 100)
    expect((await inked(font(21), size(18), face(64))).right).toBeGreaterThan(sans.right + 10)
    expect((await inked(font(0), size(18))).points).toBeGreaterThan(sans.points * 1.1)
  })

  test('a ratio scales it, each way by itself', async () => {
    const plain = await inked(font(21), size(12))
    const wide = await inked(font(21), size(12), op(0x10, u16(1, 2, 1, 1)))
    expect(Math.abs(wide.right - 20 - 2 * (plain.right - 20))).toBeLessThan(6)
    expect(wide.top).toBe(plain.top)
  })

  test('continues relative to the text before', async () => {
    const { at } = await drawn(
      pict(
        { frame: [0, 0, 60, 100] },
        size(20),
        foreground(red),
        text(0, 20, '.'),
        op(0x2b, Buffer.from([40, 30, 1]), Buffer.from('.')),
      ),
    )
    const ink = (x0: number, y0: number) => {
      for (let y = y0; y < y0 + 12; y++)
        for (let x = x0; x < x0 + 20; x++) if (at(x, y)[1]! < 100) return true
      return false
    }
    expect([ink(0, 29), ink(80, 89), ink(80, 29)]).toEqual([true, true, false])
  })
})

describe('QuickTime images', () => {
  const SIZE = 16
  const frame: Box = [0, 0, SIZE, SIZE]
  const value = (x: number, y: number): Color => [x * 16, y * 16, 128]
  const rgb = Buffer.from(
    Array.from({ length: SIZE * SIZE }, (_, i) => value(i % SIZE, Math.floor(i / SIZE))).flat(),
  )
  const raw = { raw: { width: SIZE, height: SIZE, channels: 3 as const } }
  const image = (codec: string, data: Uint8Array, depth = 24, more = {}) =>
    quickTime({ codec, width: SIZE, height: SIZE, depth, data, ...more })
  const show = (...opcodes: Buffer[]) => drawn(pict({ frame }, ...opcodes))

  async function expectGradient(found: Drawn, tolerance: number): Promise<void> {
    expect([found.width, found.height]).toEqual([SIZE, SIZE])
    for (const [x, y] of [
      [0, 0],
      [15, 0],
      [0, 15],
      [9, 4],
      [15, 15],
    ] as const) {
      for (const [part, seen] of found.at(x, y).entries()) {
        expect(Math.abs(seen - value(x, y)[part]!)).toBeLessThanOrEqual(tolerance)
      }
    }
  }

  test('uncompressed, of every depth', async () => {
    await expectGradient(await show(image('raw ', rgb)), 0)
    const wide = Buffer.alloc(SIZE * SIZE * 4)
    const five = Buffer.alloc(SIZE * SIZE * 2)
    for (let i = 0; i < SIZE * SIZE; i++) {
      const [r, g, b] = value(i % SIZE, Math.floor(i / SIZE))
      wide.set([255, r, g, b], i * 4)
      five.writeUInt16BE(((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3), i * 2)
    }
    await expectGradient(await show(image('raw ', wide, 32)), 0)
    await expectGradient(await show(image('raw ', five, 16)), 8)
    const grey = await show(image('raw ', Buffer.alloc(SIZE * SIZE, 55), 40))
    expect(grey.at(3, 3)).toEqual([200, 200, 200])
    const colors: Color[] = [red, green]
    const table = await show(image('raw ', Buffer.alloc(SIZE * SIZE, 1), 8, { colors }))
    expect(table.at(3, 3)).toEqual(green)
    const standard = await show(image('raw ', Buffer.alloc(SIZE * SIZE, 35), 8))
    expect(standard.at(3, 3)).toEqual([255, 0, 0])
  })

  test('files inside: PNG, TIFF, JPEG, GIF', async () => {
    const source = () => sharp(rgb, raw)
    await expectGradient(await show(image('png ', await source().png().toBuffer())), 0)
    await expectGradient(
      await show(image('tiff', await source().tiff({ compression: 'none' }).toBuffer())),
      0,
    )
    await expectGradient(
      await show(image('jpeg', await source().jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer())),
      6,
    )
    await expectGradient(await show(image('gif ', await source().gif({ dither: 0 }).toBuffer())), 12)
  })

  test('Windows bitmaps: bottom row first, blue first, or packed', async () => {
    const rows = Array.from({ length: SIZE }, (_, y) =>
      Buffer.from(Array.from({ length: SIZE }, (_unused, x) => value(x, y).toReversed()).flat()),
    )
    await expectGradient(await show(image('WRLE', Buffer.concat(rows.reverse()))), 0)
    const packed = Buffer.from([SIZE, 1, 0, 0, 0, 3, 0, 1, 0, 0, 13, 1, 0, 0, 0, 1])
    const found = await show(image('WRLE', packed, 8, { colors: [red, green] }))
    expect([found.at(15, 15), found.at(0, 14), found.at(1, 14), found.at(5, 14), found.at(0, 0)]).toEqual([
      green,
      red,
      green,
      green,
      red,
    ])
  })

  test('Animation: runs, copies and skips', async () => {
    const lines: number[] = []
    for (let y = 0; y < SIZE; y++) {
      // One pixel copied, one skipped, the rest one colour.
      lines.push(1, 1, 9, y, 7, 0, 2, 256 - (SIZE - 2), 200, 100, 50, 255)
    }
    const data = Buffer.concat([u32(lines.length + 6), u16(0), Buffer.from(lines)])
    const { at } = await show(image('rle ', data))
    expect([at(0, 3), at(1, 3), at(2, 3), at(15, 15)]).toEqual([
      [9, 3, 7],
      [0, 0, 0],
      [200, 100, 50],
      [200, 100, 50],
    ])
    const few = Buffer.concat([u32(20), u16(8, 2, 0, 1, 0), Buffer.from([1, 256 - 4, 1, 1, 1, 1, 255])])
    const eight = await show(image('rle ', few, 8, { colors: [red, green] }))
    expect([eight.at(0, 2), eight.at(15, 2), eight.at(0, 3)]).toEqual([green, green, red])
    const one = Buffer.concat([
      u32(12),
      u16(0),
      Buffer.from([0x80, 1, 0xff, 0x00, 0x80, 255, 0x0f, 0xf0, 0, 0]),
    ])
    const bit = await show(image('rle ', one, 1))
    expect([bit.at(0, 0), bit.at(8, 0), bit.at(0, 1), bit.at(4, 1), bit.at(12, 1)]).toEqual([
      black,
      white,
      white,
      black,
      white,
    ])
  })

  test('the stand-in for others is not drawn', async () => {
    const marked = await show(
      image('raw ', rgb),
      fallback(text(0, 10, 'QuickTime needed'), op(0x31, u16(...frame))),
    )
    await expectGradient(marked, 0)
    const icon: PixelMapSpec = { width: 4, height: 4, depth: 1, at: () => 1 }
    await expectGradient(await show(image('raw ', rgb), bits(icon, { destination: frame })), 0)
    const other = await show(image('raw ', rgb), bits(icon, { destination: [0, 0, 4, 4] }))
    expect([other.at(0, 0), other.at(9, 4)]).toEqual([black, [...value(9, 4)]])
  })

  test('its matrix moves and scales it', async () => {
    const { width, at } = await drawn(
      pict(
        { frame: [0, 0, 40, 40] },
        quickTime({ codec: 'raw ', width: SIZE, height: SIZE, depth: 24, data: rgb, x: 4, y: 6, scale: 2 }),
      ),
    )
    expect(width).toBe(40)
    expect([at(4, 6), at(4 + 18, 6 + 8), at(3, 6), at(37, 37)]).toEqual([
      [...value(0, 0)],
      [...value(9, 4)],
      white,
      white,
    ])
  })

  test('an unknown compression is named; other drawing is kept', async () => {
    const cinepak = image('cvid', Buffer.alloc(50))
    await expect(show(cinepak, fallback(text(0, 10, 'needed')))).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      detail: expect.stringContaining('cvid'),
    })
    const kept = await show(cinepak, rect(0x31, 0, 0, 4, 4))
    expect(kept.warnings).toHaveLength(1)
    await expect(show(image('png ', Buffer.alloc(50)))).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })

  test('uncompressed QuickTime wraps bits', async () => {
    const spec: PixelMapSpec = { width: 8, height: 8, depth: 8, colors: [red], at: () => 0 }
    const matrix = Buffer.concat([u32(65536, 0, 0, 0, 65536, 0, 4 * 65536, 0, 1 << 30)])
    const record = Buffer.concat([u16(0), matrix, u32(0), u16(0, 0, 0, 0), bits(spec)])
    const { at } = await show(op(0x8201, u32(record.length), record))
    expect([at(3, 3), at(4, 3), at(11, 7), at(12, 3)]).toEqual([white, red, red, white])
  })
})

describe('hostile pictures', () => {
  const attempt = async (bytes: Buffer): Promise<string> => {
    try {
      await readPict(bytes)
      return 'drawn'
    } catch (error) {
      if (error instanceof JobFailure) return error.code
      throw error
    }
  }

  test('no picture, an empty one, one without a size, one too large', async () => {
    expect(await attempt(Buffer.alloc(2000))).toBe('jobs.corrupt_input')
    expect(await attempt(Buffer.alloc(0))).toBe('jobs.corrupt_input')
    expect(await attempt(pict({ frame: [0, 0, 10, 10] }))).toBe('jobs.corrupt_input')
    expect(await attempt(pict({ frame: [0, 0, 0, 10] }, rect(0x31, 0, 0, 5, 5)))).toBe('jobs.corrupt_input')
    expect(await attempt(pict({ frame: [-32768, -32768, 32767, 32767] }, rect(0x31, 0, 0, 5, 5)))).toBe(
      'jobs.too_large',
    )
  })

  test('a frame that is large in name only takes little memory', async () => {
    const { width, height } = await drawn(
      pict({ frame: [0, 0, 18_000, 18_000] }, rect(0x31, 0, 0, 9000, 9000)),
    )
    expect(width * height).toBeLessThanOrEqual(64_100_000)
  })

  test('an image of billions of pixels in few bytes', async () => {
    const spec: PixelMapSpec = { width: 8, height: 4, depth: 8, colors: [red], at: () => 0 }
    const bytes = pict({ frame: [0, 0, 10, 10] }, bits({ ...spec, width: 300 }))
    const at = bytes.indexOf(u16(0, 0, 4, 300))
    for (const [height, width] of [
      [32767, 16_000],
      [4, 32767],
      [-4, 300],
    ] as const) {
      const changed = Buffer.from(bytes)
      u16(0, 0, height, width).copy(changed, at)
      expect(['jobs.corrupt_input', 'jobs.too_large']).toContain(await attempt(changed))
    }
  })

  test('what is painted over and over ends some time', () => {
    const budget = new Budget(1000)
    budget.spend(999)
    expect(() => budget.spend(2)).toThrow(expect.objectContaining({ code: 'jobs.too_large' }))
  })

  test('damage fails cleanly or is drawn over', async () => {
    const spec: PixelMapSpec = {
      width: 60,
      height: 40,
      depth: 8,
      colors: [red, green, blue],
      at: (x, y) => (x * y) % 3,
    }
    const bytes = pict(
      { frame: [0, 0, 60, 60] },
      op(0x01, region([0, 0, 30, 60], [30, 5, 60, 40])),
      bits(spec, { mask: region([0, 0, 20, 20], [20, 10, 40, 50]) }),
      bits({ width: 30, height: 20, depth: 32, at: (x, y) => [x, y, 9] }),
      op(0x13, pixelPattern({ ...spec, width: 8, height: 8 })),
      op(0x71, u16(22, 0, 0, 50, 50, 0, 0, 50, 0, 50, 50)),
      text(5, 20, 'Some text'),
      op(0x60, u16(0, 0, 20, 20, 0, 90)),
      quickTime({ codec: 'raw ', width: 8, height: 8, depth: 24, data: Buffer.alloc(192) }),
    )
    expect(await attempt(bytes)).toBe('drawn')
    const outcomes: string[] = []
    for (const { bytes: damaged } of malformed(bytes, 100)) outcomes.push(await attempt(damaged))
    expect(outcomes.slice(0, 3)).toEqual(Array(3).fill('jobs.corrupt_input'))
    expect(outcomes).toContain('drawn')
  })
})
