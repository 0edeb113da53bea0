import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { box } from '../../../../../testing/fixtures/heif.ts'
import { hdrOf } from './gain-map.ts'

const files = testFiles('gain-map')

test.each([
  [
    'of an ordinary picture',
    Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1heic')), box('meta', Buffer.alloc(9))]),
    false,
  ],
  ['of a tone map', box('ftyp', Buffer.from('avif\0\0\0\0avifmif1tmap')), true],
  [
    'of Apple',
    Buffer.concat([
      box('ftyp', Buffer.from('heic\0\0\0\0mif1heic')),
      box('auxC', Buffer.from('\0\0\0\0urn:com:apple:photo:2020:aux:hdrgainmap\0')),
    ]),
    true,
  ],
])('a brighter rendition is announced by the boxes %s: %#', async (_, bytes, expected) => {
  expect((await hdrOf(files.write(Buffer.from(bytes), 'heic'))).gainMap).toBe(expected)
})
