/** Pictures of linear light: Radiance as ImageMagick converts it to sRGB, OpenEXR by the formula of the curve. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, kinds } from '../../../../../testing/fixtures/full.ts'
import { corpus, hasCorpus, tool } from '../../../../../testing/fixtures/media.ts'
import { wrapTiff } from '../../../engines/pictures/sharp/tiff.ts'

const files = testFiles('linear')
const rgb = (path: string) =>
  execFileSync('convert', [path, '-colorspace', 'sRGB', '-depth', '8', 'rgb:-'], { maxBuffer: 1 << 28 })
/** Largest difference of a sample. */
const farthest = (a: Buffer, b: Buffer) => {
  expect(a.length).toBe(b.length)
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at]!)), 0)
}

/** A byte of sRGB for linear light (IEC 61966-2-1). */
const curve = (light: number) =>
  Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * Math.min(1, light) ** (1 / 2.4) - 0.055))

const header = (width: number, height: number, format = 'rgbe') =>
  Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_${format}\nEXPOSURE=1\n\n-Y ${height} +X ${width}\n`)
/** A dark gradient, and light beyond white. */
const samples = Buffer.from(
  Array.from({ length: 64 * 4 }, (_, at) => [at & 255, 255 - (at & 127), 40, 120 + (at % 12)]).flat(),
)

test('Radiance becomes what ImageMagick makes of it, in each way of packing', async () => {
  const plain = files.write(Buffer.concat([header(64, 4), samples]), 'hdr')
  const packed = files.path('packed.hdr')
  tool('convert', plain, packed)
  for (const path of [plain, packed]) {
    const made = await convertFile('image.hdr-to-png', path)
    expect(farthest(rgb(made.path), rgb(path))).toBeLessThanOrEqual(1)
  }
})

test.each([
  ['no picture', Buffer.from('ENVI\nsamples = 4\n'), 'corrupt_input'],
  ['cut off', Buffer.concat([header(64, 4), samples.subarray(0, 300)]), 'corrupt_input'],
  ['of one axis twice', Buffer.from(header(64, 4).toString().replace('+X', '+Y')), 'corrupt_input'],
  ['in XYZ', Buffer.concat([header(64, 4, 'xyze'), samples]), 'unsupported_input'],
  ['too large', header(99_999, 99_999), 'too_large'],
  ['a few bytes for many pixels', header(9999, 9999), 'corrupt_input'],
])('Radiance that is %s is refused', async (_, bytes, code) => {
  await expect(convertFile('image.hdr-to-png', files.write(bytes, 'hdr'))).rejects.toMatchObject({
    code: `jobs.${code}`,
  })
})

const SIDE = 64
/** From black over dark shades to beyond white, in another order for each colour. */
const shade = (at: number, channel: number) => (((at * (channel * 2 + 1)) % 4096) / 4096) ** 3 * 1.2

type Shading = [name: string, format: string, planes: number[], opacity: (at: number) => number]
const shadings: Shading[] = [
  // ffmpeg's planes of floats, by the channel of red, green, blue and opacity that each holds.
  ['grey', 'grayf32le', [0], () => 1],
  ['opaque', 'gbrpf32le', [1, 2, 0], () => 1],
  ['opaque with a channel of opacity', 'gbrapf32le', [1, 2, 0, 3], () => 1],
  ['half transparent', 'gbrapf32le', [1, 2, 0, 3], (at: number) => [0.1, 0.5, 0.9][at % 3]!],
]

test.each(
  few(
    1,
    kinds(shadings, ([name]) => !name.startsWith('opaque')),
  ),
)(
  'OpenEXR that is %s is brought to sRGB without steps in the dark',
  async (name, format, planes, opacity) => {
    const values = planes.flatMap(channel =>
      Array.from({ length: SIDE * SIDE }, (_, at) => (channel < 3 ? shade(at, channel) : 1) * opacity(at)),
    )
    const raw = files.write(Buffer.from(Float32Array.from(values).buffer), 'raw')
    const path = files.path(`${name}.exr`)
    const shape = ['-f', 'rawvideo', '-pix_fmt', format, '-s', `${SIDE}x${SIDE}`]
    tool('ffmpeg', '-v', 'error', '-y', ...shape, '-i', raw, '-compression', 'zip16', path)
    const { path: made } = await convertFile('image.exr-to-png', path)
    const pixels = execFileSync('convert', [made, '-colorspace', 'sRGB', '-depth', '8', 'rgba:-'])
    const colour = planes.length > 1 ? [0, 1, 2] : [0, 0, 0]
    const expected = Array.from({ length: SIDE * SIDE }, (_, at) => [
      ...colour.map(channel => curve(shade(at, channel))),
      Math.round(opacity(at) * 255),
    ])
    expect(farthest(pixels, Buffer.from(expected.flat()))).toBeLessThanOrEqual(1)
  },
)

/** Red, green and blue of each pixel, as the library of OpenEXR reads them. */
function lightIn(path: string): Float32Array {
  const pfm = files.path('judged.pfm')
  tool('bash', '-c', `pfsinexr "${path}" | pfsoutpfm "${pfm}"`)
  const file = readFileSync(pfm)
  const [header, width, height] = /^PF\n(\d+) (\d+)\n-1\S*\n/.exec(file.toString('latin1', 0, 100))!
  const line = Number(width) * 12
  const rows = Array.from({ length: Number(height) }, (_, y) =>
    file.subarray(header.length + (Number(height) - 1 - y) * line).subarray(0, line),
  )
  return new Float32Array(new Uint8Array(Buffer.concat(rows)).buffer)
}

/** That all samples are those wanted, as exactly as half floats have them. */
const expectLight = (path: string, wanted: (at: number, channel: number) => number) => {
  for (const [at, value] of lightIn(path).entries()) {
    const pixel = [0, 1, 2].map(channel => wanted(Math.floor(at / 3), channel))
    const exact = pixel[at % 3]!
    // pfstools goes by way of XYZ.
    expect(Math.abs(value - exact), String(at)).toBeLessThan(
      exact / 2000 + Math.max(...pixel) / 50_000 + 1e-6,
    )
  }
}

testFull('light beyond white, and what is dark, stays in OpenEXR', async () => {
  const packed = files.write(Buffer.concat([header(64, 4), samples]), 'hdr')
  const stored = (at: number, channel: number) =>
    samples[at * 4 + channel]! * 2 ** (samples[at * 4 + 3]! - 136)
  expectLight((await convertFile('image.hdr-to-exr', packed)).path, stored)
  const crop = { left: 3, top: 2, width: 20, height: 2 }
  const { path: part } = await convertFile('image.hdr-to-exr', packed, { crop })
  expectLight(part, (at, channel) => stored((2 + Math.floor(at / 20)) * 64 + 3 + (at % 20), channel))
  const [width, height] = [40, 30]
  /** From a thousandth of white to a hundred times as much. */
  const light = (at: number, channel: number) => 10 ** (-3 + ((at * 7 + channel * 311) % 1200) / 240)
  const data = Float32Array.from({ length: width * height * 3 }, (_, at) => light(Math.floor(at / 3), at % 3))
  const floats = files.write(wrapTiff({ data, width, height, channels: 3 }), 'tiff')
  expectLight((await convertFile('image.tiff-to-exr', floats)).path, light)
})

test('an ordinary picture becomes its light, multiplied by its opacity', async () => {
  const data = Buffer.from([255, 128, 0, 255, 10, 200, 90, 255, 255, 128, 64, 128, 40, 40, 40, 255])
  const png = files.path('plain.png')
  await sharp(data, { raw: { width: 4, height: 1, channels: 4 } })
    .png()
    .toFile(png)
  const light = (byte: number) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4)
  const { path } = await convertFile('image.png-to-exr', png)
  for (const [at, value] of lightIn(path).entries()) {
    const pixel = Math.floor(at / 3) * 4
    const wanted = light(data[pixel + (at % 3)]!) * (data[pixel + 3]! / 255)
    expect(Math.abs(value - wanted), String(at)).toBeLessThan(0.001)
  }
  // A channel of opacity, in half floats.
  expect(readFileSync(path).includes('A\0\x01\0\0\0', 0, 'latin1')).toBe(true)
})

/** A file of ffmpeg's with other names of its channels, in the same order. */
function renamed(exr: Buffer, names: readonly string[]): Buffer {
  const list = exr.indexOf('chlist\0', 0, 'latin1') + 7
  const end = list + 4 + exr.readUInt32LE(list)
  const table = exr.indexOf('lavc\0', 0, 'latin1') + 5
  const known = Array.from(exr.toString('latin1', list + 4, end).matchAll(/[^\0]+(\0.{16})/gs))
  const channels = Buffer.from(`${known.map(([, rest], at) => names[at]! + rest).join('')}\0`, 'latin1')
  const size = Buffer.alloc(4)
  size.writeUInt32LE(channels.length)
  const more = channels.length + 4 + list - end
  const blocks = exr.readUInt32LE(table)
  const offsets = Buffer.from(exr.subarray(table, blocks))
  for (let at = 0; at < offsets.length; at += 8) offsets.writeUInt32LE(offsets.readUInt32LE(at) + more, at)
  return Buffer.concat([
    ...[exr.subarray(0, list), size, channels],
    ...[exr.subarray(end, table), offsets, exr.subarray(blocks)],
  ])
}

test.each(
  few(1, [
    ["Photoshop's first layer", ['Livello 1.B', 'Livello 1.G', 'Livello 1.R'], 'gbrpf32le', [1, 2, 0]],
    [
      'the light that Blender combines',
      ['View.AO.R', 'View.Combined.B', 'View.Combined.G', 'View.Combined.R'],
      'gbrapf32le',
      [1, 2, 0, 3],
    ],
  ]),
)('OpenEXR of layers shows %s', async (name, channels, format, planes) => {
  const values = planes.flatMap(channel => Array.from({ length: SIDE ** 2 }, (_, at) => shade(at, channel)))
  const raw = files.write(Buffer.from(Float32Array.from(values).buffer), 'raw')
  const plain = files.path('plain.exr')
  const shape = ['-f', 'rawvideo', '-pix_fmt', format, '-s', `${SIDE}x${SIDE}`]
  tool('ffmpeg', '-v', 'error', '-y', ...shape, '-i', raw, '-compression', 'zip16', plain)
  const { path } = await convertFile(
    'image.exr-to-png',
    files.write(renamed(readFileSync(plain), channels), `${name}.exr`),
  )
  const pixels = execFileSync('convert', [path, '-depth', '8', 'rgba:-'])
  const expected = Array.from({ length: SIDE ** 2 }, (_, at) => [
    ...[0, 1, 2].map(channel => curve(shade(at, channel))),
    255,
  ])
  expect(farthest(pixels, Buffer.from(expected.flat()))).toBeLessThanOrEqual(1)
})

testFull('OpenEXR that is cut off is refused', async () => {
  const raw = files.write(Buffer.alloc(64 * 64 * 4), 'raw')
  const path = files.path('whole.exr')
  tool(
    'ffmpeg',
    '-v',
    'error',
    '-y',
    ...['-f', 'rawvideo', '-pix_fmt', 'grayf32le', '-s', '64x64'],
    '-i',
    raw,
    path,
  )
  const broken = files.write(readFileSync(path).subarray(0, 200), 'exr')
  await expect(convertFile('image.exr-to-jpg', broken)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

test
  .runIf(hasCorpus)
  .each(['exr', 'hdr'].flatMap(format => corpus(format).map(path => [format, basename(path), path])))(
  '%s of the world is read: %s',
  async (format, name, path) => {
    const made = await convertFile(`image.${format}-to-png`, path!).catch(error => error)
    if (name!.includes('envi')) expect(made).toMatchObject({ code: 'jobs.corrupt_input' })
    else if (format === 'hdr') expect(farthest(rgb(made.path), rgb(path!))).toBeLessThanOrEqual(1)
    else expect(tool('identify', '-format', '%w', made.path)).toBe('1920')
  },
)
