/** Truncated files: what is left of a picture is converted, with a warning. */
import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { heicOf } from '../../../../testing/fixtures/heif.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { u16 } from '../../../../testing/fixtures/numbers.ts'
import { gradient, seeded } from '../../../../testing/fixtures/pixels.ts'
import { bits, op, pict, quickTime } from '../../../../testing/pict.ts'
import { type Decoded, decode, identify, makePicture, writePnm } from '../../../../testing/pictures.ts'
import { psd, versionInfo } from '../../../../testing/psd.ts'
import { directoryBytes, TiffWriter } from '../../engines/pictures/formats/tiff.ts'

const files = testFiles('cut-off')
const [width, height] = [160, 128]
const picture = gradient(width, height)
const random = seeded(3)
picture.data.forEach((value, at) => {
  picture.data[at] = value + random(12)
})
const planes = [0, 1, 2].map(channel => picture.data.filter((_, at) => at % 3 === channel))

beforeAll(async () => {
  const source = writePnm(picture, files.path('a.ppm'))
  for (const format of ['avif', 'bmp', 'gif', 'jpg', 'png', 'webp'])
    makePicture(source, files.path(`a.${format}`))
  tool('convert', source, '-interlace', 'Plane', '-quality', '90', files.path('progressive.jpg'))
  tool('convert', source, '-interlace', 'PNG', files.path('interlaced.png'))
  tool('cwebp', '-quiet', '-q', '80', source, '-o', files.path('lossy.webp'))
  tool('convert', source, '-compress', 'RLE', '-colors', '64', `BMP3:${files.path('runs.bmp')}`)
  writeFileSync(files.path('a.heic'), heicOf(picture))
  writeFileSync(files.path('strips.tiff'), tiffInOrder())
  const base = { mode: 'rgb', width, height } as const
  for (const compression of ['raw', 'packbits'] as const)
    writeFileSync(files.path(`${compression}.psd`), psd({ ...base, planes, compression }))
  const image = bits({
    ...{ width, height, depth: 32 },
    at: (x, y) => {
      const [r = 0, g = 0, b = 0] = picture.data.subarray((y * width + x) * 3)
      return [r, g, b]
    },
  })
  writeFileSync(files.path('bits.pict'), pict({ frame: [0, 0, height, width] }, image))
})

const cut = (name: string, share: number): string => {
  const bytes = readFileSync(files.path(name))
  return files.write(bytes.subarray(0, Math.floor(bytes.length * share)), name.split('.')[1] ?? '')
}

/** Share of the picture's pixels that are correct, and of those that are visible at all. */
function compare({ data }: Decoded): { right: number; shown: number } {
  let [right, shown] = [0, 0]
  for (let at = 0, from = 0; at < data.length; at += 4, from += 3) {
    if (data[at + 3] === 0) continue
    shown++
    if ([0, 1, 2].every(part => Math.abs(data[at + part]! - picture.data[from + part]!) < 32)) right++
  }
  const pixels = width * height
  return { right: right / pixels, shown: shown / pixels }
}

/** Converts losslessly: to PNG, and a PNG to WebP. */
function lossless(name: string, path: string) {
  const [, format = ''] = name.split('.')
  const smartCompression = { enabled: true, mode: 'lossless' }
  if (format === 'png') return convertFile('image.png-to-webp', path, { smartCompression })
  return convertFile(`image.${format}-to-png`, path)
}

/** Minimum share of the picture that is left in 60 percent of the file. */
const rest: [name: string, right: number][] = [
  ['a.jpg', 0.5],
  ['progressive.jpg', 0.9],
  ['a.png', 0.5],
  ['interlaced.png', 0.9],
  ['a.gif', 0.45],
  ['a.webp', 0.4],
  ['lossy.webp', 0.4],
  ['a.bmp', 0.58],
  ['runs.bmp', 0.3],
  ['strips.tiff', 0.5],
  ['bits.pict', 0.55],
]

/** A TIFF whose directory comes before its pixels, as scanners write it, so that it outlives a cut. */
function tiffInOrder(): Buffer {
  const writer = new TiffWriter(true)
  const entries = (at: number) => [
    writer.entry(256, 4, width),
    writer.entry(257, 4, height),
    writer.entry(258, 3, 8, 8, 8),
    writer.entry(259, 3, 1),
    writer.entry(262, 3, 2),
    writer.entry(273, 4, at),
    writer.entry(277, 3, 3),
    writer.entry(278, 4, height),
    writer.entry(279, 4, picture.data.length),
  ]
  const at = 8 + directoryBytes(entries(0))
  return Buffer.concat([writer.header(), writer.directory(entries(at), 8), picture.data])
}

test.each(rest)('%s in part', async (name, least) => {
  const { path, warnings } = await lossless(name, cut(name, 0.6))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/incomplete|breaks off|ends before/)
  expect(identify(path)).toContain(`${width}x${height}`)
  const { right, shown } = compare(decode(path))
  expect(right).toBeGreaterThanOrEqual(least)
  // Formats that mark missing parts leave them transparent, and show nothing wrong.
  if (!/jpg|tiff|pict/.test(name)) expect(shown - right).toBeLessThan(0.07)
})

test.each(rest)('%s, whole, gives no warning', async name => {
  const { path, warnings } = await lossless(name, files.path(name))
  expect(warnings).toEqual([])
  expect(compare(decode(path)).right).toBeGreaterThan(name === 'runs.bmp' || name === 'a.gif' ? 0.8 : 0.97)
})

test.each(['jpg', 'png', 'gif', 'webp', 'avif', 'heic', 'bmp', 'tiff', 'psd', 'pict'])(
  '%s without a pixel is corrupt',
  async format => {
    const name = { tiff: 'strips.tiff', psd: 'raw.psd', pict: 'bits.pict' }[format] ?? `a.${format}`
    const bytes = readFileSync(files.path(name))
    // The first coded data of most of them start after a few hundred bytes at most.
    const header =
      { jpg: bytes.indexOf('ffda', 0, 'hex') + 14, pict: 560, gif: 13, avif: 320, heic: 500 }[format] ?? 44
    const target = format === 'png' ? 'jpg' : 'png'
    await expect(
      convertFile(`image.${format}-to-${target}`, files.write(bytes.subarray(0, header), format)),
    ).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  },
)

test.each(['avif', 'heic'])('%s in part is corrupt', async format => {
  await expect(lossless(`a.${format}`, cut(`a.${format}`, 0.6))).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

describe('documents of Photoshop', () => {
  test('without layers are refused', async () => {
    await expect(lossless('packbits.psd', cut('packbits.psd', 0.9))).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })

  test('without a merged picture are merged from their layers', async () => {
    const layer = { width, height, channels: { 0: planes[0]!, 1: planes[1]!, 2: planes[2]! } }
    const bytes = psd({ mode: 'rgb', width, height, planes, layers: [layer] })
    const path = files.write(bytes.subarray(0, Math.floor(bytes.length * 0.6)), 'psd')
    const converted = await lossless('a.psd', path)
    expect(converted.warnings).toHaveLength(1)
    expect(compare(decode(converted.path))).toEqual({ right: 1, shown: 1 })
  })

  test('truncated in a layer, and without a merged picture, are refused', async () => {
    const layer = { width, height, channels: { 0: planes[0]!, 1: planes[1]!, 2: planes[2]! } }
    const resources = { 1057: versionInfo(false) }
    const bytes = psd({ mode: 'rgb', width, height, planes, layers: [layer], resources })
    const path = files.write(bytes.subarray(0, Math.floor(bytes.length * 0.3)), 'psd')
    await expect(lossless('a.psd', path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })
})

test('a photo in a truncated PICT is shown as far as possible', async () => {
  const data = await sharp(picture.data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
  const bytes = pict(
    { frame: [0, 0, height, width] },
    quickTime({ codec: 'jpeg', width, height, depth: 24, data }),
  )
  const { path, warnings } = await lossless(
    'a.pict',
    files.write(bytes.subarray(0, bytes.length * 0.6), 'pict'),
  )
  expect(warnings).toHaveLength(1)
  expect(compare(decode(path)).right).toBeGreaterThan(0.4)
})

test('a truncated PICT bitmap is cropped to its rows, and earlier drawing stays', async () => {
  const frame = [0, 0, height, width] as const
  const drawn = op(0x31, u16(0, 0, height, width))
  const image = bits({ width, height, depth: 32, at: () => [255, 0, 0] })
  const bytes = pict({ frame: [...frame] }, drawn, image)
  const { path } = await lossless('a.pict', files.write(bytes.subarray(0, bytes.length - 40), 'pict'))
  const { data } = decode(path)
  expect([...data.subarray(0, 3)]).toEqual([255, 0, 0])
  expect([...data.subarray(-4, -1)]).toEqual([0, 0, 0])
})

describe('other targets get the warning too', () => {
  const pairs = [
    ['a.jpg', 'ico'],
    ['a.jpg', 'webp'],
    ['a.png', 'ico'],
    ['a.png', 'jpg'],
    ['a.gif', 'webp'],
    ['strips.tiff', 'pdf'],
    ['bits.pict', 'bmp'],
    ['bits.pict', 'pdf'],
  ] as const
  test.each(pairs)('%s to %s', async (name, target) => {
    const { warnings } = await convertFile(`image.${name.split('.')[1]}-to-${target}`, cut(name, 0.6))
    expect(warnings).toHaveLength(1)
  })
})

describe('animations keep the complete frames', () => {
  beforeAll(() => {
    const frames = ['red', 'lime', 'blue', 'white'].map((colour, index) => {
      const path = files.path(`frame-${index}.png`)
      tool('convert', '-size', '64x48', `xc:${colour}`, '-attenuate', '0.6', '+noise', 'gaussian', path)
      return path
    })
    tool('img2webp', '-lossless', '-d', '100', ...frames, '-o', files.path('moving.webp'))
    tool(
      'avifenc',
      '-s',
      '8',
      '--min',
      '0',
      '--max',
      '5',
      '--fps',
      '10',
      ...frames,
      files.path('moving.avif'),
    )
  })

  test.each(['webp', 'avif'])('%s', async format => {
    const { path, warnings } = await convertFile(`image.${format}-to-gif`, cut(`moving.${format}`, 0.8))
    expect(warnings).toHaveLength(1)
    const frames = tool('identify', path).trim().split('\n').length
    expect(frames).toBeGreaterThanOrEqual(2)
    expect(frames).toBeLessThan(4)
    const [r = 0, g = 0] = decode(path, 1).data
    expect(g).toBeGreaterThan(r)
  })
})
