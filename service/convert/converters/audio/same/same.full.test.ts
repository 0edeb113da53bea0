import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import {
  correlation,
  ffprobe,
  judge,
  lively,
  make,
  mediaFolder,
  samples,
} from '../../../../../testing/fixtures/media.ts'

const folder = mediaFolder()

const encoders = {
  mp3: { args: ['-b:a', '320k'], options: { audio: { encoding: 'variable', quality: 4 } } },
  m4a: { args: ['-b:a', '320k'], options: { audio: { bitrate: 128 } } },
}

test.each(Object.entries(encoders))(
  'an %s becomes smaller, sounds the same and keeps its tags',
  async (format, { args, options }) => {
    const path = make(
      join(folder, `large.${format}`),
      ...lively(3),
      '-ac',
      '2',
      ...args,
      '-metadata',
      'title=Song',
    )
    const { path: result, warnings } = await convertFile(`audio.${format}-to-${format}`, path, options)
    expect((await stat(result)).size).toBeLessThan((await stat(path)).size * 0.8)
    expect(correlation(samples(result), samples(path))).toBeGreaterThan(0.98)
    expect(ffprobe(result).format.tags).toMatchObject({ title: 'Song' })
    expect(warnings).toEqual([])
  },
)

test('a recording that would lose quality without becoming smaller stays as it is', async () => {
  const path = make(join(folder, 'low.mp3'), ...lively(3), '-ac', '2', '-b:a', '64k')
  const options = { audio: { encoding: 'variable', quality: 0 } }
  const { path: result, warnings } = await convertFile('audio.mp3-to-mp3', path, options)
  expect(warnings).toEqual([
    'The file could not be made smaller without losing quality, so it was kept as it is.',
  ])
  expect(await readFile(result)).toEqual(await readFile(path))
  const cut = await convertFile('audio.mp3-to-mp3', path, { ...options, trim: { start: 0.5, end: 2.5 } })
  expect(Number(ffprobe(cut.path).format.duration)).toBeCloseTo(2, 0)
})

test('a recording that breaks off is not kept with tables that promise more', async () => {
  const whole = make(join(folder, 'whole.m4a'), ...lively(6), '-b:a', '64k', '-movflags', '+faststart')
  const path = join(folder, 'cut.m4a')
  const bytes = await readFile(whole)
  await writeFile(path, bytes.subarray(0, bytes.length * 0.6))
  const said = (file: string) => judge('ffmpeg', '-v', 'error', '-i', file, '-f', 'null', '-').text
  const { path: result } = await convertFile('audio.m4a-to-m4a', path, { audio: { bitrate: 320 } })
  expect(said(result)).toBe('')
  expect(said(path)).toContain('partial file')
})
