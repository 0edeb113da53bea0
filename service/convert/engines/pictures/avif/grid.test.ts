import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { decode, writePnm } from '../../../../../testing/pictures.ts'
import { convertFile } from '../../../../../testing/samples/convert.ts'
import { kinds } from '../../../../../testing/samples/full.ts'
import { judge, tool } from '../../../../../testing/samples/media.ts'
import { gradient, psnr } from '../../../../../testing/samples/pixels.ts'
import { readItems } from '../heif/items.ts'
import { describe as describePicture } from '../heif/picture.ts'
import { type Sharp, sharp } from '../sharp/load.ts'
import { tilingOf, writeTiles } from './tiles.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-grid-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

const tiling = { edge: 90, parallel: 2 }
const lossless = (tile: Sharp) => tile.avif({ lossless: true, effort: 0 })

/** A gradient with odd dimensions, as ImageMagick decodes it from PNG, and as libvips keeps it. */
async function source(name: string, width: number, height: number, ...operations: string[]) {
  const png = at(`${name}.png`)
  tool('convert', writePnm(gradient(width, height), at(`${name}.ppm`)), ...operations, png)
  await sharp(png)
    .toColourspace('srgb')
    .keepMetadata()
    .toFile(at(`${name}.v`))
  return { width, height, stage: at(`${name}.v`), pixels: decode(png).data }
}

describe('a grid of tiles', () => {
  const sources: [string, number, number, string[]][] = [
    ['even', 360, 270, []],
    ['odd', 201, 133, []],
    ['one column', 64, 331, []],
    ['with transparency', 203, 131, ['-alpha', 'set', '-channel', 'A', '-fx', 'i/w']],
  ]
  test.each(kinds(sources, ([name]) => name === 'one column' || name === 'with transparency'))(
    'keeps every pixel: %s',
    async (name, width, height, operations) => {
      const { stage, pixels } = await source(name, width, height, ...operations)
      const path = at(`${name}.avif`)
      await writeTiles(stage, { width, height }, tiling, lossless, path)
      const picture = describePicture(readItems(readFileSync(path)))
      expect(picture).toMatchObject({
        size: { width, height },
        coding: 'av01',
        hasAlpha: operations.length > 0,
      })
      expect([picture.columns, picture.rows]).toEqual([Math.ceil(width / 90), Math.ceil(height / 90)])
      // Checked by libavif, libheif and, as the app reads it back, sharp.
      expect(Buffer.compare(decode(path).data, pixels)).toBe(0)
      const heif = at(`${name}-heif.png`)
      expect(judge('heif-convert', path, heif).status).toBe(0)
      expect(Buffer.compare(decode(heif).data, pixels)).toBe(0)
      expect(Buffer.compare(await sharp(path).ensureAlpha().raw().toBuffer(), pixels)).toBe(0)
    },
  )

  test('with half-resolution chroma requires an even size', async () => {
    for (const [width, height] of [
      [300, 200],
      [301, 200],
    ] as const) {
      const { stage, pixels } = await source(`lossy-${width}`, width, height)
      const path = at(`lossy-${width}.avif`)
      const encoding = (tile: Sharp) => tile.avif({ quality: 70, effort: 2, chromaSubsampling: '4:2:0' })
      await writeTiles(stage, { width, height }, tiling, encoding, path)
      expect(tool('avifdec', '--info', path)).toContain(width % 2 === 0 ? 'YUV420' : 'YUV444')
      expect(psnr(decode(path).data, pixels)).toBeGreaterThan(40)
    }
  })

  test('stores profile, EXIF and XMP once, for the whole picture', async () => {
    const { stage, width, height } = await source('described', 200, 150)
    const described = at('described-kept.v')
    await sharp(stage)
      .withExif({ IFD0: { Copyright: 'The photographer' } })
      .withXmp(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/x-test"/></rdf:RDF></x:xmpmeta>',
      )
      .withIccProfile('p3')
      .toFile(described)
    const path = at('described.avif')
    await writeTiles(described, { width, height }, tiling, tile => lossless(tile.keepMetadata()), path)
    const { icc, exif, xmp } = describePicture(readItems(readFileSync(path)))
    expect(Buffer.from(icc ?? [])).toEqual((await sharp(described).metadata()).icc)
    expect(Buffer.from(exif ?? []).toString('latin1')).toContain('The photographer')
    expect(Buffer.from(xmp ?? []).toString('latin1')).toContain('image/x-test')
    const tags = tool('exiftool', '-s', '-Copyright', '-ProfileDescription', '-XMP-dc:Format', path)
    expect(tags.match(/: .+/g)).toEqual([': The photographer', expect.stringMatching(/P3/), ': image/x-test'])
    expect(tool('avifdec', '--info', path)).toMatch(/ICC Profile +: Present[\s\S]*Exif Metadata +: Present/)
  })

  test('a damaged tile leaves no seemingly complete file behind', async () => {
    const { stage, width, height } = await source('failing', 200, 150)
    const path = at('failing.avif')
    let tiles = 0
    const failing = (tile: Sharp) =>
      lossless(++tiles > 3 ? tile.extract({ left: 0, top: 0, width: 9999, height: 1 }) : tile)
    await expect(writeTiles(stage, { width, height }, tiling, failing, path)).rejects.toThrow('extract_area')
    expect(() => readFileSync(path)).toThrow('ENOENT')
  })
})

test('pictures are split if the encoder would otherwise need too much memory', () => {
  const megapixels = (count: number) => ({ width: count * 1000, height: 1000 })
  expect(tilingOf(megapixels(12), false, true)).toBeUndefined()
  expect(tilingOf(megapixels(12), true, true)).toMatchObject({ edge: 1024 })
  expect(tilingOf(megapixels(24), false, true)).toMatchObject({ edge: 1024 })
  expect(tilingOf(megapixels(24), false, false)).toBeUndefined()
  expect(tilingOf(megapixels(24), true, false)).toMatchObject({ edge: 4096 })
  expect(tilingOf(megapixels(45), false, false)).toMatchObject({ edge: 4096 })
})

testFull('a large picture becomes tiled lossless AVIF, upright and with its metadata', async () => {
  const turned = at('turned.png')
  const { data, ...size } = gradient(250, 286)
  await sharp(data, { raw: { ...size, channels: 3 } })
    .resize({ width: 3501, height: 4001, fit: 'fill', kernel: 'nearest' })
    .withExif({ IFD0: { Copyright: 'The photographer', Orientation: '6' } })
    .png({ compressionLevel: 1 })
    .toFile(turned)
  const options = { smartCompression: { enabled: true, mode: 'lossless' }, metadata: { strip: false } }
  const { path, folder: written } = await convertFile('image.png-to-avif', turned, options)
  expect(describePicture(readItems(readFileSync(path)))).toMatchObject({
    columns: 4,
    rows: 4,
    orientation: 1,
  })
  const upright = await sharp(turned).autoOrient().ensureAlpha().raw().toBuffer()
  expect(Buffer.compare(decode(path).data, upright)).toBe(0)
  expect(tool('exiftool', '-s', '-s', '-s', '-n', '-Copyright', '-Orientation', path)).toBe(
    'The photographer\n1\n',
  )
  rmSync(`${path}.png`)
  expect(tool('ls', written).trim()).toBe('output-0.avif')
})
