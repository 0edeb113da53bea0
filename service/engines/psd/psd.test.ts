import { describe, expect, test } from 'vitest'
import { JobFailure } from '../../errors.ts'
import type { Message } from '../../messages/message.ts'
import { malformed } from '../../test/malformed.ts'
import {
  type Compression,
  type Depth,
  type LayerSpec,
  type PsdSpec,
  psd,
  versionInfo,
} from '../../test/psd.ts'
import { readPsd } from './index.ts'

const WIDTH = 37
const HEIGHT = 11
const COUNT = WIDTH * HEIGHT
const compressions: Compression[] = ['raw', 'packbits', 'zip', 'zip-prediction']

/** A plane with slopes, runs and jumps, 0–255, different by channel. */
const plane = (channel: number): number[] =>
  Array.from({ length: COUNT }, (_, i) => {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)]
    if (y % 4 === 3) return (channel * 80 + 40) & 255
    return (x * (5 + channel) + y * 17 + channel * 31) & 255
  })

const scaled = (values: number[], depth: Depth): number[] =>
  depth === 16 ? values.map(value => value * 257) : depth === 32 ? values.map(value => value / 255) : values

const interleave = (planes: ArrayLike<number>[]): number[] =>
  Array.from({ length: planes[0]!.length }, (_, i) => planes.map(values => values[i]!)).flat()

const base = { width: WIDTH, height: HEIGHT }

describe('depths and compressions', () => {
  const cases = ([8, 16, 32] as const).flatMap(depth =>
    compressions.flatMap(compression => [false, true].map(large => ({ depth, compression, large }))),
  )
  test.each(cases)('RGB of $depth bits, $compression, large $large', ({ depth, compression, large }) => {
    const planes = [0, 1, 2].map(channel => scaled(plane(channel), depth))
    const pixels = readPsd(psd({ ...base, mode: 'rgb', depth, compression, large, planes }))
    expect(pixels).toMatchObject({ ...base, channels: 3 })
    if (depth < 32) {
      expect([...pixels.data]).toEqual(interleave(planes))
      return
    }
    // Linear light gets the curve of sRGB; IEC 61966-2-1.
    const curve = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)
    const wanted = interleave(planes).map(value => curve(value) * 65535)
    const worst = Math.max(...wanted.map((value, i) => Math.abs(value - pixels.data[i]!)))
    expect(worst).toBeLessThan(3)
  })

  test('one bit: set is black, rows end on whole bytes', () => {
    const bits = plane(0).map(value => value & 1)
    for (const compression of ['raw', 'packbits'] as const) {
      const pixels = readPsd(psd({ ...base, mode: 'bitmap', depth: 1, compression, planes: [bits] }))
      expect(pixels.channels).toBe(1)
      expect([...pixels.data]).toEqual(bits.map(bit => (bit ? 0 : 255)))
    }
  })

  test('floating-point numbers out of range, and none at all, stay within the picture', () => {
    const values = Array(COUNT).fill(0)
    values.splice(0, 4, -3, 7.5, Number.NaN, Number.POSITIVE_INFINITY)
    const pixels = readPsd(psd({ ...base, mode: 'grayscale', depth: 32, planes: [values] }))
    expect([...pixels.data.slice(0, 4)]).toEqual([0, 65535, 0, 65535])
  })
})

describe('colour modes', () => {
  test('grey and duotone are grey', () => {
    for (const mode of ['grayscale', 'duotone'] as const) {
      const pixels = readPsd(psd({ ...base, mode, planes: [plane(0)] }))
      expect(pixels.channels).toBe(1)
      expect([...pixels.data]).toEqual(plane(0))
    }
  })

  test('CMYK is turned round: the format stores 0 for full ink', () => {
    const planes = [0, 1, 2, 3].map(plane)
    const pixels = readPsd(psd({ ...base, mode: 'cmyk', planes }))
    expect(pixels).toMatchObject({ channels: 4, space: 'cmyk' })
    expect([...pixels.data]).toEqual(interleave(planes).map(value => 255 - value))
  })

  test('indexed pictures take their colours from the palette, one of them transparent', () => {
    const palette = Uint8Array.from({ length: 768 }, (_, i) => (i * 7 + (i >> 8) * 50) & 255)
    const indices = plane(1)
    const resources = { 1047: Uint8Array.of(0, indices[5]!) }
    const pixels = readPsd(psd({ ...base, mode: 'indexed', palette, planes: [indices], resources }))
    expect(pixels.channels).toBe(4)
    const color = (index: number) => [palette[index]!, palette[256 + index]!, palette[512 + index]!]
    const wanted = indices.flatMap(index => [...color(index), index === indices[5] ? 0 : 255])
    expect([...pixels.data]).toEqual(wanted)
  })

  test('Lab colours become sRGB', () => {
    // Lab under D50 of sRGB's corners, by the CSS Color 4 tables.
    const known: [lab: [number, number, number], rgb: [number, number, number]][] = [
      [
        [100, 0, 0],
        [255, 255, 255],
      ],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      [
        [54.29, 80.81, 69.89],
        [255, 0, 0],
      ],
      [
        [87.82, -79.27, 80.99],
        [0, 255, 0],
      ],
      [
        [29.57, 68.3, -112.03],
        [0, 0, 255],
      ],
      [
        [53.39, 0, 0],
        [127, 127, 127],
      ],
    ]
    // Eight bits hold saturated colours only roughly.
    for (const depth of [8, 16] as const) {
      const [max, middle, unit] = depth === 8 ? [255, 128, 1] : [65535, 32768, 256]
      const planes = [0, 1, 2].map(part =>
        known.map(([lab]) => Math.round(part === 0 ? (lab[0] / 100) * max : middle + lab[part]! * unit)),
      )
      const pixels = readPsd(psd({ mode: 'lab', depth, width: 6, height: 1, planes }))
      const out = [...pixels.data].map(value => (depth === 8 ? value : value / 257))
      for (const [i, [, rgb]] of known.entries()) {
        for (let part = 0; part < 3; part++) {
          expect(Math.abs(out[i * 3 + part]! - rgb[part]!)).toBeLessThan(depth === 8 ? 12 : 4)
        }
      }
    }
  })

  test('multichannel inks lie over each other: cyan, magenta, yellow, black by default', () => {
    const planes = [
      [0, 255, 255, 255, 0, 255],
      [255, 0, 255, 255, 0, 255],
      [255, 255, 0, 255, 255, 255],
      [255, 255, 255, 0, 255, 255],
    ]
    const pixels = readPsd(psd({ mode: 'multichannel', width: 6, height: 1, planes }))
    const wanted = [0, 255, 255, 255, 0, 255, 255, 255, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]
    expect([...pixels.data]).toEqual(wanted)
  })

  test('multichannel inks have the colours the document shows them in', () => {
    const ink = (space: number, ...parts: number[]) => {
      const data = Buffer.alloc(14)
      for (const [i, value] of [space, ...parts].entries()) data.writeUInt16BE(value, i * 2)
      return data
    }
    const resources = { 1007: Buffer.concat([ink(0, 65535, 32768, 0, 0), ink(2, 0, 65535, 65535, 65535)]) }
    const planes = [
      [0, 255],
      [255, 0],
    ]
    const pixels = readPsd(psd({ mode: 'multichannel', width: 2, height: 1, planes, resources }))
    expect([...pixels.data]).toEqual([255, 128, 0, 0, 255, 255])
  })
})

describe('transparency', () => {
  const alpha = Array.from({ length: COUNT }, (_, i) => (i * 5) & 255)

  test('the white under the merged picture is taken out again', () => {
    const colors = [0, 1, 2].map(plane)
    const matted = colors.map(values =>
      values.map((v, i) => Math.round((v * alpha[i]!) / 255 + 255 - alpha[i]!)),
    )
    const pixels = readPsd(psd({ ...base, mode: 'rgb', planes: [...matted, alpha], transparent: true }))
    expect(pixels.channels).toBe(4)
    for (let i = 0; i < COUNT; i++) {
      expect(pixels.data[i * 4 + 3]).toBe(alpha[i])
      // A colour that is hardly there cannot be known well.
      if (alpha[i]! < 16) continue
      for (let c = 0; c < 3; c++) {
        expect(Math.abs(pixels.data[i * 4 + c]! - colors[c]![i]!)).toBeLessThanOrEqual(128 / alpha[i]! + 0.5)
      }
    }
  })

  test('a saved selection is no transparency', () => {
    const pixels = readPsd(psd({ ...base, mode: 'rgb', planes: [plane(0), plane(1), plane(2), alpha] }))
    expect(pixels.channels).toBe(3)
  })

  test('grey and CMYK keep theirs', () => {
    const grey = readPsd(
      psd({
        ...base,
        mode: 'grayscale',
        depth: 16,
        planes: [scaled(plane(0), 16), scaled(alpha, 16)],
        transparent: true,
      }),
    )
    expect(grey).toMatchObject({ channels: 2 })
    const cmyk = readPsd(
      psd({ ...base, mode: 'cmyk', planes: [0, 1, 2, 3].map(plane).concat([alpha]), transparent: true }),
    )
    expect(cmyk).toMatchObject({ channels: 5, space: 'cmyk' })
  })
})

test('profile, EXIF and XMP are handed on, a profile of another colour space is not', () => {
  const icc = Buffer.alloc(200)
  icc.write('RGB ', 16, 'latin1')
  const exif = Buffer.from('II*\0xxxxxxxx')
  const xmp = Buffer.from('<x:xmpmeta/>')
  const resources = { 1039: icc, 1058: exif, 1060: xmp }
  const rgb = readPsd(psd({ ...base, mode: 'rgb', planes: [0, 1, 2].map(plane), resources }))
  expect(Buffer.from(rgb.icc!)).toEqual(icc)
  expect(Buffer.from(rgb.exif!)).toEqual(exif)
  expect(Buffer.from(rgb.xmp!)).toEqual(xmp)
  const grey = readPsd(psd({ ...base, mode: 'grayscale', planes: [plane(0)], resources }))
  expect(grey.icc).toBeUndefined()
})

describe('merging layers', () => {
  const SIZE = 4
  const flat = (value: number, count = SIZE * SIZE) => Array<number>(count).fill(value)
  const solid = (rgb: number[], extra: LayerSpec = {}, alpha = 255): LayerSpec => ({
    width: SIZE,
    height: SIZE,
    channels: { '-1': flat(alpha), 0: flat(rgb[0]!), 1: flat(rgb[1]!), 2: flat(rgb[2]!) },
    ...extra,
  })
  const document = (layers: LayerSpec[], more: Partial<PsdSpec> = {}) =>
    psd({
      mode: 'rgb',
      width: SIZE,
      height: SIZE,
      planes: [flat(255), flat(255), flat(255)],
      resources: { 1057: versionInfo(false) },
      layers,
      ...more,
    })
  const first = (layers: LayerSpec[], more: Partial<PsdSpec> = {}) => {
    const pixels = readPsd(document(layers, more))
    return [...pixels.data.slice(0, pixels.channels)]
  }

  test('a real merged picture is used as it is', () => {
    const layers = [solid([1, 2, 3])]
    expect(first(layers, { resources: { 1057: versionInfo(true) } })).toEqual([255, 255, 255])
    expect(first(layers)).toEqual([1, 2, 3])
  })

  test('opacity and transparency mix, an opaque result has no alpha', () => {
    expect(first([solid([0, 0, 0]), solid([255, 100, 0], { opacity: 0.2 })])).toEqual([51, 20, 0])
    expect(first([solid([0, 0, 0]), solid([200, 100, 0], {}, 51)])).toEqual([40, 20, 0])
    expect(first([solid([200, 100, 50], {}, 128)])).toEqual([200, 100, 50, 128])
  })

  test('hidden layers and groups are left out', () => {
    const group = (hidden: boolean) => [
      { divider: { type: 3 as const } },
      solid([9, 9, 9]),
      { divider: { type: 1 as const }, hidden },
    ]
    expect(first([solid([5, 5, 5]), solid([7, 7, 7], { hidden: true })])).toEqual([5, 5, 5])
    expect(first([solid([5, 5, 5]), ...group(true)])).toEqual([5, 5, 5])
    expect(first([solid([5, 5, 5]), ...group(false)])).toEqual([9, 9, 9])
  })

  // Results by the formulas of PDF 1.7 and Photoshop, for 200 under 100 and 60 under 180.
  test.each([
    ['dark', 100, 60],
    ['mul ', 78, 42],
    ['idiv', 115, 0],
    ['lbrn', 45, 0],
    ['lite', 200, 180],
    ['scrn', 222, 198],
    ['div ', 255, 204],
    ['lddg', 255, 240],
    ['over', 188, 85],
    ['sLit', 191, 86],
    ['hLit', 157, 140],
    ['vLit', 184, 101],
    ['lLit', 145, 165],
    ['pLit', 200, 105],
    ['hMix', 255, 0],
    ['diff', 100, 120],
    ['smud', 143, 155],
    ['fsub', 100, 0],
    ['fdiv', 255, 85],
    ['norm', 100, 180],
    ['nope', 100, 180],
  ])('blend mode %s', (blend, one, two) => {
    const [r, g] = first([solid([200, 60, 0]), solid([100, 180, 0], { blend })])
    expect(Math.abs(r! - one)).toBeLessThanOrEqual(1)
    expect(Math.abs(g! - two)).toBeLessThanOrEqual(1)
  })

  test.each(['hue ', 'colr', 'lum ', 'dkCl', 'lgCl'])('whole-colour mode %s keeps what it should', blend => {
    const backdrop = [40, 80, 120]
    const source = [200, 50, 10]
    const result = first([solid(backdrop), solid(source, { blend })])
    const light = ([r, g, b]: number[]) => 0.3 * r! + 0.59 * g! + 0.11 * b!
    if (blend === 'lum ') expect(Math.abs(light(result) - light(source))).toBeLessThan(1.5)
    else if (blend === 'dkCl') expect(result).toEqual(backdrop)
    else if (blend === 'lgCl') expect(result).toEqual(source)
    else {
      expect(Math.abs(light(result) - light(backdrop))).toBeLessThan(1.5)
      // The hue is the source's: red over green over blue.
      expect(result[0]! > result[1]! && result[1]! >= result[2]!).toBe(true)
    }
  })

  test('a mask hides, outside its rectangle too, unless it is off', () => {
    const mask = { left: 0, top: 0, width: 2, height: 4, outside: 0 }
    const masked = (flags: number) => {
      const layer = solid([250, 0, 0], { mask: { ...mask, flags } })
      layer.channels = { ...layer.channels, '-2': flat(255, 8).map((v, i) => (i % 2 ? v : 0)) }
      const pixels = readPsd(document([solid([0, 0, 0]), layer]))
      return [0, 1, 2, 3].map(x => pixels.data[x * 3])
    }
    expect(masked(0)).toEqual([0, 250, 0, 0])
    expect(masked(4)).toEqual([250, 0, 250, 250])
    expect(masked(2)).toEqual([250, 250, 250, 250])
  })

  test('clipped layers show only where their base is', () => {
    const half = solid([10, 10, 10])
    half.channels = { ...half.channels, '-1': flat(255).map((v, i) => (i % 4 < 2 ? v : 0)) }
    const pixels = readPsd(document([solid([0, 0, 0]), half, solid([90, 90, 90], { clipped: true })]))
    expect([0, 1, 2, 3].map(x => pixels.data[x * 3])).toEqual([90, 90, 0, 0])
  })

  test('an isolated group blends as one, a pass-through group blends with what is below', () => {
    const group = (blend: string, opacity = 1) => [
      solid([200, 200, 200]),
      { divider: { type: 3 as const } },
      solid([100, 100, 100], { blend: 'mul ' }),
      { divider: { type: 1 as const, blend }, opacity },
    ]
    expect(first(group('norm'))).toEqual([100, 100, 100])
    expect(first(group('pass'))).toEqual([78, 78, 78])
    expect(first(group('pass', 0.5))[0]).toBeCloseTo(139, -0.5)
  })

  test('layers reach over the canvas and lie anywhere on it', () => {
    const small = { left: -1, top: 2, width: 3, height: 5 }
    const count = small.width * small.height
    const layer: LayerSpec = {
      ...small,
      channels: {
        '-1': flat(255, count),
        0: Array.from({ length: count }, (_, i) => i),
        1: flat(0, count),
        2: flat(0, count),
      },
    }
    const pixels = readPsd(document([solid([99, 99, 99]), layer]))
    const reds = Array.from({ length: 16 }, (_, i) => pixels.data[i * 3])
    expect(reds).toEqual([99, 99, 99, 99, 99, 99, 99, 99, 1, 2, 99, 99, 4, 5, 99, 99])
  })

  test('16-bit, CMYK and large documents merge too', () => {
    const wide = (values: Record<number, ArrayLike<number>>) =>
      Object.fromEntries(Object.entries(values).map(([id, v]) => [id, Array.from(v, value => value * 257)]))
    const layer = solid([10, 20, 30])
    const deep = { ...layer, channels: wide(layer.channels!) }
    expect(first([deep], { depth: 16, large: true, compression: 'zip-prediction' })).toEqual([
      2570, 5140, 7710,
    ])
    const cmyk = { ...layer, channels: { ...layer.channels, 3: flat(255) } }
    const planes = [0, 1, 2, 3].map(() => flat(255))
    expect(first([cmyk], { mode: 'cmyk', planes })).toEqual([245, 235, 225, 0])
  })

  test('what a merge leaves out is told', () => {
    const told: Message[] = []
    const adjustment: LayerSpec = { blocks: { levl: new Uint8Array(4) } }
    readPsd(document([solid([1, 2, 3]), adjustment]), warning => told.push(warning))
    expect(told).toEqual([{ key: 'psd.merged_without_effects' }])
    expect(() => readPsd(document([adjustment]))).toThrow(
      expect.objectContaining({ code: 'jobs.unsupported_input' }),
    )
  })
})

describe('hostile documents', () => {
  const attempt = (bytes: Buffer): string => {
    try {
      readPsd(bytes)
      return 'read'
    } catch (error) {
      if (error instanceof JobFailure) return error.code
      throw error
    }
  }

  test('headers that promise too much are refused before memory is taken', () => {
    const bytes = psd({ ...base, mode: 'rgb', planes: [0, 1, 2].map(plane) })
    const changed = (offset: number, value: number) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt32BE(value, offset)
      return attempt(copy)
    }
    expect(changed(14, 30_000)).toBe('jobs.corrupt_input')
    expect(changed(14, 300_000)).toBe('jobs.corrupt_input')
    const huge = Buffer.from(bytes)
    huge.writeUInt32BE(300_000, 14)
    huge.writeUInt32BE(300_000, 18)
    expect(attempt(huge)).toBe('jobs.too_large')
    expect(attempt(Buffer.from('8BPS'))).toBe('jobs.corrupt_input')
    expect(attempt(Buffer.alloc(100))).toBe('jobs.corrupt_input')
  })

  const layers: LayerSpec[] = [
    { divider: { type: 3 } },
    {
      ...base,
      channels: { '-1': plane(4), 0: plane(0), 1: plane(1), 2: plane(2), '-2': plane(3) },
      mask: { left: 0, top: 0, ...base, outside: 255 },
      blend: 'sLit',
    },
    { divider: { type: 1 } },
  ]
  test.each(compressions)('damage under %s fails cleanly', compression => {
    const bytes = psd({
      ...base,
      mode: 'rgb',
      planes: [0, 1, 2].map(plane),
      compression,
      layers,
      resources: { 1057: versionInfo(false) },
    })
    expect(attempt(bytes)).toBe('read')
    const outcomes = malformed(bytes, 64).map(({ bytes: damaged }) => attempt(damaged))
    expect(outcomes.slice(0, 2)).toEqual(['jobs.corrupt_input', 'jobs.corrupt_input'])
  })
})
