import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { gradient, psnr } from '../../../../testing/fixtures/pixels.ts'
import { decode, identify, makePicture, onWhite, writePam } from '../../../../testing/pictures.ts'
import images from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-pairs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [width, height] = [300, 200]
const sources = [
  'avif',
  'bmp',
  'dds',
  'gif',
  'ico',
  'jp2',
  'jpg',
  'pict',
  'png',
  'psd',
  'qoi',
  'tga',
  'tiff',
  'webp',
]
/** Formats that ffmpeg writes, and of which the picture that it wrote is the judge. */
const drawn = ['qoi', 'tga']
const opaque = ['bmp', 'dds', 'ico', 'jp2', 'jpg', 'pict', 'psd', 'tga', 'tiff']

/** The same picture in every format: a gradient, with a round hole where the format has transparency. */
beforeAll(() => {
  const { data } = gradient(width, height)
  const rgba = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    rgba.set(data.subarray(i * 3, i * 3 + 3), i * 4)
    const outside = Math.hypot((i % width) - 150, Math.floor(i / width) - 100) > 40
    rgba[i * 4 + 3] = outside ? 255 : 0
  }
  const solid = rgba.map((value, i) => (i % 4 === 3 ? 255 : value))
  writePam({ width, height, data: rgba }, join(folder, 'holed.pam'))
  writePam({ width, height, data: solid }, join(folder, 'solid.pam'))
  for (const format of sources.filter(each => each !== 'ico')) {
    const source = join(folder, opaque.includes(format) ? 'solid.pam' : 'holed.pam')
    const path = join(folder, `a.${format}`)
    // ImageMagick 6 knows no QOI, and turns its own TGA upside down.
    if (drawn.includes(format)) tool('ffmpeg', '-v', 'error', '-i', source, path)
    else makePicture(source, path)
  }
  tool('convert', join(folder, 'solid.pam'), '-crop', '128x128+0+0', '+repage', join(folder, 'a.ico'))
  const shapes =
    '<rect width="150" height="200" fill="#c03020"/><circle cx="220" cy="100" r="50" fill="#2040d0"/>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200">${shapes}</svg>`
  writeFileSync(join(folder, 'a.svg'), svg)
})

/** Minimum similarity of a target to the source in decibels, both decoded by other programs. */
const likeness: Record<string, number> = {
  png: 50,
  bmp: 50,
  tiff: 50,
  webp: 35,
  jpg: 38,
  avif: 33,
  gif: 28,
  jp2: 34,
}
const names: Record<string, string> = { jpg: 'JPEG', avif: 'HEIC', tiff: 'TIFF' }

/** Every pair whose result is one picture of the size of the source, and that others read; JPEG XL, icons, vector graphics and PDF have tests of their own. */
const pairs = images.filter(
  ({ source, target }) => sources.includes(source) && target in likeness && source !== target,
)
// All targets of one source, and every source in one of them.
const tried = kinds(pairs, ({ source, target }) => source === 'webp' || target === 'png')

test('formats that hold one picture become each other', () => expect(pairs.length).toBeGreaterThan(100))

test.each(tried)('$source to $target', async ({ source, target }) => {
  const input = join(folder, `a.${source}`)
  const { path, outputs, warnings } = await convertFile(`image.${source}-to-${target}`, input)
  const size = source === 'ico' ? '128x128' : '300x200'
  expect(identify(path).replace('BMP3', 'BMP')).toBe(`${names[target] ?? target.toUpperCase()} ${size}`)
  expect(outputs).toHaveLength(1)
  expect(warnings).toEqual([])
  const [before, after] = [
    decode(
      drawn.includes(source) ? join(folder, `${opaque.includes(source) ? 'solid' : 'holed'}.pam`) : input,
    ),
    decode(path),
  ]
  expect(psnr(onWhite(before), onWhite(after))).toBeGreaterThan(likeness[target]!)
  const holed = !opaque.includes(source) && target !== 'jpg'
  expect(after.data[(100 * before.width + 100) * 4 + 3]).toBeGreaterThan(250)
  if (source !== 'ico') expect(after.data[(100 * width + 150) * 4 + 3]! > 127).toBe(!holed)
})

test.each(['jpg', 'png'])('svg to %s', async target => {
  const { path } = await convertFile(`image.svg-to-${target}`, join(folder, 'a.svg'))
  const { data, ...size } = decode(path)
  expect(size).toEqual({ width: 300, height: 200 })
  const at = (x: number, y: number) => [...data.subarray((y * 300 + x) * 4, (y * 300 + x) * 4 + 4)]
  const near = (actual: number[], expected: number[]) =>
    actual.every((value, i) => Math.abs(value - expected[i]!) <= 3)
  expect(near(at(50, 100), [0xc0, 0x30, 0x20, 255])).toBe(true)
  expect(near(at(220, 100), [0x20, 0x40, 0xd0, 255])).toBe(true)
  expect(target === 'png' ? at(295, 5)[3] : at(295, 5)).toEqual(target === 'png' ? 0 : [255, 255, 255, 255])
})

test.each(['jpg', 'png'])('%s to ico', async source => {
  const { path } = await convertFile(`image.${source}-to-ico`, join(folder, `a.${source}`))
  const listed = tool('icotool', '-l', path).trim().split('\n')
  expect(listed.map(line => Number(/--width=(\d+)/.exec(line)?.[1]))).toEqual([16, 24, 32, 48, 64, 128, 256])
  tool('icotool', '-x', '-i', '6', '-o', join(folder, `${source}-128.png`), path)
  const { data } = decode(join(folder, `${source}-128.png`))
  const alpha = (x: number, y: number) => data[(y * 128 + x) * 4 + 3]
  // The picture is wider than high: the margins above and below are transparent.
  expect([alpha(64, 2), alpha(64, 125), alpha(20, 64)]).toEqual([0, 0, 255])
  const [red = 0, green = 0] = [...data.subarray((64 * 128 + 20) * 4)]
  expect(Math.abs(red - (30 + (200 * 20) / 128))).toBeLessThan(6)
  expect(Math.abs(green - 125)).toBeLessThan(6)
  expect(readFileSync(path).subarray(-8).toString('latin1')).toContain('IEND')
})
