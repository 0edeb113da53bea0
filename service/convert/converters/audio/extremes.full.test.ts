/** Every conversion of media files at the ends of the ranges of its options, two at a time. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { extremeCases, withSettings } from '../../../../testing/extremes.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { ffprobe, judge, mediaFolder, samples } from '../../../../testing/fixtures/media.ts'
import { makeRecordings, makeVideos, RECORDED_SECONDS } from '../../../../testing/recordings.ts'
import { isBundle } from '../../catalogue/bundle.ts'
import { converters } from '../index.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const media = converters.filter(
  ({ category, source }) => /^(audio|video)$/.test(category) && source !== 'audio' && !isBundle(source),
)

beforeAll(() => {
  makeRecordings(folder)
  makeVideos(folder)
}, 120_000)

describe.each(media)('$job', ({ job, source, options }) => {
  it.each(extremeCases(options))('%s', async (_, settings) => {
    const converted = convertFile(job, at(`good.${source}`), withSettings(settings))
    // A video can be asked to be smaller than it can be, a picture of it smaller or larger, and subtitles that it has not.
    const output = await converted.catch((error: unknown) => {
      const isPicture = /-to-(jpg|png)$/.test(job)
      expect(error).toMatchObject({
        code: isPicture ? expect.stringMatching(/unsupported_input|too_large/) : 'jobs.unsupported_input',
        detail: expect.stringMatching(isPicture ? /\d/ : /at least|no track 1 to draw/),
      })
    })
    if (!output) return
    const { path } = output
    // ffprobe reads no animated WebP.
    if (path.endsWith('.webp')) expect(judge('webpmux', '-info', path)).toMatchObject({ status: 0 })
    else expect(judge('ffprobe', '-v', 'error', path)).toEqual({ status: 0, text: '' })
    if (!/\.(mp3|wav|aac|m4a|ogg|opus|flac)$/.test(path)) return
    const rate = Number(ffprobe(path).audio.sample_rate)
    expect(Math.abs(samples(path).length / rate - RECORDED_SECONDS)).toBeLessThan(0.15)
  })
})
