import { expect, test } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import { engines } from '../../convert/catalogue/engines.ts'
import { engineReports } from '../../convert/engines/index.ts'
import type { About, StagedFile } from './types.ts'

test('engines only need what has a report', () => {
  const needed = Object.values(engines).flatMap(({ needs }) => needs)
  expect(needed).toContain('ffmpeg')
  expect(Object.keys(engineReports)).toEqual(expect.arrayContaining(needed))
})

test('the reason for a missing engine is shown before a file is dropped, with each file, and in the settings', async () => {
  const app = await openApp(await testService(misbehaving))
  const missing = await json<string[]>(app.call('/app/missing'))
  expect(missing).toContain('audio.mp3-to-wav')
  expect(missing).not.toContain('image.jpg-to-webp')
  const targetsOf = async (name: string) =>
    (await json<StagedFile>(app.drop(name, 'fine'))).targets
      .filter(target => target.missing)
      .map(({ job }) => job)
  expect(await targetsOf('a.mp3')).toContain('audio.mp3-to-wav')
  expect(await targetsOf('a.jpg')).toEqual([])
  const { converters, engines: described } = await json<About>(app.call('/app/about'))
  expect(converters.done).toBe(converters.total - missing.length)
  expect(described).toEqual([{ name: 'ffmpeg', version: null, available: false, hint: null }])
})
