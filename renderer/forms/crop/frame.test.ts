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

test('a corner or an edge is moved, and what is opposite to it stays', () => {
  expect(resized(frame, 'northwest', { x: 0, y: 60 }, size)).toEqual({
    left: 0,
    top: 60,
    width: 300,
    height: 90,
  })
  expect(resized(frame, 'southeast', { x: 10, y: 10 }, size)).toEqual({ ...frame, width: 1, height: 1 })
  expect(resized(frame, 'west', { x: 20, y: 0 }, size)).toEqual({ ...frame, left: 20, width: 280 })
  expect(resized(frame, 'south', { x: 0, y: 900 }, size)).toEqual({ ...frame, height: 150 })
  expect(resized(frame, 'southeast', { x: 390, y: 60 }, size, 1)).toEqual({
    ...frame,
    width: 150,
    height: 150,
  })
  const highest = { left: 0, top: 0, width: 300, height: 150 }
  expect(resized(frame, 'northwest', { x: 290, y: 0 }, size, 2)).toEqual(highest)
  expect(resized(frame, 'north', { x: 0, y: 100 }, size, 2)).toEqual({
    left: 100,
    top: 100,
    width: 100,
    height: 50,
  })
})

const key = (name: string, shiftKey = false) => ({ key: name, shiftKey })

test('arrow keys move it or a handle by a hundredth, and by ten with Shift', () => {
  expect(afterKey(key('ArrowLeft'), frame, undefined, size)).toEqual({ ...frame, left: 96 })
  expect(afterKey(key('ArrowDown', true), frame, undefined, size)).toEqual({ ...frame, top: 90 })
  expect(afterKey(key('ArrowUp'), frame, 'southeast', size)).toEqual({ ...frame, height: 96 })
  expect(afterKey(key('ArrowRight', true), frame, 'west', size)).toEqual({ ...frame, left: 140, width: 160 })
  expect(afterKey(key('ArrowLeft'), frame, 'southeast', size, 2)).toMatchObject({ width: 196, height: 98 })
  expect(afterKey(key('ArrowDown'), frame, 'southeast', size, 2)).toMatchObject({ width: 208, height: 104 })
  expect(afterKey(key('ArrowDown'), frame, 'west', size)).toBeUndefined()
  expect(afterKey(key('a'), frame, undefined, size)).toBeUndefined()
})

test('it stays within pictures of a few pixels', () => {
  const tiny = { width: 3, height: 1 }
  const whole = { left: 0, top: 0, ...tiny }
  expect(afterKey(key('ArrowRight', true), whole, undefined, tiny)).toEqual(whole)
  expect(afterKey(key('ArrowRight', true), whole, 'west', tiny)).toEqual({ ...whole, left: 2, width: 1 })
  expect(afterKey(key('ArrowUp'), whole, 'south', tiny)).toEqual(whole)
})
