/** Frames that clear, cover only a part, or come with a separate picture for viewers without animation support. */
import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { gifOf, type Rectangle } from '../../../../../testing/gif.ts'
import { decode, decodeWebpFrames } from '../../../../../testing/pictures.ts'
import { chunk, header, readChunks, SIGNATURE } from '../../../engines/pictures/formats/png.ts'
import { gifDelays } from '../../../engines/pictures/sharp/animation.ts'

const files = testFiles('frames')
const lossless = { smartCompression: { enabled: true, mode: 'lossless' } }

const [CLEAR, WHITE, RED, BLUE, GREEN] = [
  [0, 0, 0, 0],
  [255, 255, 255, 255],
  [255, 0, 0, 255],
  [0, 0, 255, 255],
  [0, 255, 0, 255],
]

const at = (data: Uint8Array, x: number, y: number) => {
  const pixel = [...data.subarray((y * 20 + x) * 4, (y * 20 + x) * 4 + 4)]
  return pixel[3] === 0 ? CLEAR : pixel
}

describe('frames of a GIF that clear', () => {
  const whole: Rectangle = { x: 0, y: 0, width: 20, height: 20, colour: 1, dispose: 2 }
  const middle: Rectangle = { x: 8, y: 8, width: 4, height: 4, colour: 2, dispose: 2 }
  const corner: Rectangle = { x: 0, y: 0, width: 4, height: 4, colour: 3, dispose: 2 }

  /** The corner and the middle of each frame. */
  async function shown(frames: Rectangle[]) {
    writeFileSync(files.path('a.gif'), gifOf(20, 20, frames))
    const { path } = await convertFile('image.gif-to-webp', files.path('a.gif'), lossless)
    return decodeWebpFrames(path, 20, 20).map(data => [at(data, 0, 0), at(data, 10, 10)])
  }

  test.each<[string, Rectangle[], (number[] | undefined)[][]]>([
    [
      'without a transparent colour',
      [whole, middle, corner],
      [
        [RED, RED],
        [CLEAR, BLUE],
        [GREEN, CLEAR],
      ],
    ],
    [
      'with one in some',
      [whole, { ...middle, transparent: 0 }, corner],
      [
        [RED, RED],
        [CLEAR, BLUE],
        [GREEN, CLEAR],
      ],
    ],
    [
      'with one in all',
      [whole, middle, corner].map(frame => ({ ...frame, transparent: 0 })),
      [
        [RED, RED],
        [CLEAR, BLUE],
        [GREEN, CLEAR],
      ],
    ],
    [
      'and cover only a part',
      [middle, corner],
      [
        [CLEAR, BLUE],
        [GREEN, CLEAR],
      ],
    ],
    [
      'or go back',
      [whole, { ...middle, dispose: 3 }, corner].map((frame, i) =>
        i === 0 ? { ...frame, dispose: 0 } : frame,
      ),
      [
        [RED, RED],
        [RED, BLUE],
        [GREEN, RED],
      ],
    ],
  ])('%s leave nothing behind', async (_, frames, expected) => {
    expect(await shown(frames)).toEqual(expected)
  })

  test('a still frame of them too', async () => {
    writeFileSync(files.path('b.gif'), gifOf(20, 20, [whole, middle]))
    const { path } = await convertFile('image.gif-to-png', files.path('b.gif'), { frame: 2 })
    expect([at(decode(path).data, 0, 0), at(decode(path).data, 10, 10)]).toEqual([CLEAR, BLUE])
  })
})

test.each([
  ['no frame', gifOf(20, 20, []), 'jobs.corrupt_input'],
  ['no frame on a huge canvas', gifOf(65_535, 65_535, []), 'jobs.too_large'],
  [
    'a small frame on a huge canvas',
    gifOf(65_535, 65_535, [{ x: 0, y: 0, width: 4, height: 4, colour: 1, dispose: 0 }]),
    'jobs.too_large',
  ],
])('a GIF with %s is refused', async (_, bytes, code) => {
  writeFileSync(files.path('c.gif'), bytes)
  for (const target of ['png', 'webp']) {
    await expect(convertFile(`image.gif-to-${target}`, files.path('c.gif'))).rejects.toMatchObject({ code })
  }
})

describe('an APNG of one frame', () => {
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4)
    for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4)
    return bytes
  }
  const plain = async (background: string) => {
    const png = await sharp({ create: { width: 20, height: 20, channels: 4, background } })
      .png()
      .toBuffer()
    return Buffer.concat([...readChunks(png)].filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  }
  const control = chunk('fcTL', numbers(0, 20, 20, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0]))
  const wrap = (...chunks: Buffer[]) =>
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header({ width: 20, height: 20, depth: 8, colorType: 6 })),
      chunk('acTL', numbers(1, 0)),
      ...chunks,
      chunk('IEND'),
    ])

  test.each(['jpg', 'webp', 'avif', 'ico'])(
    'with a separate default picture shows the frame, as %s',
    async target => {
      const [other, frame] = [await plain('#ff0000'), await plain('#0000ff')]
      writeFileSync(
        files.path('a.png'),
        wrap(chunk('IDAT', other), control, chunk('fdAT', numbers(1), frame)),
      )
      const { path } = await convertFile(`image.png-to-${target}`, files.path('a.png'))
      const { data, width } = decode(path)
      expect(data[((width * width) >> 1) * 4 + 2]).toBeGreaterThan(200)
    },
  )

  test('that is the picture itself shows it', async () => {
    writeFileSync(files.path('b.png'), wrap(control, chunk('IDAT', await plain('#ffffff'))))
    const { path } = await convertFile('image.png-to-webp', files.path('b.png'), lossless)
    expect(at(decode(path).data, 5, 5)).toEqual(WHITE)
  })
})

test('delays of a GIF add up, and none is so short that browsers slow it down', () => {
  expect(gifDelays([33, 33, 34])).toEqual([30, 40, 30])
  expect(gifDelays([12, 12])).toEqual([20, 20])
})
