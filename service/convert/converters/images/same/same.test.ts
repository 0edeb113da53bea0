import { writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { gradient, psnr, seeded } from '../../../../../testing/fixtures/pixels.ts'
import { gifOf } from '../../../../../testing/gif.ts'
import { decode, decodeFrames } from '../../../../../testing/pictures.ts'
import { isApng } from '../../../engines/pictures/apng/read.ts'
import { isFrame, SCAN, segments } from '../../../engines/pictures/formats/jpeg.ts'
import { chunk } from '../../../engines/pictures/formats/png.ts'

const files = testFiles('same')
const smaller = { smartCompression: { enabled: true, mode: 'lossy' } }

/** A picture with noise like a photo. */
function photo(width = 320, height = 240) {
  const { data } = gradient(width, height)
  const random = seeded(1)
  return sharp(
    Uint8Array.from(data, value => Math.max(0, Math.min(255, value + random(13) - 6))),
    { raw: { width, height, channels: (data.length / (width * height)) as 3 | 4 } },
  )
}

const GPS = { IFD0: { Copyright: 'Someone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } }

/** The photo, in good quality and with metadata. */
const writers = {
  jpg: () => photo(200, 150).withExif(GPS).jpeg({ quality: 97 }),
  png: () => photo(200, 150).withExif(GPS).png({ compressionLevel: 1 }),
  webp: () => photo(200, 150).withExif(GPS).webp({ quality: 97 }),
  avif: () => photo(200, 150).withExif(GPS).avif({ quality: 95, effort: 1 }),
}

test.each(Object.entries(writers))('a %s becomes smaller and looks the same', async (format, write) => {
  const path = files.path(`photo.${format}`)
  await write().toFile(path)
  const { path: result, outputs, warnings } = await convertFile(`image.${format}-to-${format}`, path, smaller)
  expect((await stat(result)).size).toBeLessThan((await stat(path)).size * 0.8)
  expect(psnr(decode(result).data, decode(path).data)).toBeGreaterThan(28)
  expect((await sharp(result).metadata()).exif).toBeUndefined()
  expect(warnings).toEqual([])
  expect(outputs[0]?.name).toBe(`photo.${format}`)
})

/** The photo, encoded so roughly that a better encoding takes more bytes. */
const rough = {
  jpg: () => photo().jpeg({ quality: 20, mozjpeg: true }),
  png: () => photo().png({ palette: true, colours: 4, compressionLevel: 9, effort: 10 }),
  webp: () => photo().webp({ quality: 5, effort: 6 }),
}

test('a JPEG in inks that cannot become smaller is shown by every program then', async () => {
  const path = files.path('inks.jpg')
  await photo().toColourspace('cmyk').jpeg({ quality: 20 }).toFile(path)
  const { path: result } = await convertFile('image.jpg-to-jpg', path, { quality: 100 })
  expect(tool('identify', '-format', '%[colorspace]', result)).toBe('sRGB')
})

test('a JPEG of RGB that Adobe marks keeps its colours without its metadata', async () => {
  const path = files.path('marked.jpg')
  await photo().jpeg({ quality: 20 }).toFile(files.path('plain.jpg'))
  tool('convert', files.path('plain.jpg'), files.path('plain.ppm'))
  tool('cjpeg', '-rgb', '-quality', '20', '-outfile', path, files.path('plain.ppm'))
  const bytes = await readFile(path)
  // Without the mark, these numbers of the components would mean YCbCr.
  for (const { marker, start } of segments(bytes))
    for (const at of [0, 1, 2]) {
      if (isFrame(marker)) bytes[start + 10 + 3 * at] = at + 1
      if (marker === SCAN) bytes[start + 5 + 2 * at] = at + 1
    }
  writeFileSync(path, bytes)
  const { path: result, warnings } = await convertFile('image.jpg-to-jpg', path, { quality: 100 })
  expect([warnings.length, psnr(decode(result).data, decode(path).data)]).toEqual([
    1,
    Number.POSITIVE_INFINITY,
  ])
})

test.each(onlyFull(Object.entries(rough)))(
  'a %s that cannot become smaller stays as it is, without its location',
  async (format, write) => {
    const path = files.path(`rough.${format}`)
    await write().toFile(path)
    tool('exiftool', '-q', '-overwrite_original', '-EXIF:GPSLatitude=52.5', '-XMP:Title=Hello', path)
    const options = { smartCompression: { enabled: true, mode: 'lossless' }, quality: 100 }
    const kept = { ...options, metadata: { keep: 'no-place' } }
    const placeless = await convertFile(`image.${format}-to-${format}`, path, kept)
    expect(placeless.warnings).toContain(
      'The file could not be made smaller without losing quality, so it was kept, and only camera data were removed.',
    )
    expect(tool('exiftool', '-s3', '-GPSLatitude', '-Title', placeless.path).trim()).toBe('Hello')
    // Without a place, not a byte changes.
    const again = files.path(`placeless.${format}`)
    writeFileSync(again, await readFile(placeless.path))
    const same = await convertFile(`image.${format}-to-${format}`, again, kept)
    expect(same.warnings).toContain(
      'The file could not be made smaller without losing quality, so it was kept as it is.',
    )
    expect(await readFile(same.path)).toEqual(await readFile(again))
    const { path: result, warnings } = await convertFile(`image.${format}-to-${format}`, path, options)
    expect(warnings).toContain(placeless.warnings.at(-1))
    expect((await stat(result)).size).toBeLessThan((await stat(path)).size)
    expect(psnr(decode(result).data, decode(path).data)).toBe(Number.POSITIVE_INFINITY)
    expect(tool('exiftool', '-s3', '-GPSLatitude', '-Title', result).trim()).toBe('')
  },
)

testFull('the original keeps its metadata on request, and its orientation always', async () => {
  const path = files.path('turned.jpg')
  const low = await photo(160, 120).jpeg({ quality: 20, mozjpeg: true }).toBuffer()
  writeFileSync(path, low)
  tool('exiftool', '-q', '-n', '-overwrite_original', '-Orientation=6', '-GPSLatitude=52.5', path)
  const lossless = { smartCompression: { enabled: true, mode: 'lossless' }, quality: 100 }
  const kept = await convertFile('image.jpg-to-jpg', path, { ...lossless, metadata: { strip: false } })
  expect(await readFile(kept.path)).toEqual(await readFile(path))
  const bare = await convertFile('image.jpg-to-jpg', path, lossless)
  expect(tool('exiftool', '-n', '-s3', '-Orientation', bare.path).trim()).toBe('6')
  expect(tool('exiftool', '-s3', '-GPSLatitude', bare.path).trim()).toBe('')
})

test('a resized picture has the requested size, even if the file is larger', async () => {
  const path = files.path('small.webp')
  await photo(80, 60).webp({ quality: 5 }).toFile(path)
  const resize = { enabled: true, preset: 'custom', mode: 'percentage', value: 200, enlarge: true }
  const { path: result, warnings } = await convertFile('image.webp-to-webp', path, { resize })
  expect(await sharp(result).metadata()).toMatchObject({ width: 160, height: 120 })
  expect(warnings).toEqual([])
})

const boxes = [4, 12, 20].map(x => ({ x, y: 8, width: 16, height: 16, colour: 2, dispose: 0 }))

test.each(few(2, ['gif', 'png', 'webp', 'avif']))('an animated %s stays animated', async format => {
  const gif = files.path('moving.gif')
  writeFileSync(gif, gifOf(40, 40, boxes))
  const path = files.path(`moving.${format}`)
  if (format === 'png') {
    tool('ffmpeg', '-y', '-v', 'error', '-i', gif, '-f', 'apng', path)
    expect(await isApng(path)).toBe(true)
  } else if (format === 'webp') await sharp(gif, { animated: true }).webp({ lossless: true }).toFile(path)
  else if (format === 'avif') {
    const made = await convertFile('image.gif-to-avif', gif)
    writeFileSync(path, await readFile(made.path))
  }
  const { path: result } = await convertFile(`image.${format}-to-${format}`, path, smaller)
  expect((await stat(result)).size).toBeLessThanOrEqual((await stat(path)).size)
  const frames = (await sharp(gif, { animated: true }).metadata()).pages
  if (format === 'webp') expect((await sharp(result, { animated: true }).metadata()).pages).toBe(frames)
  else if (format !== 'avif') {
    const { width, height } = await sharp(gif).metadata()
    expect(decodeFrames(result, width, height)).toHaveLength(frames ?? 0)
  } else expect((await readFile(result)).toString('latin1', 4, 12)).toBe('ftypavis')
})

test('an animated PNG of one frame becomes a PNG', async () => {
  const path = files.path('one-frame.png')
  const png = await photo(80, 60).png({ compressionLevel: 0 }).toBuffer()
  const control = Buffer.alloc(26)
  control.writeUInt32BE(80, 4)
  control.writeUInt32BE(60, 8)
  const animation = Buffer.concat([
    chunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])),
    chunk('fcTL', control),
  ])
  // After the header, which has 33 bytes with the signature.
  writeFileSync(path, Buffer.concat([png.subarray(0, 33), animation, png.subarray(33)]))
  const smartCompression = { enabled: true, mode: 'lossless' }
  const {
    path: result,
    outputs,
    warnings,
  } = await convertFile('image.png-to-png', path, { smartCompression })
  expect(warnings).toEqual([])
  expect(outputs[0]?.name).toBe('one-frame.png')
  expect(await isApng(result)).toBe(false)
  const pixels = (file: string) => sharp(file).raw().toBuffer()
  expect((await pixels(result)).equals(await pixels(path))).toBe(true)
})
