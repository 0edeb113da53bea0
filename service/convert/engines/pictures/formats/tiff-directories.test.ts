import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { gradient } from '../../../../../testing/fixtures/pixels.ts'
import { makeDng } from '../../../../../testing/fixtures/raw.ts'
import { readDirectories } from './tiff-directories.ts'

const files = testFiles('tiff')
const read = async (bytes: Uint8Array) => (await readDirectories(files.write(bytes, 'tif'))).directories
const pages = files.path('pages.tif')

beforeAll(() => {
  tool('convert', '-size', '60x40', 'gradient:red-blue', '-size', '30x50', 'gradient:black-white', pages)
})

test.each([
  ['little endian', ['-endian', 'LSB'], 'tiff'],
  ['big endian', ['-endian', 'MSB'], 'tiff'],
  ['BigTIFF', [], 'tiff64'],
])('%s: every page with its size', async (_, options, format) => {
  const path = files.path(`${format}${options[1] ?? ''}.tif`)
  tool('convert', pages, ...options, `${format}:${path}`)
  const page = { auxiliary: false, raw: false, dng: false, complete: true }
  const { directories, complete } = await readDirectories(path)
  expect(complete).toBe(true)
  expect(directories).toMatchObject([
    { ...page, width: 60, height: 40 },
    { ...page, width: 30, height: 50 },
  ])
})

test('a file that is not a TIFF, or only the start of one, has no pages', async () => {
  expect(await read(Buffer.alloc(0))).toEqual([])
  expect(await read(Buffer.alloc(500, 0x49))).toEqual([])
  expect(await read(readFileSync(pages).subarray(0, 12))).toEqual([])
})

describe('missing data beyond the end of the file', () => {
  const dng = () => makeDng(gradient(64, 48), { preview: Buffer.from('no preview') })

  test('are noticed in a subdirectory', async () => {
    expect(await read(dng())).toMatchObject([{ dng: true, raw: true, complete: true }])
    for (const share of [0.5, 0.9]) {
      const whole = dng()
      expect(await read(whole.subarray(0, whole.length * share))).toMatchObject([
        { dng: true, complete: false },
      ])
    }
  })

  test('are noticed if a strip, or the value of a tag, claims them', async () => {
    const claiming = (tag: number, at: number, value: number) => {
      const bytes = readFileSync(pages)
      let entry = bytes.readUInt32LE(4) + 2
      while (bytes.readUInt16LE(entry) !== tag) entry += 12
      bytes.writeUInt32LE(value, entry + at)
      return bytes
    }
    const completeness = async (bytes: Uint8Array) => (await read(bytes)).map(({ complete }) => complete)
    expect(await completeness(claiming(279, 8, 1e6))).toEqual([false, true])
    expect(await completeness(claiming(258, 8, 1e6))).toEqual([false, true])
    // No memory is reserved for more values than the file could hold.
    expect(await completeness(claiming(273, 4, 0xffffffff))).toEqual([false, true])
  })
})

test('directories that point at each other do not loop', async () => {
  const bytes = readFileSync(pages)
  const first = bytes.readUInt32LE(4)
  bytes.writeUInt32LE(first, first + 2 + 12 * bytes.readUInt16LE(first))
  expect(await read(bytes)).toHaveLength(1)
})

test('a bad link keeps the pages before it', async () => {
  const bytes = readFileSync(pages)
  const first = bytes.readUInt32LE(4)
  bytes.writeUInt32LE(0x7fffffff, first + 2 + 12 * bytes.readUInt16LE(first))
  const { directories, complete } = await readDirectories(files.write(bytes, 'tif'))
  expect(directories).toHaveLength(1)
  expect(complete).toBe(false)
})
