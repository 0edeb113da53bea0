import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { u16 } from '../../../../../testing/fixtures/numbers.ts'
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
} from '../../../../../testing/pict.ts'
import { black, type Drawn, drawn, rect, white } from '../../../../../testing/pict-drawn.ts'

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

  const png = () => sharp(rgb, raw).png().toBuffer()

  test('the fallback for other readers is not drawn', async () => {
    const marked = await show(
      image('png ', await png()),
      fallback(text(0, 10, 'QuickTime needed'), op(0x31, u16(...frame))),
    )
    await expectGradient(marked, 0)
    const icon: PixelMapSpec = { width: 4, height: 4, depth: 1, at: () => 1 }
    await expectGradient(await show(image('png ', await png()), bits(icon, { destination: frame })), 0)
    const other = await show(image('png ', await png()), bits(icon, { destination: [0, 0, 4, 4] }))
    expect([other.at(0, 0), other.at(9, 4)]).toEqual([black, [...value(9, 4)]])
  })

  test('its matrix moves and scales it', async () => {
    const { width, at } = await drawn(
      pict(
        { frame: [0, 0, 40, 40] },
        quickTime({
          codec: 'png ',
          width: SIZE,
          height: SIZE,
          depth: 24,
          data: await png(),
          x: 4,
          y: 6,
          scale: 2,
        }),
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

  test.each(['cvid', 'raw ', 'rle ', 'WRLE'])(
    'the compression %s is named; everything else is drawn',
    async codec => {
      const unread = image(codec, Buffer.alloc(50))
      await expect(show(unread, fallback(text(0, 10, 'needed')))).rejects.toMatchObject({
        code: 'jobs.unsupported_input',
        detail: expect.stringContaining(codec.trim()),
      })
      const kept = await show(unread, rect(0x31, 0, 0, 4, 4))
      expect(kept.warnings).toHaveLength(1)
      await expect(show(image('png ', Buffer.alloc(50)))).rejects.toMatchObject({
        code: 'jobs.corrupt_input',
      })
    },
  )
})
