import { describe, expect, test } from 'vitest'
import {
  type Box,
  background,
  bits,
  type Color,
  color,
  foreground,
  op,
  type PixelMapSpec,
  pict,
  region,
} from '../../../../../testing/pict.ts'
import { black, blue, drawn, green, painted, rect, red, white } from '../../../../../testing/pict-drawn.ts'

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
  ])('%s are reproduced exactly', async (_, spec) => {
    const { width, height, left = 0, top = 0 } = spec
    const picture = pict({ frame: [top, left, top + height, left + width] }, bits(spec))
    const image = await drawn(picture)
    expect([image.width, image.height]).toEqual([width, height])
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const value = spec.at(x, y)
        const wanted = typeof value === 'number' ? spec.colors![value]! : value
        const seen = image.at(x, y)
        // Five bits per colour are spread over the whole range.
        const exact = spec.depth === 16 ? wanted.map(v => (v & 248) | (v >> 5)) : wanted
        expect(seen, `${x},${y}`).toEqual([...exact])
      }
    }
  })

  test('an image with more pixels than points keeps them', async () => {
    const spec = direct(32, 40, {})
    const picture = pict(
      { frame: [0, 0, 3, 10] },
      bits({ ...spec, height: 12 }, { destination: [0, 0, 3, 10] }),
    )
    const { width, height, at } = await drawn(picture)
    expect([width, height]).toEqual([40, 12])
    expect(at(17, 7)).toEqual([...colorAt(17, 7)])
  })

  test('part of an image goes to the right place, its pixels as squares', async () => {
    const spec: PixelMapSpec = { width: 4, height: 4, depth: 8, colors: tints, at: (x, y) => y * 4 + x }
    const { width, at } = await painted(bits(spec, { source: [1, 1, 3, 3], destination: [4, 4, 12, 12] }))
    expect(width).toBe(20)
    expect(at(4, 4)).toEqual(tints[5])
    expect(at(7, 7)).toEqual(tints[5])
    expect(at(8, 7)).toEqual(tints[6])
    expect(at(11, 11)).toEqual(tints[10])
    expect(at(12, 12)).toEqual(white)
    expect(at(3, 4)).toEqual(white)
  })

  test('a mask region clips an image', async () => {
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
    [1, [100, 100, 50]],
    [2, [100, 50, 200]],
    [32, source],
    [33, [255, 250, 255]],
    [37, [200, 150, 250]],
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

  test('the transparent mode omits the background colour', async () => {
    const spec: PixelMapSpec = { width: 8, height: 8, depth: 8, colors: [red, green], at: x => x & 1 }
    const { at } = await drawn(
      pict({ frame: [0, 0, 8, 8] }, rect(0x31, 0, 0, 8, 8), background(green), bits(spec, { mode: 36 })),
    )
    expect([at(0, 0), at(1, 0)]).toEqual([red, black])
  })
})
