import { expect, test } from 'vitest'
import { type LayerSpec, psd, versionInfo } from '../../../../../testing/psd.ts'
import type { Message } from '../../../../shared/messages/message.ts'
import { readPsd } from './index.ts'

const SIZE = 4
const flat = (value: number, count = SIZE * SIZE) => Array<number>(count).fill(value)
const solid = (rgb: number[], extra: LayerSpec = {}, alpha = 255): LayerSpec => ({
  width: SIZE,
  height: SIZE,
  channels: { '-1': flat(alpha), 0: flat(rgb[0]!), 1: flat(rgb[1]!), 2: flat(rgb[2]!) },
  ...extra,
})

/** The first pixel of a document of these layers. */
async function first(layers: LayerSpec[], { isMerged = false, warnings = [] as Message[] } = {}) {
  const planes = [flat(255), flat(255), flat(255)]
  const resources = { 1057: versionInfo(isMerged) }
  const bytes = psd({ mode: 'rgb', width: SIZE, height: SIZE, planes, resources, layers })
  const { data, channels } = await readPsd(bytes, warning => warnings.push(warning))
  const [r, g, b, alpha = 255] = data.slice(0, channels)
  return [r, g, b, alpha]
}

test('a stored merged picture is used as it is, otherwise layers are merged, with a warning', async () => {
  const warnings: Message[] = []
  expect(await first([solid([1, 2, 3])], { isMerged: true, warnings })).toEqual([255, 255, 255, 255])
  expect(warnings).toEqual([])
  expect(await first([solid([1, 2, 3])], { warnings })).toEqual([1, 2, 3, 255])
  expect(warnings).toEqual([{ key: 'psd.merged_without_effects' }])
})

test('opacity and transparency are combined, hidden layers are left out', async () => {
  expect(await first([solid([0, 0, 0]), solid([255, 100, 0], { opacity: 0.2 })])).toEqual([51, 20, 0, 255])
  expect(await first([solid([0, 0, 0]), solid([200, 100, 0], {}, 51)])).toEqual([40, 20, 0, 255])
  expect(await first([solid([200, 100, 50], {}, 128)])).toEqual([200, 100, 50, 128])
  expect(await first([solid([5, 5, 5]), solid([7, 7, 7], { hidden: true })])).toEqual([5, 5, 5, 255])
})

// Results of the formulas of PDF 1.7, for 200 under 100 and 60 under 180.
test.each([
  ['dark', 100, 60],
  ['mul ', 78, 42],
  ['lite', 200, 180],
  ['scrn', 222, 198],
  ['over', 188, 85],
  ['hLit', 157, 140],
  ['diff', 100, 120],
])('blend mode %s', async (blend, one, two) => {
  const [r, g] = await first([solid([200, 60, 0]), solid([100, 180, 0], { blend })])
  expect(Math.abs(r! - one)).toBeLessThanOrEqual(1)
  expect(Math.abs(g! - two)).toBeLessThanOrEqual(1)
})

test('a document with neither a merged picture nor layers with pixels is refused', async () => {
  const failure = expect.objectContaining({ code: 'jobs.unsupported_input' })
  await expect(first([{ blocks: { levl: new Uint8Array(4) } }])).rejects.toThrow(failure)
})
