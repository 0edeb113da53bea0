import { describe, expect, test } from 'vitest'
import { u16 } from '../../../../../testing/fixtures/numbers.ts'
import {
  type Box,
  background,
  color,
  foreground,
  op,
  type PixelMapSpec,
  pixelPattern,
  region,
} from '../../../../../testing/pict.ts'
import { black, blue, green, painted, rect, red, shapeOf, white } from '../../../../../testing/pict-drawn.ts'

describe('shapes', () => {
  test('rectangles: the pen stays inside', async () => {
    const image = await painted(op(0x07, u16(2, 3)), rect(0x30, 4, 3, 16, 17))
    const rows = shapeOf(image)
    expect(rows[3]).toBe('.'.repeat(20))
    expect(rows[4]).toBe(`...${'#'.repeat(14)}...`)
    expect(rows[5]).toBe(`...${'#'.repeat(14)}...`)
    expect(rows[6]).toBe('...###........###...')
    expect(rows[13]).toBe('...###........###...')
    expect(rows[14]).toBe(`...${'#'.repeat(14)}...`)
    expect(rows[16]).toBe('.'.repeat(20))
    // Edges are on whole pixels.
    expect([image.at(5, 20), image.at(6, 20)]).toEqual([white, black])
  })

  test('a pen without size draws nothing', async () => {
    const image = await painted(op(0x07, u16(0, 0)), rect(0x30, 0, 0, 20, 20), op(0x20, u16(0, 0, 20, 20)))
    expect(shapeOf(image).join('')).not.toContain('#')
  })

  const count = (rows: string[]) => [...rows.join('')].filter(point => point === '#').length

  test('ovals, and rounded rectangles with corners of their own', async () => {
    const oval = shapeOf(await painted(rect(0x51, 0, 0, 20, 20)))
    expect(Math.abs(count(oval) - Math.PI * 100)).toBeLessThan(12)
    expect([oval[0]![0], oval[10]![0], oval[0]![10]]).toEqual(['.', '#', '#'])
    const round = shapeOf(await painted(op(0x0b, u16(10, 10)), rect(0x41, 0, 0, 20, 20)))
    expect(Math.abs(count(round) - (400 - (100 - Math.PI * 25)))).toBeLessThan(6)
    const ring = shapeOf(await painted(op(0x07, u16(2, 2)), rect(0x50, 0, 0, 20, 20)))
    expect(Math.abs(count(ring) - Math.PI * (100 - 64))).toBeLessThan(14)
  })

  test('arcs begin at the top and go clockwise', async () => {
    const quarter = shapeOf(await painted(op(0x61, u16(0, 0, 20, 20, 0, 90))))
    expect(Math.abs(count(quarter) - Math.PI * 25)).toBeLessThan(8)
    expect([quarter[5]![12], quarter[5]![7], quarter[14]![12], quarter[14]![7]]).toEqual(['#', '.', '.', '.'])
    const back = shapeOf(await painted(op(0x61, u16(0, 0, 20, 20, 0, -90))))
    expect([back[5]![12], back[5]![7]]).toEqual(['.', '#'])
    const band = shapeOf(await painted(op(0x07, u16(3, 3)), op(0x60, u16(0, 0, 20, 20, 180, 180))))
    expect([band[10]![1], band[10]![18], band[10]![6], band[0]![10]]).toEqual(['#', '.', '.', '.'])
  })

  const polygon = (code: number, ...points: [x: number, y: number][]) =>
    op(code, u16(10 + points.length * 4, 0, 0, 20, 20, ...points.flatMap(([x, y]) => [y, x])))

  test('polygons are filled by the even-odd rule', async () => {
    const rows = shapeOf(
      await painted(
        polygon(0x71, [0, 0], [20, 0], [20, 20], [0, 20], [0, 0], [5, 5], [5, 15], [15, 15], [15, 5], [5, 5]),
      ),
    )
    expect([rows[2]![2], rows[10]![10], rows[17]![17]]).toEqual(['#', '.', '#'])
  })

  test('framed polygons and lines are hulls of the pen', async () => {
    const frame = await painted(op(0x07, u16(2, 4)), polygon(0x70, [2, 2], [12, 2], [12, 14]))
    const rows = shapeOf(frame)
    expect(rows[2]!.slice(0, 18)).toBe('..##############..')
    expect(rows[3]!.slice(0, 18)).toBe('..##############..')
    expect(rows[15]!.slice(10, 18)).toBe('..####..')
    expect(rows[16]).not.toContain('#')
    const line = shapeOf(
      await painted(
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
    const area = shapeOf(await painted(op(0x81, region(...ring))))
    expect(area[3]).toBe('..################..')
    expect(area[10]).toBe('..###..........###..')
    expect(count(area)).toBe(3 * 16 * 2 + 10 * 6)
    const frame = shapeOf(await painted(op(0x80, region(...ring))))
    expect(frame[2]).toBe('..################..')
    expect(frame[3]).toBe('..#..............#..')
    expect(frame[4]).toBe('..#.############.#..')
    expect(frame[10]).toBe('..#.#..........#.#..')
    const clipped = shapeOf(await painted(op(0x01, region(...ring)), rect(0x31, 0, 0, 20, 20)))
    expect(clipped).toEqual(area)
    const reopened = shapeOf(
      await painted(
        op(0x01, region([0, 0, 1, 1])),
        op(0x01, region([0, 0, 20, 20])),
        rect(0x31, 0, 0, 20, 20),
      ),
    )
    expect(count(reopened)).toBe(400)
  })

  test('"same" opcodes repeat the last shape of their kind', async () => {
    const image = await painted(
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

  test('the origin shifts everything after it', async () => {
    const { at } = await painted(op(0x0c, u16(-10, -5)), rect(0x31, 0, 0, 2, 2))
    expect(at(21, 11)).toEqual(black)
    expect(at(1, 1)).toEqual(white)
  })
})

describe('patterns and inversion', () => {
  const checks = Buffer.from([0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55, 0xaa, 0x55])

  test('pattern bits become points in the two colours', async () => {
    const { at } = await painted(
      foreground(red),
      background(blue),
      op(0x09, checks),
      rect(0x31, 0, 0, 20, 20),
    )
    expect([at(0, 0), at(1, 1), at(2, 0), at(2, 2), at(0, 2)]).toEqual([red, red, blue, red, blue])
  })

  test('pattern modes omit or invert', async () => {
    const under = [
      foreground(green),
      rect(0x31, 0, 0, 20, 20),
      foreground(red),
      background(blue),
      op(0x09, checks),
    ]
    const mode = async (value: number) => {
      const { at } = await painted(...under, op(0x08, u16(value)), rect(0x31, 0, 0, 20, 20))
      return [at(0, 0), at(2, 0)]
    }
    expect(await mode(8)).toEqual([red, blue])
    expect(await mode(9)).toEqual([red, green])
    expect(await mode(10)).toEqual([[255, 0, 255], green])
    expect(await mode(11)).toEqual([blue, green])
    expect(await mode(12)).toEqual([blue, red])
    expect(await mode(13)).toEqual([green, red])
  })

  test('fill and erase have their own patterns', async () => {
    const fill = await painted(foreground(red), background(blue), op(0x0a, checks), rect(0x34, 0, 0, 20, 20))
    expect([fill.at(0, 0), fill.at(2, 0)]).toEqual([red, blue])
    const erase = await painted(rect(0x31, 0, 0, 20, 20), background(blue), rect(0x32, 0, 0, 20, 10))
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
    const pixels = await painted(op(0x13, pixelPattern(tile)), rect(0x31, 0, 0, 20, 20))
    expect([pixels.at(0, 0), pixels.at(2, 0), pixels.at(4, 0), pixels.at(16, 0)]).toEqual([
      red,
      green,
      blue,
      red,
    ])
    const flat = await painted(op(0x14, u16(2), checks, color([10, 200, 30])), rect(0x34, 0, 0, 20, 20))
    expect(flat.at(9, 9)).toEqual([10, 200, 30])
  })

  test('inversion inverts colours', async () => {
    const { at } = await painted(
      foreground(red),
      rect(0x31, 0, 0, 10, 10),
      op(0x1d, color([1, 2, 3])),
      rect(0x33, 0, 0, 20, 5),
      op(0x1c),
    )
    expect([at(2, 2), at(2, 30)]).toEqual([[0, 255, 255], black])
    expect([at(16, 2), at(30, 2)]).toEqual([red, white])
  })
})
