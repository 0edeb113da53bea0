import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  type Box,
  bits,
  type Color,
  fallback,
  op,
  type PixelMapSpec,
  pict,
  quickTime,
  text,
  u16,
  u32,
} from '../../../test/pict.ts'
import { black, type Drawn, drawn, green, rect, red, white } from '../../../test/pict-drawn.ts'

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

  test('embedded files: PNG, TIFF, JPEG, GIF', async () => {
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

  test('the fallback for other readers is not drawn', async () => {
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

  test('an unknown compression is named; everything else is drawn', async () => {
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
