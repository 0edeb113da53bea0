import { basename } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, isFull, kinds, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { box, heicOf, irot } from '../../../../../testing/fixtures/heif.ts'
import { corpus, exif, hasCorpus, tool } from '../../../../../testing/fixtures/media.ts'
import { gradient, psnr, seeded } from '../../../../../testing/fixtures/pixels.ts'
import { JobFailure } from '../../../../shared/errors.ts'

const files = testFiles('heic')
const write = (bytes: Uint8Array) => files.write(bytes, 'heic')

const picture = gradient(240, 160)
const rgb = { raw: { width: 240, height: 160, channels: 3 as const } }

const samples = (path: string) => sharp(path).raw().toBuffer()
const tag = (path: string, name: string) => exif(path)[name] ?? ''

test.each(few(1, ['1x1', '16x9', '3x40']))(
  'a picture of %s pixels is larger than that only in its code',
  async size => {
    const png = files.path(`${size}.png`)
    tool('convert', '-size', size, 'xc:#36c', png)
    const { path } = await convertFile('image.png-to-heic', png)
    const read = files.path(`${size}-read.png`)
    tool('heif-convert', path, read)
    expect(tag(read, 'ImageSize')).toBe(size.replace('x', ' '))
    expect(
      psnr(await samples(read), await sharp(png).toColourspace('srgb').raw().toBuffer()),
    ).toBeGreaterThan(35)
  },
)

testFull(
  'HEIC is written for other readers: upright, with its colours, clear parts and metadata',
  async () => {
    const png = files.path('odd.png')
    tool('convert', '-size', '61x43', 'gradient:#ff2200ff-#0022ff00', png)
    const clear = await convertFile('image.png-to-heic', png, { quality: 95 })
    const read = files.path('read.png')
    tool('heif-convert', clear.path, read)
    expect(tag(read, 'ImageSize')).toBe('61 43')
    expect(psnr(await samples(read), await samples(png))).toBeGreaterThan(38)
    expect((await sharp(read).stats()).channels[3]).toMatchObject({ min: 0 })

    const jpg = files.path('turned.jpg')
    await sharp(picture.data, rgb).jpeg({ quality: 98 }).toFile(jpg)
    tool(
      'exiftool',
      '-q',
      '-overwrite_original',
      '-n',
      '-Orientation=6',
      '-Artist=Someone',
      '-XMP:Title=It',
      jpg,
    )
    const kept = await convertFile('image.jpg-to-heic', jpg, { quality: 90, metadata: { strip: false } })
    expect(tool('heif-info', kept.path)).toMatch(/image: 160x240 .*primary/)
    expect(tool('exiftool', '-s3', '-n', '-FileType', '-Orientation', '-Artist', '-Title', kept.path)).toBe(
      'HEIC\n1\nSomeone\nIt\n',
    )
    tool('heif-convert', kept.path, read)
    const upright = await sharp(picture.data, rgb).rotate(90).raw().toBuffer()
    expect(psnr(await samples(read), upright)).toBeGreaterThan(36)
    // And back, by the reader here.
    const back = await convertFile('image.heic-to-png', clear.path)
    expect(psnr(await samples(back.path), await samples(png))).toBeGreaterThan(38)
    const bare = await convertFile('image.jpg-to-heic', jpg)
    expect(tool('exiftool', '-s3', '-Artist', '-Title', bare.path)).toBe('')
  },
)

describe('targets', () => {
  const path = write(heicOf(picture, { tile: 128, transforms: [irot(3)] }))

  test.each(few(2, ['avif', 'jpg', 'png', 'webp']))('%s, upright', async target => {
    const { path: output, warnings } = await convertFile(`image.heic-to-${target}`, path)
    expect(tag(output, 'ImageSize')).toBe('160 240')
    const upright = await sharp(picture.data, rgb).rotate(90).raw().toBuffer()
    expect(psnr(await samples(output), upright)).toBeGreaterThan(33)
    expect(warnings).toEqual([])
  })

  const samplings: [string, Record<string, unknown>, string][] = [
    ['yuv420p', {}, '2x2'],
    ['yuv444p', {}, '1x1'],
    ['yuv420p', { resize: { enabled: true, mode: 'pixels', preset: 'custom', value: 120 } }, '1x1'],
  ]
  test.each(onlyFull(samplings))(
    "jpg from %s with %o has the source's colour",
    async (pixelFormat, options, sampling) => {
      const { path: output } = await convertFile(
        'image.heic-to-jpg',
        write(heicOf(picture, { pixelFormat })),
        options,
      )
      expect(tool('identify', '-format', '%[jpeg:sampling-factor]', output)).toMatch(
        new RegExp(`^${sampling}`),
      )
    },
  )

  testFull('resized', async () => {
    const resize = { enabled: true, mode: 'pixels', preset: 'custom', value: 120 }
    const { path: output } = await convertFile('image.heic-to-png', path, { resize })
    expect(tool('identify', '-format', '%wx%h', output)).toBe('80x120')
  })
})

describeFull('colours', true, () => {
  /** The picture's samples in Display P3, and that profile. */
  async function displayP3() {
    const png = await sharp(picture.data, rgb).withIccProfile('p3').png().toBuffer()
    const { icc } = await sharp(png).metadata()
    const { data, info } = await sharp(png, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, icc: icc! }
  }
  const pngOf = async (bytes: Uint8Array) =>
    samples((await convertFile('image.heic-to-png', write(bytes))).path)

  test('a wide gamut becomes sRGB, by profile and by code points alike', async () => {
    const { icc, ...p3 } = await displayP3()
    expect(psnr(p3.data, picture.data)).toBeLessThan(35)
    expect(psnr(await pngOf(heicOf(p3, { icc })), picture.data)).toBeGreaterThan(38)
    const nclx = { primaries: 12, transfer: 13, matrix: 6, fullRange: true }
    expect(psnr(await pngOf(heicOf(p3, { nclx })), picture.data)).toBeGreaterThan(38)
  })

  test('HDR white is light, neither grey nor clipped, with both curves', async () => {
    // ITU-R BT.2408 puts diffuse white at 58 % of PQ and 75 % of HLG, and 18 % grey, 26 nits of its 203, at 38 % of both.
    const patch = async (signal: number, transfer: number) => {
      const grey = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(Math.round(signal * 255)) }
      const nclx = { primaries: 9, transfer, matrix: 9, fullRange: true }
      const recipe = { nclx, matrix: 'bt2020', pixelFormat: 'yuv420p10le' }
      const [red, green, blue] = await pngOf(heicOf(grey, recipe))
      expect(Math.max(red!, green!, blue!) - Math.min(red!, green!, blue!)).toBeLessThanOrEqual(2)
      return green!
    }
    const [whitePq, whiteHlg] = [await patch(0.58, 16), await patch(0.75, 18)]
    expect(Math.abs(whitePq - whiteHlg)).toBeLessThan(6)
    expect(whitePq).toBeGreaterThan(225)
    expect(whitePq).toBeLessThan(245)
    if (isFull)
      for (const transfer of [16, 18]) expect(Math.abs((await patch(0.38, transfer)) - 100)).toBeLessThan(8)
  })

  test('transparency is kept, or becomes white', async () => {
    const alpha = new Uint8Array(240 * 160).fill(0, 0, 240 * 80).fill(255, 240 * 80)
    const path = write(heicOf(picture, { alpha }))
    const png = await samples((await convertFile('image.heic-to-png', path)).path)
    expect([png[3], png[png.length - 1]]).toEqual([0, 255])
    const jpg = await samples((await convertFile('image.heic-to-jpg', path)).path)
    expect([...jpg.subarray(0, 3)].every(value => value > 250)).toBe(true)
  })
})

describeFull('metadata', true, () => {
  const described = async () => {
    const jpeg = await sharp(picture.data, rgb)
      .withExif({ IFD0: { Make: 'Maker', Model: 'Model' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const exif = (await sharp(jpeg).metadata()).exif!.subarray(6)
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>'
    return write(heicOf(picture, { exif, xmp, transforms: [irot(3)] }))
  }

  test.each(onlyFull(['avif', 'jpg', 'png', 'webp']))('is kept on request: %s', async target => {
    const kept = await convertFile(`image.heic-to-${target}`, await described(), {
      metadata: { strip: false },
    })
    expect(tag(kept.path, 'Make')).toBe('Maker')
    expect(tag(kept.path, 'Rating')).toBe('4')
    expect(tag(kept.path, 'Orientation')).toMatch(/^1?$/)
    expect(tag(kept.path, 'ImageSize')).toBe('160 240')
  })

  test('is removed otherwise', async () => {
    const { path } = await convertFile('image.heic-to-jpg', await described())
    expect(tag(path, 'Make') + tag(path, 'Rating')).toBe('')
    expect(tag(path, 'ImageSize')).toBe('160 240')
  })
})

/** Converts, and returns failures meant for people as their code; everything else fails the test. */
async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    await convertFile('image.heic-to-jpg', write(bytes))
    return 'converted'
  } catch (error) {
    if (error instanceof JobFailure) return error.code
    throw error
  }
}

testFull('what the decoder of HEVC only warns of is damage', async () => {
  const bytes = heicOf(picture, { pixelFormat: 'yuv420p10le' })
  bytes.fill(0, bytes.length - 2000)
  const { warnings } = await convertFile('image.heic-to-jpg', write(bytes))
  expect(warnings).toEqual([expect.stringContaining('damaged')])
})

describe('files that cannot be read', () => {
  test('AV1 inside is still read', async () => {
    const [png, avif] = [files.path('in.png'), files.path('av1.heic')]
    await sharp(picture.data, rgb).png().toFile(png)
    tool('heif-enc', '-A', '-q', '90', '-o', avif, png)
    const { path } = await convertFile('image.heic-to-png', avif)
    expect(psnr(await samples(path), picture.data)).toBeGreaterThan(30)
  })

  test('an unknown coding is distinguished from damage', async () => {
    for (const coding of kinds(['zzz1', 'unci'], each => each === 'zzz1'))
      expect(await outcome(heicOf(picture, { coding }))).toBe('jobs.unsupported_input')
  })

  test('sizes beyond the limit are refused before anything is decoded', async () => {
    const bytes = heicOf(picture)
    const ispe = bytes.indexOf('ispe')
    bytes.writeUInt32BE(60_000, ispe + 8)
    bytes.writeUInt32BE(60_000, ispe + 12)
    expect(await outcome(bytes)).toBe('jobs.too_large')
  })

  test('a size that differs from the coded one is damage', async () => {
    const bytes = heicOf(picture)
    bytes.writeUInt32BE(4000, bytes.indexOf('ispe') + 8)
    expect(await outcome(bytes)).toBe('jobs.corrupt_input')
  })

  test('a grid of more tiles than are read is refused', async () => {
    const bytes = heicOf(picture, { tile: 128 })
    const counts = bytes.indexOf('0000010100f000a0', 'hex') + 2
    bytes.fill(255, counts, counts + 2)
    expect(await outcome(bytes)).toBe('jobs.too_large')
  })

  test('a location without width and with a million extents is refused quickly', async () => {
    const bytes = heicOf(picture, { tile: 128 })
    const iloc = bytes.indexOf('iloc')
    // Zero-width fields, and as many extents as fit into every item.
    bytes.writeUInt16BE(0, iloc + 8)
    bytes.fill(0xff, iloc + 12, iloc + 60)
    expect(await outcome(bytes)).toBe('jobs.too_large')
  })

  test('random bytes, and an empty file', async () => {
    const next = seeded(1)
    expect(await outcome(Uint8Array.from({ length: 5000 }, () => next(256)))).toBe('jobs.corrupt_input')
    expect(await outcome(new Uint8Array(0))).toBe('jobs.corrupt_input')
  })
})

describeFull('camera files', hasCorpus, () => {
  const expected: Record<string, string> = {
    'IMG_2682.heic': '4032x3024',
    'cheers.heic': '1440x960',
    'iphone_7.heic': '3024x4032',
    'rainbow.heic': '451x461',
    'transmute.heif': '8736x5856',
  }

  test.each(corpus('heic').filter(path => basename(path) in expected))('%s', async path => {
    const { path: output, warnings } = await convertFile('image.heic-to-jpg', path)
    expect(tool('identify', '-format', '%wx%h', output)).toBe(expected[basename(path)])
    const reference = files.path('reference.jpg')
    tool('heif-convert', '-q', '98', path, reference)
    // Small, so that compression matters little and both are converted to sRGB in the same way.
    const small = (file: string) =>
      sharp(file).autoOrient().resize(400).toColourspace('srgb').raw().toBuffer()
    expect(psnr(await small(output), await small(reference))).toBeGreaterThan(38)
    expect(warnings).toEqual([])
  })
})

test.each(['heic', 'avif'])('%s in short boxes is unsupported, not damaged', async format => {
  const short = Buffer.concat([
    Buffer.from('\0\0\0\x10ftypmif3'),
    Buffer.from(format),
    box('mini', Buffer.alloc(40)),
  ])
  await expect(convertFile(`image.${format}-to-png`, files.write(short, format))).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})
