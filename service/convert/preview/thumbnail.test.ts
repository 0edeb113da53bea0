import { readdirSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFiles } from '../../../testing/files.ts'
import type { TaskInput } from '../catalogue/task.ts'
import { makeThumbnail } from './thumbnail.ts'

const files = testFiles('thumbnail')

test('a thumbnail leaves a conversion that follows in its process all threads', async () => {
  const png = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  const path = files.write(png, 'png')
  const input: TaskInput = { path, name: 'a.png', stem: 'a', bytes: png.length, format: 'png' }
  const usual = sharp.concurrency()
  expect(usual).toBeGreaterThan(1)
  expect(await makeThumbnail(input, files.folder, [8])).toBe(true)
  expect(readdirSync(files.folder)).toContain('8.webp')
  expect(sharp.concurrency()).toBe(usual)
})
