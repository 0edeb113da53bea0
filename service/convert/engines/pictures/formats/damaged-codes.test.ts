/** Flipped bits in the coded data of JPEG, which its decoder passes over. */
import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { isFull } from '../../../../../testing/fixtures/full.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { gradient, seeded } from '../../../../../testing/fixtures/pixels.ts'
import { writePnm } from '../../../../../testing/pictures.ts'
import { codesBreakOff } from './jpeg-codes.ts'

const files = testFiles('damaged-codes')
const random = seeded(7)
const picture = gradient(157, 103)
picture.data.forEach((value, at) => {
  picture.data[at] = Math.min(255, value + random(40))
})
const source = writePnm(picture, files.path('a.ppm'))
writeFileSync(files.path('scans'), '0;\n1;\n2;\n')

const ways: string[][] = [
  [],
  ['-optimize', '-sample', '1x1'],
  ['-sample', '2x1', '-restart', '3B'],
  ['-sample', '1x2,2x1,2x2'],
  ['-grayscale', '-sample', '2x2'],
  ['-scans', files.path('scans'), '-restart', '1'],
  ['-quality', '100'],
  ['-progressive'],
  ['-arithmetic'],
]

/** Copies of a file, each with three bits of its second half flipped. */
function* flipped(bytes: Buffer, count: number): Generator<Buffer> {
  for (let index = 0; index < count; index++) {
    const copy = Buffer.from(bytes)
    for (let flips = 0; flips < 3; flips++) {
      const at = bytes.length - 4 - random(bytes.length >> 1)
      copy[at] = copy[at]! ^ (1 << random(8))
    }
    yield copy
  }
}

describe('JPEG', () => {
  test('whole ones are whole, however they were written', () => {
    for (const options of ways) {
      const path = files.path('whole.jpg')
      tool('cjpeg', ...options, '-outfile', path, source)
      expect([options, codesBreakOff(readFileSync(path))]).toEqual([options, false])
    }
  })

  test('zeros that an encoder adds after the last block are none', () => {
    const path = files.path('padded.jpg')
    tool('cjpeg', '-outfile', path, source)
    const bytes = readFileSync(path)
    const padded = Buffer.concat([bytes.subarray(0, -2), Buffer.alloc(3), bytes.subarray(-2)])
    expect(codesBreakOff(padded)).toBe(false)
  })

  test('all that libjpeg warns of are found', () => {
    const path = files.path('b.jpg')
    tool('cjpeg', '-outfile', path, source)
    let warned = 0
    for (const bytes of flipped(readFileSync(path), isFull ? 400 : 40)) {
      writeFileSync(path, bytes)
      const { text } = judge('djpeg', '-outfile', files.path('b.ppm'), path)
      if (text === '') continue
      warned++
      expect(codesBreakOff(bytes)).toBe(true)
    }
    expect(warned).toBeGreaterThan(2)
  })
})

test('a damaged JPEG that sharp reads without a word is converted with a warning', async () => {
  const path = files.path('c.jpg')
  tool('convert', source, '-quality', '85', path)
  for (const bytes of flipped(readFileSync(path), 100)) {
    const isRead = await sharp(bytes)
      .stats()
      .catch(() => null)
    if (!codesBreakOff(bytes) || !isRead) continue
    writeFileSync(path, bytes)
    const { warnings } = await convertFile('image.jpg-to-png', path)
    expect(warnings).toEqual([expect.stringContaining('damaged')])
    return
  }
  expect.unreachable('no such damage')
})
