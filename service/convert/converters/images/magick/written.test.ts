/** JPEG 2000, JPEG XL, QOI and TGA, as ffmpeg's decoders (OpenJPEG and libjxl) see them. */
import { statSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { type Converted, convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { output } from '../../../../../testing/fixtures/programs.ts'
import { isJxlWritten } from '../../../engines/pictures/jxl/write.ts'
import { writePicture } from '../../../engines/pictures/magick/write.ts'
import images from '../index.ts'

const files = testFiles('written')
const photo = files.path('photo.png')
const clear = files.path('clear.png')

beforeAll(() => {
  tool('convert', '-size', '96x64', 'plasma:red-blue', '-depth', '8', '-seed', '1', `png24:${photo}`)
  tool('convert', photo, '-alpha', 'set', '-channel', 'A', '-fx', 'i/w', `png32:${clear}`)
})

/** RGBA pixels as another program decodes them. */
const pixelsOf = (path: string, ...filters: string[]) =>
  output('ffmpeg', ['-v', 'error', '-i', path, ...filters, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'])

/** Peak signal-to-noise ratio in decibels. */
function psnr(a: Buffer, b: Buffer): number {
  expect(a.length).toBe(b.length)
  const error = a.reduce((sum, value, at) => sum + (value - b[at]!) ** 2, 0) / a.length
  return error === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10(255 ** 2 / error)
}

const codecs: Record<string, string> = { jp2: 'jpeg2000', jxl: 'jpegxl' }

testFull('JPEG XL is written by ffmpeg here, and without its encoder by ImageMagick', async () => {
  expect(await isJxlWritten()).toBe(true)
  const path = files.path('magick.jxl')
  const data = pixelsOf(photo)
  await writePicture({ data, width: 96, height: 64, channels: 4 }, 'jxl', 100, path)
  expect(psnr(pixelsOf(path), data)).toBe(Number.POSITIVE_INFINITY)
})

it.each(
  onlyFull([
    ['qoi', 'qoi'],
    ['tga', 'targa'],
  ]),
)('%s keeps every pixel, transparent or not', async (target, codec) => {
  for (const source of [photo, clear]) {
    const { path, warnings } = await convertFile(`image.png-to-${target}`, source)
    expect(
      tool('ffprobe', '-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', path).trim(),
    ).toBe(codec)
    expect(pixelsOf(path)).toEqual(pixelsOf(source))
    expect(warnings).toEqual([])
  }
})

describe.each(few(1, Object.keys(codecs)))('%s', target => {
  const job = `image.png-to-${target}`
  let best: Converted
  beforeAll(async () => {
    best = await convertFile(job, photo, { quality: 100 })
  })

  it('keeps every pixel at quality 100, transparent or not', async () => {
    for (const source of [photo, clear]) {
      const { path, warnings } = source === photo ? best : await convertFile(job, source, { quality: 100 })
      const shown = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0', path]
      expect(tool('ffprobe', ...shown).trim()).toBe(`${codecs[target]},96,64`)
      expect(psnr(pixelsOf(path), pixelsOf(source))).toBe(Number.POSITIVE_INFINITY)
      expect(warnings).toEqual([])
    }
  })

  testFull('is smaller with less quality, and as large as asked', async () => {
    const usual = await convertFile(job, photo)
    const low = await convertFile(job, photo, { quality: 20 })
    const bytes = [best, usual, low].map(({ path }) => statSync(path).size)
    expect(bytes[1]).toBeLessThan(bytes[0]! * 0.8)
    expect(bytes[2]).toBeLessThan(bytes[1]! * 0.7)
    expect(psnr(pixelsOf(usual.path), pixelsOf(photo))).toBeGreaterThan(28)
    const resize = { enabled: true, preset: 'custom', value: 48 }
    const half = pixelsOf((await convertFile(job, photo, { resize })).path)
    expect(half.length).toBe(48 * 32 * 4)
    expect(psnr(half, pixelsOf(photo, '-vf', 'scale=48:32:flags=area'))).toBeGreaterThan(25)
  })

  it('is made of every kind of picture', () => {
    const sources = images.filter(each => each.target === target).map(({ source }) => source)
    expect(sources).toEqual(expect.arrayContaining(['dds', 'heic', 'ico', 'pict', 'raw', 'svg', 'tga']))
    expect(sources).not.toContain(target)
  })

  it('comes back as a PNG', async () => {
    const back = await convertFile(`image.${target}-to-png`, best.path)
    expect(psnr(pixelsOf(back.path), pixelsOf(photo))).toBe(Number.POSITIVE_INFINITY)
  })
})
