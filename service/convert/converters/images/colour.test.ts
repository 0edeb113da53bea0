import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { gradient, psnr } from '../../../../testing/fixtures/pixels.ts'
import { decode, identify, makePicture, onWhite, writePnm } from '../../../../testing/pictures.ts'
import { sharp } from '../../engines/pictures/sharp/load.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-colour-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

beforeAll(() => {
  writePnm(gradient(60, 40), file('a.ppm'))
  makePicture(file('a.ppm'), file('a.jpg'))
})

test('in JPEG, photos have colours of half the resolution, and no more bytes than cjpeg writes', async () => {
  tool('convert', '-seed', '1', '-size', '320x240', 'plasma:fractal', file('photo.png'))
  tool(
    'convert',
    '-size',
    '320x240',
    'xc:white',
    '-fill',
    'red',
    '-draw',
    'circle 90,90 90,20',
    file('flat.png'),
  )
  const samplingOf = async (name: string, quality: number) => {
    const { path } = await convertFile('image.png-to-jpg', file(name), { quality })
    return [tool('identify', '-format', '%[jpeg:sampling-factor]', path).slice(0, 3), path] as const
  }
  const [sampling, path] = await samplingOf('photo.png', 90)
  expect(sampling).toBe('2x2')
  tool('convert', file('photo.png'), file('photo.ppm'))
  tool('cjpeg', '-quality', '90', '-outfile', file('photo.jpg'), file('photo.ppm'))
  expect(statSync(path).size).toBeLessThanOrEqual(statSync(file('photo.jpg')).size)
  expect((await samplingOf('photo.png', 96))[0]).toBe('1x1')
  expect((await samplingOf('flat.png', 90))[0]).toBe('1x1')
})

describe('metadata', () => {
  beforeAll(() => {
    copyFileSync(file('a.jpg'), file('tagged.jpg'))
    tool(
      ...(['exiftool', '-q', '-overwrite_original', '-Make=Acme', '-Orientation#=6'] as const),
      ...[
        '-GPSLatitude=51.5',
        '-GPSLatitudeRef=N',
        '-XMP-dc:Title=Hello',
        '-IPTC:City=Rome',
        file('tagged.jpg'),
      ],
    )
  })
  const NONE = ['-', '-', '-', '-']
  const tags = (path: string) =>
    tool('exiftool', '-T', '-n', '-Make', '-GPSLatitude', '-Orientation', '-XMP:Title', path)
      .trim()
      .split('\t')

  test.each(few(1, ['png', 'webp', 'avif']))(
    'is removed from %s by default, its orientation applied',
    async target => {
      const { path } = await convertFile(`image.jpg-to-${target}`, file('tagged.jpg'))
      expect(tags(path)).toEqual(NONE)
      expect(identify(path)).toContain('40x60')
      expect(psnr(onWhite(decode(path)), turned())).toBeGreaterThan(30)
    },
  )

  test.each(few(1, ['png', 'webp', 'avif']))('is kept in %s when asked to, upright', async target => {
    const { path } = await convertFile(`image.jpg-to-${target}`, file('tagged.jpg'), {
      metadata: { strip: false },
    })
    expect(tags(path)).toEqual(['Acme', '51.5', '1', 'Hello'])
    expect(identify(path)).toContain('40x60')
  })

  const turned = () => {
    tool('convert', file('a.ppm'), '-rotate', '90', file('turned.png'))
    return onWhite(decode(file('turned.png')))
  }

  testFull('every orientation is applied', async () => {
    // In the short suite turned, and turned and mirrored.
    const orientations = kinds([1, 2, 3, 4, 5, 6, 7, 8], each => each === 6 || each === 7)
    for (const at of orientations) copyFileSync(file('a.jpg'), file(`o${at}.jpg`))
    // One start for all of them.
    const steps = orientations.map(at => [
      '-q',
      '-overwrite_original',
      `-Orientation#=${at}`,
      file(`o${at}.jpg`),
    ])
    tool('exiftool', ...steps.flatMap((step, index) => (index > 0 ? ['-execute', ...step] : step)))
    for (const at of orientations) {
      const { path } = await convertFile('image.jpg-to-png', file(`o${at}.jpg`))
      tool('convert', file(`o${at}.jpg`), '-auto-orient', '-strip', file('upright.png'))
      expect(psnr(onWhite(decode(path)), onWhite(decode(file('upright.png')))), `${at}`).toBeGreaterThan(50)
    }
  })
})

describe('profiles', () => {
  /** A single-colour picture with sample values in a profile, made by libvips from an sRGB colour. */
  const profiled = async (name: string, profile: string, depth16 = false) => {
    const pixels = { create: { width: 8, height: 8, channels: 3 as const, background: '#c86432' } }
    const base = sharp(await sharp(pixels).png().toBuffer()).toColourspace(depth16 ? 'rgb16' : 'srgb')
    await base.withIccProfile(profile).toFile(file(name))
    return file(name)
  }
  const first = (path: string) => [...decode(path).data.subarray(0, 3)]
  const near = (a: number[], b: number[], within: number) =>
    a.every((value, i) => Math.abs(value - b[i]!) <= within)

  const depths = [
    ['8 bit', false],
    ['16 bit', true],
  ] as const
  test.each(kinds(depths, ([, highBitDepth]) => highBitDepth))(
    'of Display P3, %s, become sRGB',
    async (_, highBitDepth) => {
      const source = await profiled('p3.tiff', 'p3', highBitDepth)
      const { path } = await convertFile('image.tiff-to-png', source)
      expect(near(first(path), [0xc8, 0x64, 0x32], 2)).toBe(true)
      expect(tool('exiftool', '-ICC_Profile:all', path)).toBe('')
      const { path: jpg } = await convertFile('image.tiff-to-jpg', source)
      expect(near(first(jpg), [0xc8, 0x64, 0x32], 4)).toBe(true)
    },
  )

  test.each(onlyFull(depths))(
    'of Display P3, %s, stay with their samples if metadata is kept',
    async (_, highBitDepth) => {
      const source = await profiled('p3.tiff', 'p3', highBitDepth)
      for (const target of ['png', 'jpg']) {
        const { path } = await convertFile(`image.tiff-to-${target}`, source, { metadata: { strip: false } })
        expect(tool('exiftool', '-s3', '-ICC_Profile:ProfileDescription', path).trim()).not.toBe('')
        expect(near(first(path), first(source), 4)).toBe(true)
      }
    },
  )

  test.each(few(1, ['jpg', 'png', 'webp', 'avif', 'tiff']))(
    'of Display P3 are kept in %s on wish, or made',
    async target => {
      const source = await profiled('wide.jpg', 'p3')
      await profiled('plain.png', 'srgb')
      const description = (path: string) =>
        tool('exiftool', '-s3', '-ICC_Profile:ProfileDescription', path).trim()
      const kept = await convertFile(`image.jpg-to-${target}`, source, { colour: 'keep' })
      const made = await convertFile(
        target === 'png' ? 'image.jpg-to-png' : `image.png-to-${target}`,
        target === 'png' ? source : file('plain.png'),
        { colour: 'p3' },
      )
      for (const { path } of [kept, made]) {
        expect(description(path)).toBe(description(source))
        expect(tool('exiftool', '-EXIF:all', path)).not.toMatch(/Make|GPS/)
        if (target !== 'avif') expect(near(first(path), first(source), 4)).toBe(true)
      }
    },
  )

  test('of CMYK become sRGB, with or without metadata', async () => {
    const pixels = { create: { width: 8, height: 8, channels: 3 as const, background: '#a08070' } }
    const cmyk = sharp(await sharp(pixels).png().toBuffer())
      .toColourspace('cmyk')
      .withIccProfile('cmyk')
    await cmyk.jpeg({ quality: 100 }).toFile(file('cmyk.jpg'))
    expect(identify(file('cmyk.jpg'))).toContain('JPEG')
    for (const strip of [true, false]) {
      const { path } = await convertFile('image.jpg-to-png', file('cmyk.jpg'), { metadata: { strip } })
      expect(near(first(path), [0xa0, 0x80, 0x70], 12)).toBe(true)
    }
  })

  test('of 16-bit grey are applied', async () => {
    // Samples in a linear grey profile: middle grey by light is 188 in sRGB.
    tool(
      'convert',
      '-size',
      '8x8',
      'xc:gray(50%)',
      '-depth',
      '16',
      '-colorspace',
      'gray',
      file('plain16.tiff'),
    )
    const { data } = await sharp(file('plain16.tiff'))
      .toColourspace('grey16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true })
    const { wrapTiff } = await import('../../engines/pictures/sharp/tiff.ts')
    const { writeFile } = await import('node:fs/promises')
    const samples = new Uint16Array(64).fill(new Uint16Array(data.buffer, data.byteOffset, 1)[0]!)
    await writeFile(
      file('grey16.tiff'),
      wrapTiff({ data: samples, width: 8, height: 8, channels: 1, icc: linearGrey() }),
    )
    const { path } = await convertFile('image.tiff-to-png', file('grey16.tiff'))
    expect(near(first(path), [188, 188, 188], 3)).toBe(true)
  })
})

/** A grey ICC profile (version 2) whose samples are proportional to light. */
function linearGrey(): Buffer {
  const tag = (type: string, body: Buffer) => Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), body])
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4)
    for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, i * 4)
    return bytes
  }
  const text = Buffer.from('linear\0\0', 'latin1')
  const description = tag('desc', Buffer.concat([numbers(7), text.subarray(0, 7), Buffer.alloc(79)]))
  const parts: [string, Buffer][] = [
    ['desc', description],
    ['cprt', tag('text', text)],
    ['wtpt', tag('XYZ ', numbers(0xf6d6, 0x10000, 0xd32d))],
    ['kTRC', tag('curv', numbers(0))],
  ]
  let offset = 128 + 4 + parts.length * 12
  const table: Buffer[] = [numbers(parts.length)]
  const bodies: Buffer[] = []
  for (const [name, body] of parts) {
    table.push(Buffer.from(name, 'latin1'), numbers(offset, body.length))
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    bodies.push(padded)
    offset += padded.length
  }
  const header = Buffer.alloc(128)
  header.writeUInt32BE(offset, 0)
  header.writeUInt32BE(0x02100000, 8)
  header.write('mntrGRAYXYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  numbers(0xf6d6, 0x10000, 0xd32d).copy(header, 68)
  return Buffer.concat([header, ...table, ...bodies])
}

describe('depth', () => {
  test('of 16 bits survives in png', async () => {
    tool('convert', '-size', '64x64', 'gradient:#102030-#a0b0c0', '-depth', '16', file('deep.tiff'))
    const { path } = await convertFile('image.tiff-to-png', file('deep.tiff'))
    expect(tool('identify', '-format', '%z', path)).toBe('16')
    expect(tool('compare', '-metric', 'AE', file('deep.tiff'), path, 'null:').trim()).toBe('')
  })

  testFull('of 16 bits becomes 10 in AVIF, and what is asked for in TIFF', async () => {
    tool('convert', '-size', '64x64', 'gradient:#102030-#a0b0c0', '-depth', '16', file('deep.png'))
    const { path: avif } = await convertFile('image.png-to-avif', file('deep.png'))
    expect(tool('avifdec', '--info', avif)).toMatch(/Bit Depth +: 10/)
    for (const [options, depth] of [
      [{}, '16'],
      [{ bitDepth: '8' }, '8'],
      [{ compression: 'jpeg' }, '8'],
    ] as const) {
      const { path } = await convertFile('image.png-to-tiff', file('deep.png'), options)
      expect(tool('identify', '-format', '%z', path)).toBe(depth)
      expect(psnr(onWhite(decode(path)), onWhite(decode(file('deep.png'))))).toBeGreaterThan(40)
    }
    const { path } = await convertFile('image.jpg-to-png', file('a.jpg'), { bitDepth: '16' })
    expect(tool('identify', '-format', '%z', path)).toBe('16')
  })

  testFull('a TIFF is packed as asked', async () => {
    const names = { lzw: 'LZW', packbits: 'RLE', jpeg: 'JPEG', fax: 'Group4', none: 'None', deflate: 'Zip' }
    for (const [compression, name] of Object.entries(names)) {
      const { path } = await convertFile('image.jpg-to-tiff', file('a.jpg'), { compression })
      expect(tool('identify', '-format', '%C %[channels]', path)).toMatch(
        `${name} ${name === 'Group4' ? 'gray' : 'srgb'}`,
      )
      expect(onWhite(decode(path))).toHaveLength(60 * 40 * 3)
    }
  })

  test('grey stays grey', async () => {
    tool('convert', file('a.ppm'), '-colorspace', 'gray', file('grey.jpg'))
    const { path } = await convertFile('image.jpg-to-png', file('grey.jpg'))
    expect((await sharp(path).metadata()).channels).toBe(1)
    expect(tool('pngcheck', path)).toContain('grayscale')
  })
})
