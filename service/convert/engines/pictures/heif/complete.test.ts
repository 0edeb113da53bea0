import { expect, test } from 'vitest'
import { heicOf } from '../../../../../testing/fixtures/heif.ts'
import { gradient } from '../../../../../testing/fixtures/pixels.ts'
import { isComplete } from './picture.ts'

const picture = gradient(200, 120)
const alpha = new Uint8Array(200 * 120).fill(200)

test.each([
  ['single', {}],
  ['of tiles', { tile: 64 }],
  ['described beside its tiles', { tile: 64, gridIn: 'file' as const }],
  ['transparent', { alpha }],
])('a picture %s that lacks its last byte is incomplete', (_, recipe) => {
  const file = heicOf(picture, recipe)
  expect(isComplete(file)).toBe(true)
  expect(isComplete(file.subarray(0, -1))).toBe(false)
})

test('metadata is not part of the picture', () => {
  const file = heicOf(picture, { xmp: '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>' })
  expect(isComplete(file.subarray(0, -1))).toBe(true)
})

test('a file that is not HEIF is left to the decoder', () => {
  expect(isComplete(Buffer.alloc(100))).toBe(true)
})
