import { describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { u16 } from '../../../../../testing/fixtures/numbers.ts'
import { malformed } from '../../../../../testing/malformed.ts'
import {
  bits,
  op,
  type PixelMapSpec,
  pict,
  pixelPattern,
  quickTime,
  region,
  text,
} from '../../../../../testing/pict.ts'
import { blue, drawn, green, rect, red } from '../../../../../testing/pict-drawn.ts'
import { JobFailure } from '../../../../shared/errors.ts'
import { readPict } from './index.ts'
import { Painter } from './painter.ts'

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

  testFull('a frame that only claims to be large takes little memory', async () => {
    const { width, height } = await drawn(
      pict({ frame: [0, 0, 18_000, 18_000] }, rect(0x31, 0, 0, 9000, 9000)),
    )
    expect(width * height).toBeLessThanOrEqual(64_100_000)
  })

  test('an image of billions of pixels in few bytes', async () => {
    const spec: PixelMapSpec = { width: 8, height: 4, depth: 8, colors: [red], at: () => 0 }
    const bytes = pict({ frame: [0, 0, 10, 10] }, bits({ ...spec, width: 300 }))
    const at = bytes.indexOf(u16(0, 0, 4, 300))
    for (const [height, width, code] of [
      [32767, 16_000, 'jobs.too_large'],
      [4, 32767, 'jobs.corrupt_input'],
      [-4, 300, 'jobs.corrupt_input'],
    ] as const) {
      const changed = Buffer.from(bytes)
      u16(0, 0, height, width).copy(changed, at)
      expect(await attempt(changed)).toBe(code)
    }
  })

  test('millions of opcodes that draw nothing are refused', async () => {
    const bytes = pict({ frame: [0, 0, 10, 10] }, Buffer.alloc(4_100_000))
    expect(await attempt(bytes)).toBe('jobs.too_large')
  })

  test('repeated painting is limited', () => {
    const frame = { left: 0, top: 0, right: 10, bottom: 10 }
    const painter = new Painter(frame, 1, 1000)
    const paint = () => painter.drawShape('paint', { kind: 'rect', rect: frame })
    for (let count = 0; count < 10; count++) paint()
    expect(paint).toThrow(expect.objectContaining({ code: 'jobs.too_large' }))
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
    // Truncated before its first image, it has nothing to show.
    expect(outcomes.slice(0, 3)).toEqual(['jobs.corrupt_input', 'drawn', 'drawn'])
  })
})
