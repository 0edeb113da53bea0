/** Every conversion of recordings at the ends of the ranges of its options, two at a time. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertFile } from '../../../test/convert.ts'
import { extremesOf, pairwise, withSettings } from '../../../test/extremes.ts'
import { isFull } from '../../../test/full.ts'
import { ffprobe, mediaFolder, samples } from '../../../test/media.ts'
import { makeRecordings, RECORDED_SECONDS } from '../../../test/recordings.ts'
import { converters } from '../index.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const recordings = converters.filter(
  ({ category, source }) => /^(audio|video)$/.test(category) && source !== 'audio',
)
// Some settings of an encoder that refuses some are enough between releases.
const tried = recordings.filter(({ job }) => isFull || job === 'audio.wav-to-mp3')
const between = <T>(all: readonly T[]): T[] => all.filter((_, nth) => isFull || nth % 4 === 0)

beforeAll(() => makeRecordings(folder, isFull ? undefined : ['wav']))

describe.each(tried)('$job', ({ job, source, options }) => {
  it.each(
    between(pairwise(extremesOf(options))).map(
      settings =>
        [
          settings.map(({ path, value }) => `${path.replace(/.*\./, '')} ${value}`).join(', '),
          settings,
        ] as const,
    ),
  )('%s', async (_, settings) => {
    const { path } = await convertFile(job, at(`good.${source}`), withSettings(settings))
    const rate = Number(ffprobe(path).audio.sample_rate)
    expect(Math.abs(samples(path).length / rate - RECORDED_SECONDS)).toBeLessThan(0.15)
  })
})
