import { expect, test } from 'vitest'
import { afterKey, frameOf, moved, resized } from './frame.ts'

const size = { width: 400, height: 200 }
const frame = { left: 100, top: 50, width: 200, height: 100 }

test('the frame is what the options keep, within the picture', () => {
  expect(frameOf({}, size)).toEqual({ left: 0, top: 0, ...size })
  expect(frameOf({ left: 300, top: 10, width: 500 }, size)).toEqual({
    left: 300,
    top: 10,
    width: 100,
    height: 190,
  })
  expect(frameOf({ aspect: '1:1' }, size)).toEqual({ left: 100, top: 0, width: 200, height: 200 })
  expect(frameOf({ aspect: '1:1', gravity: 'southeast' }, size)).toMatchObject({ left: 200, top: 0 })
})

test('it is moved no farther than the edges', () => {
  expect(moved(frame, -30, 500, size)).toEqual({ ...frame, left: 70, top: 100 })
})

test('a corner is moved, and the one opposite to it stays', () => {
  expect(resized(frame, 'nw', 0, 60, size)).toEqual({ left: 0, top: 60, width: 300, height: 90 })
  expect(resized(frame, 'se', 10, 10, size)).toEqual({ left: 100, top: 50, width: 1, height: 1 })
  expect(resized(frame, 'se', 390, 60, size, 1)).toEqual({ left: 100, top: 50, width: 150, height: 150 })
  expect(resized(frame, 'nw', 290, 0, size, 2)).toEqual({ left: 0, top: 0, width: 300, height: 150 })
})

test('arrow keys move it by a hundredth, and resize it with Shift', () => {
  expect(afterKey('ArrowLeft', false, frame, size)).toEqual({ ...frame, left: 96 })
  expect(afterKey('ArrowUp', true, frame, size)).toEqual({ ...frame, height: 96 })
  expect(afterKey('ArrowLeft', true, frame, size, 2)).toMatchObject({ width: 196, height: 98 })
  expect(afterKey('ArrowDown', true, frame, size, 2)).toMatchObject({ width: 208, height: 104 })
  expect(afterKey('a', false, frame, size)).toBeUndefined()
})
