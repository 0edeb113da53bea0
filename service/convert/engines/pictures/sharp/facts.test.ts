import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { heicOf, irot } from '../../../../../testing/fixtures/heif.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { gradient } from '../../../../../testing/fixtures/pixels.ts'
import { gifOf } from '../../../../../testing/gif.ts'
import { factsOf } from './facts.ts'

const files = testFiles('facts')
const plain = (channels: 3 | 4 = 3) =>
  sharp({ create: { width: 30, height: 20, channels, background: { r: 9, g: 8, b: 7, alpha: 0.5 } } })

const box = { x: 0, y: 0, width: 4, height: 4, colour: 1, dispose: 0 }

test('the header of a picture gives its size, frames, transparency and whether it has metadata', async () => {
  const path = files.path('turned.jpg')
  await plain()
    .withExif({ IFD0: { Artist: 'Someone' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toFile(path)
  expect(await factsOf(path)).toEqual({
    hdr: false,
    motionVideo: false,
    width: 20,
    height: 30,
    frames: 1,
    alpha: false,
    highBitDepth: false,
    metadata: true,
  })
  await plain(4).png().toFile(files.path('still.png'))
  expect(await factsOf(files.path('still.png'))).toEqual({
    ...{
      hdr: false,
      motionVideo: false,
      width: 30,
      height: 20,
      frames: 1,
      alpha: true,
      highBitDepth: false,
      metadata: false,
    },
  })
  const gif = files.path('moving.gif')
  writeFileSync(gif, gifOf(10, 8, [box, { ...box, x: 2 }, { ...box, x: 4 }]))
  expect(await factsOf(gif)).toMatchObject({ width: 10, height: 8, frames: 3 })
  tool('ffmpeg', '-y', '-v', 'error', '-i', gif, '-f', 'apng', files.path('moving.png'))
  expect(await factsOf(files.path('moving.png'))).toMatchObject({ width: 10, height: 8, frames: 2 })
  tool('convert', gif, files.path('pages.tiff'))
  expect(await factsOf(files.path('pages.tiff'))).toMatchObject({ frames: 1, pages: 3 })
})

test('an alpha channel that is full is no transparency, in 8 and in 16 bits; one pixel in it is', async () => {
  const path = files.path('channel.png')
  const convert = (...args: string[]) => tool('convert', '-size', '30x20', ...args, `PNG64:${path}`)
  convert('xc:rgb(9,8,7)', '-alpha', 'opaque', '-depth', '16')
  expect(await factsOf(path)).toMatchObject({ alpha: false, highBitDepth: true })
  convert(
    'xc:rgb(9,8,7)',
    '-alpha',
    'set',
    '-region',
    '1x1+29+19',
    '-channel',
    'A',
    '-evaluate',
    'set',
    '50%',
  )
  expect(await factsOf(path)).toMatchObject({ alpha: true, highBitDepth: true })
  await sharp({ create: { width: 30, height: 20, channels: 4, background: '#998877' } })
    .png()
    .toFile(path)
  expect(await factsOf(path)).toMatchObject({ alpha: false, highBitDepth: false })
})

test('camera, date and place are among the facts', async () => {
  const path = files.path('placed.jpg')
  await plain().jpeg().toFile(path)
  tool(
    ...(['exiftool', '-q', '-overwrite_original', '-Make=Apple', '-Model=iPhone 12'] as const),
    ...['-DateTimeOriginal=2021:05:03 10:00:00', '-GPSLatitude=33.8568', '-GPSLatitudeRef=S'],
    ...['-GPSLongitude=151.2153', '-GPSLongitudeRef=E', path],
  )
  expect(await factsOf(path)).toMatchObject({
    ...{ camera: 'Apple iPhone 12', taken: '2021-05-03T10:00:00', place: '-33.8568, 151.2153' },
  })
})

test('a HEIC picture is turned by its own properties, not by its EXIF too', async () => {
  const raster = gradient(128, 64)
  const jpeg = await plain().withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const exif = (await sharp(jpeg).metadata()).exif!.subarray(6)
  const turned = files.write(heicOf(raster, { exif, transforms: [irot(3)] }), 'heic')
  expect(await factsOf(turned)).toEqual({
    hdr: false,
    motionVideo: false,
    width: 64,
    height: 128,
    frames: 1,
    alpha: false,
    highBitDepth: false,
    metadata: true,
  })
  const alpha = files.write(heicOf(raster, { alpha: new Uint8Array(128 * 64) }), 'heic')
  expect(await factsOf(alpha)).toMatchObject({ width: 128, height: 64, alpha: true, metadata: false })
})

test('there are no facts about a file that is not a picture', async () => {
  const path = files.path('a.svg')
  writeFileSync(path, '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  expect(await factsOf(path)).toBeUndefined()
  writeFileSync(path, '')
  expect(await factsOf(path)).toBeUndefined()
})
