import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { few, kinds } from '../../../../../testing/fixtures/full.ts'
import { clap, type HeicRecipe, heicOf, imir, irot } from '../../../../../testing/fixtures/heif.ts'
import { corpus, hasCorpus, tool } from '../../../../../testing/fixtures/media.ts'
import { gradient, psnr, type Raster } from '../../../../../testing/fixtures/pixels.ts'
import { decodeWithLibheif } from '../libheif/index.ts'
import type { Pixels } from '../pixels.ts'
import { decodeWithFfmpeg, suitsFfmpeg } from './ffmpeg.ts'
import { decodeHeif } from './index.ts'
import { readItems } from './items.ts'
import { describe as described } from './picture.ts'

const files = testFiles('heif')

const make = (raster: Raster, recipe?: Partial<HeicRecipe>) => files.write(heicOf(raster, recipe), 'heic')

async function decode(path: string): Promise<Pixels> {
  const pixels = await decodeHeif(path)
  if (!pixels) throw new Error('AVIF')
  return pixels
}

/** As ffmpeg alone decodes it. */
function byFfmpeg(path: string): Promise<Pixels> {
  const file = readFileSync(path)
  const items = readItems(file)
  const found = described(items)
  expect(suitsFfmpeg(found)).toBe(true)
  return decodeWithFfmpeg(items, found, file.length)
}

/** Rotated upright, 8 bits, with unchanged colours. */
async function upright(pixels: Pixels): Promise<Raster> {
  const { width, height, channels, orientation = 1 } = pixels
  const data = pixels.data instanceof Uint16Array ? pixels.data.map(value => value >> 8) : pixels.data
  const tiff = await sharp(Uint8Array.from(data), { raw: { width, height, channels: channels as 3 } })
    .withMetadata({ orientation })
    .tiff({ compression: 'none' })
    .toBuffer()
  return raster(sharp(tiff).autoOrient())
}

async function raster(picture: Sharp): Promise<Raster> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** How libheif's own program decodes a file. */
async function judged(path: string): Promise<Raster> {
  const png = `${path}.png`
  tool('heif-convert', path, png)
  return raster(sharp(png, { ignoreIcc: true }))
}

const picture = gradient(300, 200)

describe('pictures', () => {
  const recipes: [string, Partial<HeicRecipe>][] = [
    ['single', {}],
    ['grid described in idat', { tile: 128 }],
    ['grid described in the file', { tile: 128, gridIn: 'file' }],
    ['turned left', { transforms: [irot(1)] }],
    ['turned over', { tile: 128, transforms: [irot(2)] }],
    ['turned right', { transforms: [irot(3)] }],
    ['mirrored upside down', { transforms: [imir(0)] }],
    ['mirrored left to right', { transforms: [imir(1)] }],
    ['turned, then mirrored', { transforms: [irot(1), imir(0)] }],
    ['mirrored, then turned', { transforms: [imir(1), irot(1)] }],
    ['cropped off centre', { transforms: [clap(150, 120, 40, -20)] }],
    ['cropped to odd edges, turned, mirrored', { transforms: [clap(101, 151, 1, 1), irot(3), imir(0)] }],
    ['10 bits', { pixelFormat: 'yuv420p10le' }],
    ['4:2:2', { pixelFormat: 'yuv422p' }],
    ['4:4:4', { pixelFormat: 'yuv444p' }],
    [
      'BT.709, limited range',
      {
        matrix: 'bt709',
        range: 'limited',
        nclx: { primaries: 1, transfer: 1, matrix: 1, fullRange: false },
      },
    ],
    ['colours named by the coding alone', { matrix: 'bt709', nclx: null, x265: 'crf=8:colormatrix=bt709' }],
  ]
  // Between releases, one of several ways to turn, to crop and to sample.
  const similar =
    /^(single|mirrored, then turned|10 bits|grid described in the file|turned over|turned right|mirrored upside down|mirrored left to right|turned, then mirrored|cropped off centre|4:2:2|4:4:4|colours named by the coding alone)$/
  test.each(kinds(recipes, ([name]) => !similar.test(name)))('%s', async (_name, recipe) => {
    const path = make(picture, recipe)
    const [ours, theirs] = [await upright(await byFfmpeg(path)), await judged(path)]
    expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height])
    expect(psnr(ours.data, theirs.data)).toBeGreaterThan(44)
  })

  testFull('is close to the original picture, with overlapping tiles cropped', async () => {
    const odd = gradient(301, 199)
    const decoded = await decode(make(odd, { tile: 128, gridIn: 'idat' }))
    expect([decoded.width, decoded.height]).toEqual([301, 199])
    expect(psnr(decoded.data as Uint8Array, odd.data)).toBeGreaterThan(38)
  })

  test('with data in another item is refused', async () => {
    const refused = decode(make(gradient(301, 199), { tile: 128, gridIn: 'item' }))
    await expect(refused).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })

  testFull('leaves no rows behind, be it read or damaged', async () => {
    const temporary = files.path('temporary')
    mkdirSync(temporary)
    vi.stubEnv('TMPDIR', temporary)
    const file = heicOf(picture)
    await byFfmpeg(files.write(file, 'heic'))
    const damaged = files.write(Buffer.from(file).fill(0, file.length - 2000), 'heic')
    await expect(byFfmpeg(damaged)).rejects.toThrow()
    expect(readdirSync(temporary)).toEqual([])
  })

  testFull('grey', async () => {
    const decoded = await byFfmpeg(make(picture, { pixelFormat: 'gray' }))
    const expected = await raster(sharp(picture.data, { raw: { ...size(picture), channels: 3 } }).greyscale())
    expect(
      psnr(
        decoded.data.filter((_, index) => index % 3 === 0),
        expected.data,
      ),
    ).toBeGreaterThan(25)
  })

  testFull('10 bits become 16', async () => {
    const { data } = await decode(make(picture, { pixelFormat: 'yuv420p10le' }))
    expect(data).toBeInstanceOf(Uint16Array)
    expect(new Set(data.map(value => value & 0xff)).size).toBeGreaterThan(100)
  })
})

const size = ({ width, height }: Raster) => ({ width, height })

describe('libheif', () => {
  const recipes: [string, Partial<HeicRecipe>][] = [
    ['single', {}],
    ['grid, turned', { tile: 128, transforms: [irot(1)] }],
    ['4:4:4', { pixelFormat: 'yuv444p' }],
  ]
  test.each(kinds(recipes, ([name]) => name === 'grid, turned'))('agrees: %s', async (_name, recipe) => {
    const path = make(picture, recipe)
    const [ours, theirs] = [await upright(await decodeWithLibheif(readFileSync(path))), await judged(path)]
    expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height])
    expect(psnr(ours.data, theirs.data)).toBeGreaterThan(44)
  })

  testFull('reads transparency', async () => {
    const { width, height } = picture
    const alpha = Uint8Array.from({ length: width * height }, (_, index) => ((index % width) * 255) / width)
    const decoded = await decode(make(picture, { alpha, transforms: [imir(1)] }))
    expect(decoded.channels).toBe(4)
    const mirrored = alpha.map((_, index) => alpha[index - (index % width) + width - 1 - (index % width)]!)
    expect(
      psnr(
        decoded.data.filter((_, index) => index % 4 === 3),
        mirrored,
      ),
    ).toBeGreaterThan(40)
  })
})

/** An EXIF block that states an orientation. */
async function oriented(orientation: number): Promise<Buffer> {
  const jpeg = await sharp(picture.data, { raw: { ...size(picture), channels: 3 } })
    .withExif({ IFD0: { Make: 'Maker', Model: 'Model' } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer()
  return (await sharp(jpeg).metadata()).exif!.subarray(6)
}

describeFull('metadata', true, () => {
  test.each<[string, number, Partial<HeicRecipe>]>(
    few(1, [
      ['counts where nothing else states one', 8, {}],
      ['is ignored beside a property', 3, { transforms: [irot(2)] }],
      ['is ignored in MIAF', 1, { brands: 'mif1miafheic' }],
    ]),
  )('the orientation in EXIF %s', async (_name, orientation, recipe) => {
    const exif = await oriented(8)
    // Transparency is left to libheif.
    for (const isClear of kinds([false, true], each => !each || orientation === 8)) {
      const alpha = isClear && { alpha: new Uint8Array(picture.width * picture.height).fill(255) }
      const decoded = await upright(await decode(make(picture, { exif, ...alpha, ...recipe })))
      const plain = sharp(picture.data, { raw: { ...size(picture), channels: 3 } })
      const { data, info } = await (isClear ? plain.ensureAlpha() : plain)
        .rotate({ 1: 0, 3: 180, 8: 270 }[orientation])
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(size(decoded)).toEqual({ width: info.width, height: info.height })
      expect(psnr(decoded.data, data)).toBeGreaterThan(35)
    }
  })

  test('EXIF loses its orientation, because the file stores it elsewhere; XMP is kept', async () => {
    const exif = await oriented(6)
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>'
    const decoded = await decode(make(picture, { exif, xmp, transforms: [irot(3)] }))
    expect([decoded.width, decoded.height, decoded.orientation]).toEqual([200, 300, undefined])
    expect(Buffer.from(decoded.xmp!).toString()).toBe(xmp)
    const tiff = files.path('block.exif')
    writeFileSync(tiff, decoded.exif!)
    expect(tool('exiftool', '-s3', '-n', '-Orientation', tiff).trim()).toBe('1')
  })
})

describeFull('camera files', hasCorpus, () => {
  const expected: Record<
    string,
    { width: number; height: number; decibels: number; icc: boolean; exif: boolean }
  > = {
    'IMG_2682.heic': { width: 4032, height: 3024, decibels: 50, icc: true, exif: true },
    'cheers.heic': { width: 1440, height: 960, decibels: 44, icc: false, exif: false },
    'iphone_7.heic': { width: 3024, height: 4032, decibels: 54, icc: true, exif: true },
    'rainbow.heic': { width: 451, height: 461, decibels: 53, icc: true, exif: false },
  }

  test.each(corpus('heic').filter(path => basename(path) in expected))('%s', async path => {
    const { width, height, decibels, icc, exif } = expected[basename(path)]!
    const decoded = await decode(path)
    const own = await upright(decoded)
    const copy = files.path('judged.png')
    tool('heif-convert', path, copy)
    // It leaves the orientation in EXIF to be applied.
    const theirs = await raster(sharp(copy, { ignoreIcc: true }).autoOrient())
    expect([own.width, own.height]).toEqual([width, height])
    expect([theirs.width, theirs.height]).toEqual([width, height])
    expect(psnr(own.data, theirs.data)).toBeGreaterThan(decibels)
    expect([decoded.icc !== undefined, decoded.exif !== undefined]).toEqual([icc, exif])
  })
})
