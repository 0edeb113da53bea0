import { expect, test } from 'vitest'
import { beginOf, frameAt, middleOf } from './frames.ts'

test.each([12, 23.976, 24, 25, 29.97, 30, 50, 59.94, 60])(
  'every frame at %d per second is found and cut off',
  fps => {
    for (let frame = 0; frame < 5000; frame++) {
      expect(frameAt(middleOf(frame, fps), fps)).toBe(frame)
      expect(frameAt(frame / fps, fps)).toBe(frame)
      // It begins after the one before it, and not after itself.
      expect(beginOf(frame, fps)).toBeLessThanOrEqual(frame / fps + 1e-9)
      expect(beginOf(frame, fps)).toBeGreaterThan((frame - 1) / fps)
    }
  },
)

test('there is no frame before the first', () => {
  expect(frameAt(-0.1, 25)).toBe(0)
  expect(middleOf(-1, 25)).toBe(0.02)
})
