import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeFull } from '../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { corpusFile, hasCorpus } from '../../../../../testing/fixtures/media.ts'
import { output } from '../../../../../testing/fixtures/programs.ts'
import { type PsdSpec, psd } from '../../../../../testing/psd.ts'
import { greyProfile } from '../../../engines/pictures/formats/icc-write.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-psd-'))
const srgb = join(folder, 'srgb.icc')
const cmykProfile = join(folder, 'cmyk.icc')
afterAll(() => rmSync(folder, { recursive: true }))

const profileOf = async (name: string, space: 'srgb' | 'cmyk') => {
  const picture = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
  const file = await picture.toColourspace(space).withIccProfile(name).tiff().toBuffer()
  return (await sharp(file).metadata()).icc!
}

beforeAll(async () => {
  writeFileSync(srgb, await profileOf('srgb', 'srgb'))
  writeFileSync(cmykProfile, await profileOf('cmyk', 'cmyk'))
})

interface Seen {
  width: number
  height: number
  rgba: Buffer
}

/** A picture as decoded by ImageMagick, in sRGB. */
function seen(path: string, toSrgb = false): Seen {
  const steps = [
    ...(toSrgb ? ['-profile', srgb] : []),
    '-depth',
    '8',
    '-colorspace',
    'sRGB',
    '-type',
    'TrueColorAlpha',
  ]
  const pam = output('convert', [path, ...steps, 'pam:-'])
  const end = pam.indexOf('ENDHDR\n') + 7
  const header = pam.toString('latin1', 0, end)
  const field = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(header)?.[1])
  expect(field('DEPTH')).toBe(4)
  return { width: field('WIDTH'), height: field('HEIGHT'), rgba: pam.subarray(end) }
}

/** Mean difference of two pictures on white, of 255. */
function distance(a: Seen, b: Seen): number {
  expect([a.width, a.height]).toEqual([b.width, b.height])
  const on = ({ rgba }: Seen, i: number, c: number) => 255 + ((rgba[i + c]! - 255) * rgba[i + 3]!) / 255
  let sum = 0
  for (let i = 0; i < a.rgba.length; i += 4)
    for (let c = 0; c < 3; c++) sum += Math.abs(on(a, i, c) - on(b, i, c))
  return sum / (a.rgba.length * 0.75)
}

const WIDTH = 64
const HEIGHT = 48
const slope = (channel: number, depth: 8 | 16 = 8): number[] =>
  Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    const [x, y] = [(i % WIDTH) / WIDTH, Math.floor(i / WIDTH) / HEIGHT]
    const value = [x, y, 1 - x, (x + y) / 2, 0.7][channel]!
    return Math.round(value * (depth === 8 ? 255 : 65535))
  })

const base = { width: WIDTH, height: HEIGHT }
const written = (name: string, spec: PsdSpec): string => {
  const path = join(folder, name)
  writeFileSync(path, psd(spec))
  return path
}

describe('generated documents, also read by ImageMagick', () => {
  test.each([
    ['rgb', { mode: 'rgb', planes: [0, 1, 2].map(c => slope(c)) }],
    ['rgb16', { mode: 'rgb', depth: 16, planes: [0, 1, 2].map(c => slope(c, 16)) }],
    ['large', { mode: 'rgb', large: true, planes: [0, 1, 2].map(c => slope(c)) }],
    ['grey', { mode: 'grayscale', planes: [slope(0)] }],
    ['duotone', { mode: 'duotone', planes: [slope(1)] }],
    ['bitmap', { mode: 'bitmap', depth: 1, planes: [slope(0).map(v => (v >> 4) & 1)] }],
    [
      'transparent',
      {
        mode: 'rgb',
        transparent: true,
        planes: [3, 3, 3].map(() => slope(3).map(() => 255)).concat([slope(0)]),
      },
    ],
  ] as [string, Omit<PsdSpec, 'width' | 'height'>][])('%s', async (name, spec) => {
    const path = written(`${name}.psd`, { ...base, ...spec })
    const reference = seen(`${path}[0]`)
    const { path: output } = await convertFile('image.psd-to-png', path)
    expect(distance(seen(output), reference)).toBeLessThan(0.5)
  })

  test('CMYK is converted with its profile', async () => {
    const planes = [0, 1, 2, 3].map(c => slope(c).map(v => 128 + v / 2))
    const icc = await profileOf('cmyk', 'cmyk')
    const path = written('cmyk.psd', { ...base, mode: 'cmyk', planes, resources: { 1039: icc } })
    const { path: output } = await convertFile('image.psd-to-jpg', path)
    expect(distance(seen(output), seen(`${path}[0]`, true))).toBeLessThan(2.5)
  })

  test('a wide-gamut profile is applied: its red is beyond sRGB', async () => {
    const icc = await profileOf('p3', 'srgb')
    const color = [234, 51, 35]
    const planes = color.map(value => Array(WIDTH * HEIGHT).fill(value))
    const path = written('p3.psd', { ...base, mode: 'rgb', planes, resources: { 1039: icc } })
    const { path: output } = await convertFile('image.psd-to-png', path)
    const pixel = seen(output).rgba.subarray(0, 3)
    for (const [i, value] of [255, 0, 0].entries()) expect(Math.abs(pixel[i]! - value)).toBeLessThan(8)
  })

  test('transparency is kept in PNG and becomes white in JPEG', async () => {
    const planes = [0, 0, 0]
      .map(() => Array(WIDTH * HEIGHT).fill(255))
      .concat([Array(WIDTH * HEIGHT).fill(0)])
    const path = written('clear.psd', { ...base, mode: 'rgb', transparent: true, planes })
    const png = await convertFile('image.psd-to-png', path)
    expect([...seen(png.path).rgba.subarray(0, 4)][3]).toBe(0)
    const jpg = await convertFile('image.psd-to-jpg', path)
    expect([...seen(jpg.path).rgba.subarray(0, 4)]).toEqual([255, 255, 255, 255])
  })

  test.each([8, 16, 32] as const)('a block alone declares that %i bits are transparent', async depth => {
    const most = { 8: 255, 16: 65_535, 32: 1 }[depth]
    const planes = [0, 0, 0]
      .map(() => Array(WIDTH * HEIGHT).fill(most))
      .concat([Array(WIDTH * HEIGHT).fill(0)])
    const path = written('block.psd', { ...base, mode: 'rgb', depth, transparent: 'block', planes })
    expect(seen((await convertFile('image.psd-to-png', path)).path).rgba[3]).toBe(0)
  })

  test.each([true, false])('16-bit grey with a profile stays 16-bit, without metadata: %s', async strip => {
    const plane = Array.from({ length: WIDTH * HEIGHT }, (_, at) => 20_000 + at)
    const icc = Buffer.from(greyProfile(signal => signal ** 1.8))
    const path = written('grey.psd', {
      ...base,
      mode: 'grayscale',
      depth: 16,
      planes: [plane],
      resources: { 1039: icc },
    })
    const { path: output } = await convertFile('image.psd-to-png', path, { metadata: { strip } })
    const raw = execFileSync('convert', [output, '-depth', '16', '-endian', 'MSB', 'gray:-'])
    const samples = plane.map((_, at) => raw.readUInt16BE(at * 2))
    expect(new Set(samples).size).toBeGreaterThan(plane.length / 2)
    const light = (20_000 / 65_535) ** 1.8
    const wanted = strip ? (1.055 * light ** (1 / 2.4) - 0.055) * 65_535 : 20_000
    expect(Math.abs(samples[0]! - wanted)).toBeLessThan(40)
  })

  test('XMP is kept on request and removed otherwise', async () => {
    const xmp = Buffer.from(
      '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:source>somewhere</dc:source></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>',
    )
    const path = written('xmp.psd', {
      ...base,
      mode: 'rgb',
      planes: [0, 1, 2].map(c => slope(c)),
      resources: { 1060: xmp },
    })
    const holds = async (strip: boolean) => {
      const { path: output } = await convertFile('image.psd-to-jpg', path, { metadata: { strip } })
      return readFileSync(output, 'latin1')
    }
    expect(await holds(false)).toContain('somewhere')
    expect(await holds(true)).not.toContain('somewhere')
  })
})

/**
 * Documents of the corpus: size, whether the result has transparency, and the permitted mean difference from ImageMagick's
 * result with the document's profile (CMYK rendering intents differ slightly).
 */
const known: [name: string, width: number, height: number, alpha: boolean, bound: number][] = [
  ['p_hopper.psd', 128, 128, false, 0.6],
  ['p_rgba.psd', 100, 100, true, 0.1],
  ['pt_4x4_8bit_cmyk.psd', 4, 4, false, 1.2],
  ['pt_adjustment_nested_composition_3.psd', 200, 200, false, 0.1],
  ['pt_artboard-bgcolor.psd', 750, 550, true, 0.1],
  ['pt_brightnesscontrast_cmyk.psd', 200, 200, false, 1.2],
  ['pt_gradient-fill.psd', 100, 150, false, 0.1],
  ['pt_gray-blend-modes.psd', 530, 512, true, 0.6],
  ['pt_huesaturation_rgb.psd', 200, 200, false, 0.1],
  ['pt_mask-index.psd', 1000, 867, true, 0.1],
  ['pt_posterize_cmyk.psd', 200, 200, false, 1.2],
  ['pt_smart-object-slice.psd', 100, 100, false, 0.6],
  ['pt_stroke-color-descriptors-hsb-with-rgb-mode.psd', 1800, 1350, true, 0.2],
  ['t_buttons.psd', 20, 20, false, 0.1],
  ['t_jugware-icon.psd', 128, 128, true, 0.3],
  ['t_test_bitmap.psd', 710, 512, false, 0.1],
  ['t_test_gray.psd', 710, 512, false, 0.6],
  ['t_transp.psd', 320, 200, true, 0.1],
]

describeFull('corpus', hasCorpus, () => {
  test.each(known)('%s', async (name, width, height, alpha, bound) => {
    const path = corpusFile(`psd/${name}`)
    const { path: output, warnings } = await convertFile('image.psd-to-png', path)
    const result = seen(output)
    expect([result.width, result.height]).toEqual([width, height])
    expect(result.rgba.some((value, i) => i % 4 === 3 && value < 255)).toBe(alpha)
    expect(distance(result, seen(`${path}[0]`, true))).toBeLessThan(bound)
    // The one without a merged picture has its layers merged, one of which has an effect.
    expect(warnings).toHaveLength(name === 't_jugware-icon.psd' ? 1 : 0)
  })
})
