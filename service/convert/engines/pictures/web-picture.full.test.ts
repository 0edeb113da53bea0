import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../testing/files.ts'
import { heicOf } from '../../../../testing/fixtures/heif.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { gradient, psnr } from '../../../../testing/fixtures/pixels.ts'
import { sharp } from './sharp/load.ts'
import { asWebPicture } from './web-picture.ts'

const files = testFiles('web-picture')
const picture = gradient(96, 64)

test('a picture of any format in a document becomes one that browsers show', async () => {
  const png = files.path('a.png')
  await sharp(picture.data, { raw: { width: 96, height: 64, channels: 3 } }).toFile(png)
  for (const format of ['jp2', 'psd']) tool('convert', png, files.path(`a.${format}`))
  for (const format of ['qoi', 'jxl']) tool('ffmpeg', '-v', 'error', '-i', png, files.path(`a.${format}`))
  const others = ['jp2', 'psd', 'qoi', 'jxl'].map(
    format => [format, readFileSync(files.path(`a.${format}`))] as const,
  )
  for (const [format, file] of [...others, ['heic', heicOf(picture)] as const]) {
    const shown = await asWebPicture(file)
    expect(shown?.mime, format).toBe('image/png')
    const data = await sharp(shown!.bytes).removeAlpha().raw().toBuffer()
    expect(psnr(data, picture.data), format).toBeGreaterThan(28)
  }
})
