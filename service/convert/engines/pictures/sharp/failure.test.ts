import { symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { u8, u32 } from '../../common/iso-boxes.ts'
import { add, emptyContents, fileOf } from '../avif/items-write.ts'
import { readItems } from '../heif/items.ts'
import { sharpFailure } from './failure.ts'
import { sharp } from './load.ts'

const files = testFiles('sharp-failures')
const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
const picture = () => sharp({ create: { width: 96, height: 96, channels: 3, background: 'red', noise } })

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'converted',
    error => sharpFailure(error).code,
  )

const formats = ['png', 'jpg', 'webp', 'avif', 'tiff', 'gif'] as const

test.each(formats)('%s that cannot be written is not blamed on the file', async format => {
  expect(await codeOf(picture().toFile(files.path(`nowhere/a.${format}`)))).toBe('jobs.engine_crashed')
})

test.runIf(process.platform === 'linux').each(formats)('a full disk is called so: %s', async format => {
  symlinkSync('/dev/full', files.path(`full.${format}`))
  expect(await codeOf(picture().toFile(files.path(`full.${format}`)))).toBe('jobs.disk_full')
})

test('what is asked for wrongly is not blamed on the file; what cannot be read is', async () => {
  const wrong = picture().extract({ left: 0, top: 0, width: 999, height: 9 })
  expect(await codeOf(wrong.png().toBuffer())).toBe('jobs.engine_crashed')
  expect(await codeOf(sharp(files.path('none.png')).png().toBuffer())).toBe('jobs.engine_crashed')
  expect(await codeOf(sharp(Buffer.from('A letter')).png().toBuffer())).toBe('jobs.corrupt_input')
  const whole = await picture().png().toBuffer()
  const cut = sharp(whole.subarray(0, whole.length / 2), { failOn: 'warning' })
  expect(await codeOf(cut.avif().toBuffer())).toBe('jobs.corrupt_input')
})

test.each([
  ['289 megapixels', 17_000, 2, 'more than 268 megapixels'],
  ['289 tiles', 1700, 17, ''],
])('an AVIF of %s is larger than what is read, not damaged', async (_, edge, across, words) => {
  const { data, primary } = readItems(await picture().avif({ effort: 0 }).toBuffer())
  const sized = (size: number) =>
    primary.properties.map(own => (own.type === 'ispe' ? { ...own, body: u32(0, size, size) } : own))
  const file = emptyContents('avif')
  const grid = Buffer.concat([u8(0, 1, across - 1, across - 1), u32(edge, edge)])
  const whole = add(file, 'grid', grid, sized(edge))
  const tiles = Array.from({ length: across ** 2 }, () =>
    add(file, 'av01', data(primary), sized(edge / across)),
  )
  whole.references.push(['dimg', tiles])
  const error = await sharp(fileOf(file), { limitInputPixels: false }).png().toBuffer().catch(sharpFailure)
  expect(error).toMatchObject({ code: 'jobs.too_large', message: expect.stringContaining(words) })
})
