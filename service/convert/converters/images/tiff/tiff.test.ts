import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { exif, tool } from '../../../../../testing/fixtures/media.ts'
import { decode } from '../../../../../testing/pictures.ts'
import { directoryBytes, TiffWriter } from '../../../engines/pictures/formats/tiff.ts'

const files = testFiles('tiff')
const colourOf = (path: string) => [...decode(path).data.subarray(0, 3)]
const isRed = ([r = 0, g = 0]: number[]) => r > 200 && g < 60
const isBlue = ([r = 0, , b = 0]: number[]) => b > 200 && r < 60

/** Start of a directory, by its number. */
function directoryAt(bytes: Buffer, number: number): number {
  let at = bytes.readUInt32LE(4)
  for (let i = 0; i < number; i++) at = bytes.readUInt32LE(at + 2 + 12 * bytes.readUInt16LE(at))
  return at
}

/** A copy of the three pages with an entry of one of them changed: number, type, count or value at 0, 2, 4 or 8. */
function changed(page: number, tag: number, field: 0 | 2 | 4 | 8, value: number): string {
  const bytes = readFileSync(files.path('pages.tiff'))
  let entry = directoryAt(bytes, page) + 2
  while (bytes.readUInt16LE(entry) !== tag) entry += 12
  if (field < 4) bytes.writeUInt16LE(value, entry + field)
  else bytes.writeUInt32LE(value, entry + field)
  return files.write(bytes, 'tiff')
}

beforeAll(() => {
  const pages = ['red', 'lime', 'blue'].flatMap(colour => ['(', '-size', '40x30', `xc:${colour}`, ')'])
  tool('convert', '-endian', 'LSB', ...pages, '-depth', '8', '-compress', 'none', files.path('pages.tiff'))
})

test('an open range of pages ends with the file', async () => {
  const { outputs } = await convertFile('image.tiff-to-png', files.path('pages.tiff'), { pages: '2-' })
  expect(outputs).toHaveLength(2)
  expect(isBlue(colourOf(outputs[1]!.path))).toBe(true)
})

test('chosen pages stay pages of one file, compressed anew', async () => {
  const { outputs } = await convertFile('image.tiff-to-tiff', files.path('pages.tiff'), {
    pages: '3,1',
    rotate: '90',
    compression: 'lzw',
  })
  expect(outputs).toHaveLength(1)
  const { path } = outputs[0]!
  expect(tool('identify', '-format', '%wx%h %C;', path)).toBe('30x40 LZW;30x40 LZW;')
  expect(isRed(colourOf(path))).toBe(true)
  expect(tool('convert', `${path}[1]`, '-format', '%[pixel:p{5,5}]', 'info:')).toMatch(/blue|0,0,2(5[0-5])/)
})

describe('a bad page', () => {
  test.each<[string, number, 0 | 2 | 4 | 8, number]>([
    ['of unknown compression', 259, 8, 60_000],
    ['of impossible depth', 258, 4, 0],
    ['as large as a city', 256, 8, 4_000_000],
    ['without its pixels', 273, 8, 0x7fffffff],
  ])('%s is left out, with a warning', async (_, tag, field, value) => {
    const path = changed(1, tag, field, value)
    const { outputs, warnings } = await convertFile('image.tiff-to-png', path)
    expect(warnings.join()).toMatch(/left out: 2\.|incomplete/)
    const first = outputs[0]?.path ?? ''
    const last = outputs.at(-1)?.path ?? ''
    expect(outputs.length).toBeGreaterThanOrEqual(2)
    expect(isRed(colourOf(first))).toBe(true)
    expect(isBlue(colourOf(last))).toBe(true)
  })

  test('is left out of a PDF, too', async () => {
    const { path, warnings } = await convertFile('image.tiff-to-pdf', changed(1, 259, 8, 60_000))
    expect(warnings.join()).toContain('left out: 2.')
    expect(tool('pdfinfo', path)).toMatch(/Pages:\s+2/)
  })

  test('fails if it is the only one, or if all pages are bad', async () => {
    const path = changed(1, 259, 8, 60_000)
    await expect(convertFile('image.tiff-to-png', path, { pages: '2' })).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })

  test('that cannot be found leaves those before it', async () => {
    const bytes = readFileSync(files.path('pages.tiff'))
    const second = directoryAt(bytes, 1)
    bytes.writeUInt32LE(0x7ffffff0, second + 2 + 12 * bytes.readUInt16LE(second))
    const { outputs, warnings } = await convertFile('image.tiff-to-png', files.write(bytes, 'tiff'))
    expect(outputs).toHaveLength(2)
    expect(warnings).toHaveLength(1)
  })
})

test.each<[string, number, 0 | 2 | 4 | 8, number]>([
  ['an unknown type', 274, 2, 99],
  ['a value out of the file', 318, 8, 0x7fffffff],
  ['an impossible value', 274, 8, 77],
])('a tag of %s does not invalidate its page', async (_, tag, field, value) => {
  const { outputs } = await convertFile('image.tiff-to-png', changed(0, tag, field, value))
  expect(outputs).toHaveLength(3)
  expect(isRed(colourOf(outputs[0]?.path ?? ''))).toBe(true)
})

describe('tags that describe the picture', () => {
  const tags = [
    'Artist',
    'Software',
    'ModifyDate',
    'ImageDescription',
    'Copyright',
    'ExposureTime',
    'GPSLatitude',
  ]
  const read = (path: string) => tags.map(tag => exif(path)[tag] ?? '')
  const values = ['Ann Artist', 'Scanner 2', '2024:05:06 07:08:09', 'A barn', '(c) Ann', '0.01', '51.5']

  beforeAll(() => {
    tool('convert', '-endian', 'MSB', files.path('pages.tiff'), files.path('tagged.tiff'))
    const assignments = tags.map((tag, at) => `-${tag}=${values[at]}`)
    const all = ['-q', '-overwrite_original', '-n', ...assignments, '-GPSLatitudeRef=N', '-XMP-dc:Title=Barn']
    tool('exiftool', ...all, files.path('tagged.tiff'))
  })

  test.each(onlyFull(['png', 'jpg']))('are kept in %s when asked for', async target => {
    const { outputs } = await convertFile(`image.tiff-to-${target}`, files.path('tagged.tiff'), {
      metadata: { strip: false },
    })
    const first = outputs[0]?.path ?? ''
    expect(read(first)).toEqual(values)
    expect(exif(first).Title).toBe('Barn')
    expect(tool('exiftool', '-validate', '-s3', first)).not.toMatch(/error/i)
    expect(isRed(colourOf(first))).toBe(true)
    // They are the first page's own.
    expect(read(outputs[1]?.path ?? '').slice(0, 2)).not.toEqual(values.slice(0, 2))
  })

  testFull('are kept on each page of a TIFF', async () => {
    const { path } = await convertFile('image.tiff-to-tiff', files.path('tagged.tiff'), {
      metadata: { strip: false },
    })
    expect(read(path)).toEqual(values)
    expect(tool('exiftool', '-validate', '-warning', '-a', '-s3', path)).not.toMatch(/error|bad/i)
    expect(tool('identify', '-format', '%wx%h;', path)).toBe('40x30;40x30;40x30;')
  })

  test.each(few(1, ['png', 'jpg']))('and are removed from %s otherwise', async target => {
    const { path } = await convertFile(`image.tiff-to-${target}`, files.path('tagged.tiff'))
    expect(read(path)).toEqual(tags.map(() => ''))
  })
})

describe('CIELAB', () => {
  type Triple = [number, number, number]
  const colours: Triple[] = [
    [200, 100, 50],
    [40, 180, 60],
    [30, 60, 200],
    [255, 255, 255],
    [128, 128, 128],
    [0, 0, 0],
  ]

  /** L, a and b of an sRGB colour under D50 (Lindbloom's matrix, Bradford-adapted). */
  function lab(colour: Triple): Triple {
    const [r, g, b] = colour.map(value =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    ) as Triple
    const [x, y, z] = [
      (0.4360747 * r + 0.3850649 * g + 0.1430804 * b) / 0.9642,
      0.2225045 * r + 0.7168786 * g + 0.0606169 * b,
      (0.0139322 * r + 0.0971045 * g + 0.7141733 * b) / 0.8249,
    ].map(t => (t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116)) as Triple
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }

  const encode: Record<string, (colour: Triple) => number[]> = {
    'CIE, 8 bits': ([l, a, b]) => [l * 2.55, a, b],
    'CIE, 16 bits': ([l, a, b]) => [l * 655.35, a * 256, b * 256],
    'ICC, 8 bits': ([l, a, b]) => [l * 2.55, a + 128, b + 128],
    'ICC, 16 bits': ([l, a, b]) => [l * 652.8, (a + 128) * 256, (b + 128) * 256],
  }

  test.each(Object.keys(encode).flatMap(kind => [[kind, false] as const, [kind, true] as const]))(
    '%s, with transparency: %s',
    async (kind, alpha) => {
      const writer = new TiffWriter(true)
      const bits = kind.includes('16') ? 16 : 8
      const samples = colours.flatMap(colour => [...encode[kind]!(lab(colour)), ...(alpha ? [-1] : [])])
      const line = Buffer.concat(
        samples.map(value => {
          const sample = Buffer.alloc(2)
          sample.writeInt16LE(((Math.round(value) + 0x8000) & 0xffff) - 0x8000)
          return sample.subarray(0, bits / 8)
        }),
      )
      const data = Buffer.concat(Array(4).fill(line))
      const channels = alpha ? 4 : 3
      const entries = (at: number) => [
        writer.entry(256, 4, colours.length),
        writer.entry(257, 4, 4),
        writer.entry(258, 3, ...Array(channels).fill(bits)),
        writer.entry(259, 3, 1),
        writer.entry(262, 3, kind.startsWith('CIE') ? 8 : 9),
        writer.entry(273, 4, at),
        writer.entry(277, 3, channels),
        writer.entry(278, 4, 4),
        writer.entry(279, 4, data.length),
        ...(alpha ? [writer.entry(338, 3, 2)] : []),
      ]
      const at = 8 + directoryBytes(entries(0))
      const file = Buffer.concat([writer.header(8), writer.directory(entries(at), 8), data])
      const { path } = await convertFile('image.tiff-to-png', files.write(file, 'tiff'))
      const seen = decode(path).data
      for (const [index, colour] of colours.entries()) {
        const shown = [...seen.subarray(index * 4, index * 4 + 3)]
        const off = colour.map((value, part) => Math.abs(value - shown[part]!))
        expect(Math.max(...off), `${shown} for ${colour}`).toBeLessThanOrEqual(bits === 8 ? 4 : 1)
      }
    },
  )
})

test.each([
  ['within 0 to 1', 1, []],
  [
    'above 1',
    1.5,
    ['The picture has floating-point values outside the range from 0 to 1. They became black or white.'],
  ],
])('floating-point samples %s', async (_, most, expected) => {
  const writer = new TiffWriter(true)
  const samples = Float32Array.from({ length: 64 }, (_, index) => (index / 63) * most)
  const [integers, floats] = [1, 3]
  const entries = (at: number) => [
    ...[256, 257].map(tag => writer.entry(tag, 4, 8)),
    writer.entry(258, 3, 32),
    writer.entry(259, 3, 1),
    writer.entry(262, 3, integers),
    writer.entry(273, 4, at),
    writer.entry(277, 3, 1),
    writer.entry(278, 4, 8),
    writer.entry(279, 4, samples.byteLength),
    writer.entry(339, 3, floats),
  ]
  const at = 8 + directoryBytes(entries(0))
  const file = Buffer.concat([
    writer.header(8),
    writer.directory(entries(at), 8),
    Buffer.from(samples.buffer),
  ])
  const { warnings } = await convertFile('image.tiff-to-png', files.write(file, 'tiff'))
  expect(warnings).toEqual(expected)
})

test('without saying what samples mean, they are refused', async () => {
  const writer = new TiffWriter(true)
  const entries = (at: number) => [
    writer.entry(256, 4, 2),
    writer.entry(257, 4, 1),
    writer.entry(258, 3, 8, 8, 8),
    writer.entry(259, 3, 1),
    writer.entry(273, 4, at),
    writer.entry(277, 3, 3),
    writer.entry(278, 4, 1),
    writer.entry(279, 4, 6),
  ]
  const at = 8 + directoryBytes(entries(0))
  const file = Buffer.concat([
    writer.header(8),
    writer.directory(entries(at), 8),
    Buffer.from([255, 0, 0, 10, 200, 30]),
  ])
  await expect(convertFile('image.tiff-to-png', files.write(file, 'tiff'))).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

test.each(few(1, ['8', '16']))('planes of %s bits, each packed by LZW, are read', async depth => {
  const path = files.path('planes.tiff')
  const options = [
    '-depth',
    depth,
    '-interlace',
    'plane',
    '-compress',
    'lzw',
    '-define',
    'tiff:rows-per-strip=7',
  ]
  tool('convert', '-size', '70x50', '-seed', '3', 'plasma:red-blue', ...options, path)
  expect(exif(path)).toMatchObject({ PlanarConfiguration: '2', Compression: '5' })
  const { path: made } = await convertFile('image.tiff-to-png', path)
  expect(tool('convert', made, path, '-metric', 'AE', '-compare', '-format', '%[distortion]', 'info:')).toBe(
    '0',
  )
})
