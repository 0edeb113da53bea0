import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { gradient, seeded } from '../../../../../testing/fixtures/pixels.ts'
import { output } from '../../../../../testing/fixtures/programs.ts'
import { writePnm } from '../../../../../testing/pictures.ts'
import { turnedJpeg } from './jpeg-turn.ts'

const files = testFiles('jpeg-turn')
const random = seeded(3)
const picture = gradient(96, 64)
picture.data.forEach((value, at) => {
  picture.data[at] = Math.min(255, value + random(60))
})
const source = writePnm(picture, files.path('a.ppm'))

/** A JPEG written by cjpeg. */
function written(...options: string[]): string {
  const path = files.path('a.jpg')
  tool('cjpeg', ...options, '-outfile', path, source)
  return path
}

const whole = { left: 0, top: 0, width: 96, height: 64 }
const pixels = (jpeg: Uint8Array) => output('djpeg', ['-nosmooth', files.write(Buffer.from(jpeg), 'jpg')])

/** What jpegtran makes of the same. */
const theirs = (path: string, options: string[]) => pixels(output('jpegtran', ['-perfect', ...options, path]))

const samplings = [['1x1'], ['2x2'], ['2x1', '-restart', '2B'], ['1x2,2x1,2x2'], ['2x2', '-grayscale']]

test.each(
  few<[moves: string, options: string[]]>(2, [
    ['', []],
    ['x', ['-flip', 'horizontal']],
    ['y', ['-flip', 'vertical']],
    ['xy', ['-rotate', '180']],
    ['t', ['-transpose']],
    ['tx', ['-rotate', '90']],
    ['ty', ['-rotate', '270']],
    ['txy', ['-transverse']],
  ]),
)('coefficients moved by "%s" are those of jpegtran', (moves, options) => {
  for (const [sampling = '', ...more] of samplings) {
    const path = written('-sample', sampling, ...more)
    const moved = turnedJpeg(readFileSync(path), moves, whole)
    expect([sampling, moved && pixels(moved).equals(theirs(path, options))]).toEqual([sampling, true])
  }
})

test('a part between blocks is cut out, also one that ends within a block', () => {
  const path = written('-sample', '2x2')
  const part = { left: 16, top: 32, width: 37, height: 21 }
  const cut = turnedJpeg(readFileSync(path), '', part)
  expect(cut && pixels(cut).equals(theirs(path, ['-crop', '37x21+16+32']))).toBe(true)
  const turned = turnedJpeg(readFileSync(path), 'tx', { ...part, height: 32 })
  const both = files.write(Buffer.from(output('jpegtran', ['-crop', '37x32+16+32', path])), 'jpg')
  expect(turned && pixels(turned).equals(theirs(both, ['-rotate', '90']))).toBe(true)
})

test('what does not end between blocks, is progressive or damaged is left to others', () => {
  const path = written('-sample', '2x2')
  expect(turnedJpeg(readFileSync(path), '', { ...whole, left: 8, width: 88 })).toBeUndefined()
  expect(turnedJpeg(readFileSync(path), 'x', { ...whole, width: 90 })).toBeUndefined()
  expect(turnedJpeg(readFileSync(path).subarray(0, -200), 'x', whole)).toBeUndefined()
  expect(turnedJpeg(readFileSync(written('-progressive')), 'x', whole)).toBeUndefined()
})
