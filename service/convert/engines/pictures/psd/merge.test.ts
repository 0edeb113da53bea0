import { describe, expect, test } from 'vitest'
import { type LayerSpec, type PsdSpec, psd, versionInfo } from '../../../../../testing/psd.ts'
import type { Message } from '../../../../shared/messages/message.ts'
import { readPsd } from './index.ts'

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

  test('an existing merged picture is used as it is', () => {
    const layers = [solid([1, 2, 3])]
    expect(first(layers, { resources: { 1057: versionInfo(true) } })).toEqual([255, 255, 255])
    expect(first(layers)).toEqual([1, 2, 3])
  })

  test('opacity and transparency are combined, and an opaque result has no alpha', () => {
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

  // Results of the formulas of PDF 1.7 and Photoshop, for 200 under 100 and 60 under 180.
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

  test.each(['hue ', 'colr', 'lum ', 'dkCl', 'lgCl'])(
    'whole-colour mode %s preserves the right components',
    blend => {
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
    },
  )

  test('a mask hides, also outside its rectangle, unless it is disabled', () => {
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

  test('an isolated group blends as a unit, a pass-through group blends with what is below', () => {
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

  test('layers may extend beyond the canvas or be anywhere on it', () => {
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

  test.each([{ mode: 'duotone' }, { mode: 'rgb', depth: 32 }] as const)(
    'layers are not merged in %o, but a merged picture is used',
    spec => {
      const saved = (merged: boolean) =>
        document([solid([1, 0, 0])], { ...spec, resources: { 1057: versionInfo(merged) } })
      expect(() => readPsd(saved(false))).toThrow(
        expect.objectContaining({ code: 'jobs.unsupported_input', reason: { key: 'psd.unmerged_mode' } }),
      )
      expect(readPsd(saved(true))).toMatchObject({ width: SIZE, height: SIZE })
    },
  )

  test('what a merge leaves out is reported', () => {
    const notices: Message[] = []
    const adjustment: LayerSpec = { blocks: { levl: new Uint8Array(4) } }
    readPsd(document([solid([1, 2, 3]), adjustment]), warning => notices.push(warning))
    expect(notices).toEqual([{ key: 'psd.merged_without_effects' }])
    expect(() => readPsd(document([adjustment]))).toThrow(
      expect.objectContaining({ code: 'jobs.unsupported_input' }),
    )
  })
})
