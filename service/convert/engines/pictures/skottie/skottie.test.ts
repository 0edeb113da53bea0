import { deflateSync, gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { movingSquare } from '../../../../../testing/lottie.ts'
import { JobFailure } from '../../../../shared/errors.ts'
import { chunk, header, SIGNATURE } from '../formats/png.ts'
import { readLottie } from './document.ts'
import { openPlayer } from './player.ts'
import { resampleFrames } from './timing.ts'

const bytes = (value: unknown) => strToU8(JSON.stringify(value))

async function codeOf(data: Uint8Array): Promise<string> {
  try {
    await readLottie(data)
  } catch (error) {
    if (error instanceof JobFailure) return error.code
    throw error
  }
  return 'read'
}

describe('reading', () => {
  test('size, frame rate and frames come from the JSON, plain or compressed', async () => {
    const source = bytes(movingSquare())
    for (const data of [source, gzipSync(source), Buffer.concat([Buffer.from('\ufeff'), source])]) {
      expect(await readLottie(data)).toMatchObject([{ width: 100, height: 80, fps: 30, frames: 30 }])
    }
    expect(await readLottie(bytes(movingSquare({ ip: 10, op: 39.99999 })))).toMatchObject([{ frames: 30 }])
  })

  test.each([
    ['no frame rate', { fr: undefined }],
    ['a frame rate of 0', { fr: 0 }],
    ['a negative frame rate', { fr: -5 }],
    ['a frame rate beyond sense', { fr: 1e9 }],
    ['no size', { w: 0 }],
    ['a size that is no number', { h: '80' }],
    ['no end', { op: undefined }],
    ['no layers', { layers: undefined }],
    ['assets that are no list', { assets: 5 }],
  ])('%s is refused', async (_, change) => {
    expect(await codeOf(bytes(movingSquare(change)))).toBe('jobs.corrupt_input')
  })

  test('a billion frames are counted without being drawn', async () => {
    expect((await readLottie(bytes(movingSquare({ op: 1e9 }))))[0]?.frames).toBe(1e9)
  })

  test('text that is not an animation is refused', async () => {
    for (const text of ['', '{', '[]', 'null', '"x"', '{}', '\ufeff', '{"w":1']) {
      expect(await codeOf(strToU8(text))).toBe('jobs.corrupt_input')
    }
    expect(await codeOf(Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d))).toBe('jobs.corrupt_input')
  })

  testFull('bombs are refused', async () => {
    expect(await codeOf(gzipSync(Buffer.alloc(70 * 2 ** 20, ' ')))).toBe('jobs.too_large')
    expect(await codeOf(strToU8('[['.repeat(100_000)))).toBe('jobs.too_large')
    const use = (refId: string) => ({ ty: 0, refId, ip: 0, op: 30, st: 0, w: 100, h: 80, ks: {} })
    const levels = Array.from({ length: 12 }, (_, level) => ({
      id: `level${level}`,
      layers: Array(10).fill(use(`level${level - 1}`)),
    }))
    expect(await codeOf(bytes(movingSquare({ assets: levels, layers: [use('level11')] })))).toBe(
      'jobs.too_large',
    )
    const chain = Array.from({ length: 5000 }, (_, nth) => ({ id: `${nth}`, layers: [use(`${nth - 1}`)] }))
    expect(await codeOf(bytes(movingSquare({ assets: chain, layers: [use('4999')] })))).toBe('jobs.too_large')
    expect(await codeOf(bytes(movingSquare({ assets: chain, layers: chain.map(({ id }) => use(id)) })))).toBe(
      'jobs.too_large',
    )
    const huge = {
      id: 'i',
      w: 1,
      h: 1,
      e: 1,
      p: `data:image/png;base64,${png(60_000, 60_000).toString('base64')}`,
    }
    expect(await codeOf(bytes(movingSquare({ assets: [huge] })))).toBe('jobs.too_large')
  })

  test('compositions that contain themselves are left to the renderer, which drops them', async () => {
    const loop = { ty: 0, refId: 'a', ip: 0, op: 30, st: 0, w: 100, h: 80, ks: {} }
    const [document] = await readLottie(
      bytes(movingSquare({ assets: [{ id: 'a', layers: [loop] }], layers: [loop] })),
    )
    expect(openPlayer(document!, 10, 8).frame(0).length).toBe(320)
  })

  test('a package yields its animations in the order of its manifest, whatever its version', async () => {
    const manifest = strToU8(
      JSON.stringify({ version: '2', animations: [{ id: 'second' }, { id: 'first' }] }),
    )
    for (const folder of ['a', 'animations']) {
      const file = zipSync({
        'manifest.json': manifest,
        [`${folder}/first.json`]: bytes(movingSquare({ op: 10 })),
        [`${folder}/second.json`]: bytes(movingSquare({ op: 20 })),
      })
      expect(await readLottie(file)).toMatchObject([
        { id: 'second', frames: 20 },
        { id: 'first', frames: 10 },
      ])
    }
    const bare = zipSync({ 'animations/only.json': bytes(movingSquare()) })
    expect(await readLottie(bare)).toMatchObject([{ id: 'only', frames: 30 }])
    expect(await codeOf(zipSync({ 'manifest.json': manifest }))).toBe('jobs.corrupt_input')
    expect(await codeOf(bare.subarray(0, 60))).toBe('jobs.corrupt_input')
  })

  test("a package's pictures are drawn; missing ones and expressions are reported", async () => {
    const image = { ty: 2, refId: 'i', ip: 0, op: 30, st: 0, ks: {} }
    const animation = movingSquare({
      layers: [image],
      assets: [{ id: 'i', w: 8, h: 8, u: '', p: 'i.png', e: 0 }],
    })
    const files = { 'animations/x.json': bytes(animation) }
    const [without] = await readLottie(zipSync(files))
    expect(without?.missingImages).toBe(1)
    const [document] = await readLottie(zipSync({ ...files, 'images/i.png': png(8, 8, [200, 100, 50]) }))
    expect(document?.missingImages).toBe(0)
    const frame = openPlayer(document!, 100, 80).frame(0)
    expect([...frame.subarray(0, 4)]).toEqual([200, 100, 50, 255])
    expect(frame[10 * 4 + 3]).toBe(0)
    const scripted = movingSquare({ nm: { a: 0, k: 0, x: 'var $bm_rt;\n$bm_rt = time;' } })
    expect((await readLottie(bytes(scripted)))[0]?.expressions).toBe(true)
    expect((await readLottie(bytes(movingSquare())))[0]?.expressions).toBe(false)
  })
})

/** An 8-bit RGB picture of one colour; without a colour, a header whose data are missing. */
function png(width: number, height: number, color?: number[]): Buffer {
  const row = color && Buffer.from([0, ...Array(width).fill(color).flat()])
  const data = row ? deflateSync(Buffer.concat(Array(height).fill(row))) : Buffer.alloc(0)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header({ width, height, depth: 8, colorType: 2 })),
    chunk('IDAT', data),
    chunk('IEND'),
  ])
}

const [square] = await readLottie(bytes(movingSquare()))

describe('drawing', () => {
  test('a moving square has the right position, colour and transparency', async () => {
    const player = openPlayer(square!, 100, 80)
    for (const position of [0, 7, 15, 29]) {
      const frame = player.frame(position)
      // The square is 20 wide and its centre moves from x = 10 by two pixels a frame at y = 40.
      for (let y = 0; y < 80; y++) {
        for (let x = 0; x < 100; x++) {
          const inside = x >= position * 2 && x < position * 2 + 20 && y >= 30 && y < 50
          const pixel = [...frame.subarray((y * 100 + x) * 4, (y * 100 + x) * 4 + 4)]
          const expected = inside ? [255, 128, 0, 128] : [0, 0, 0, 0]
          if (pixel.join() !== expected.join())
            expect({ position, x, y, pixel }).toEqual({ position, x, y, pixel: expected })
        }
      }
    }
  })

  test('it is drawn at any size, and over a background', async () => {
    const frame = openPlayer(square!, 200, 160, '#0000ff').frame(7.5)
    const pixel = (x: number, y: number) => [...frame.subarray((y * 200 + x) * 4, (y * 200 + x) * 4 + 4)]
    expect([pixel(29, 80), pixel(30, 80), pixel(69, 80), pixel(70, 80)]).toEqual([
      [0, 0, 255, 255],
      [128, 64, 127, 255],
      [128, 64, 127, 255],
      [0, 0, 255, 255],
    ])
  })

  test('frames before the in point are not shown', async () => {
    const [late] = await readLottie(bytes(movingSquare({ ip: 5 })))
    const frame = openPlayer(late!, 100, 80).frame(0)
    expect(late?.frames).toBe(25)
    expect([9, 10, 29, 30].map(x => frame[(40 * 100 + x) * 4 + 3])).toEqual([0, 128, 128, 0])
  })

  test('a frame over the limit is refused', async () => {
    expect(() => openPlayer(square!, 20_000, 20_000)).toThrow(JobFailure)
  })
})

describe('timing', () => {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

  test.each([
    { frames: 180, own: 60, fps: 50, tick: 10, count: 150, total: 3000 },
    { frames: 90, own: 30, fps: 30, tick: 10, count: 90, total: 3000 },
    { frames: 900, own: 29.97, fps: 29.97, tick: 1, count: 900, total: 30_030 },
    { frames: 48, own: 24, fps: 60, tick: 1, count: 120, total: 2000 },
    { frames: 1, own: 30, fps: 10, tick: 10, count: 1, total: 30 },
  ])('$frames frames of $own fps at $fps last $total ms', ({ frames, own, fps, tick, count, total }) => {
    const { delays, positions } = resampleFrames(frames, own, fps, tick)
    expect(delays.length).toBe(count)
    expect(positions.length).toBe(count)
    expect(sum(delays)).toBe(total)
    expect(delays.every(delay => delay > 0 && delay % tick === 0)).toBe(true)
    expect(Math.max(...delays) - Math.min(...delays)).toBeLessThanOrEqual(tick)
  })

  test("at the animation's own rate, each of its frames is drawn", async () => {
    expect(resampleFrames(5, 25, 25).positions).toEqual([0, 1, 2, 3, 4])
  })
})
