import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { isWholeGif } from './gif.ts'

const files = testFiles('gif')

/** Frames with their own colour tables, a comment, and transparency. */
const gif = (() => {
  const frames = ['red-blue', 'green-yellow', 'black-white'].flatMap(colours => [
    '-size',
    '40x30',
    `gradient:${colours}`,
  ])
  const path = files.path('a.gif')
  tool('convert', '-delay', '10', ...frames, '-set', 'comment', 'Three frames', '-transparent', 'red', path)
  return readFileSync(path)
})()

test('a file is whole with and without its trailer, whatever follows it', () => {
  expect(gif.at(-1)).toBe(0x3b)
  expect(isWholeGif(gif)).toBe(true)
  expect(isWholeGif(gif.subarray(0, -1))).toBe(true)
  expect(isWholeGif(Buffer.concat([gif, Buffer.from('more')]))).toBe(true)
})

test('truncated anywhere except between its blocks, it is not whole', () => {
  const whole = []
  for (let length = 13; length < gif.length; length++)
    if (isWholeGif(gif.subarray(0, length))) whole.push(length)
  // After its colour table, loop, comment, and each frame's control block, comment and picture.
  expect(whole.length).toBeGreaterThan(3)
  expect(whole.length).toBeLessThan(15)
})

test('an invalid block makes the file incomplete', () => {
  const broken = Buffer.from(gif)
  broken[broken.length - 1] = 0x77
  expect(isWholeGif(broken)).toBe(false)
  expect(isWholeGif(Buffer.alloc(0))).toBe(false)
})
