/** Every conversion of recordings at the ends of the ranges of its options, two at a time. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertFile } from '../../../test/convert.ts'
import { extremesOf, pairwise, withSettings } from '../../../test/extremes.ts'
import { isFull } from '../../../test/full.ts'
import { ffprobe, make, mediaFolder, samples, tool } from '../../../test/media.ts'
import { converters } from '../index.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const SECONDS = 0.6
const picture = ['-f', 'lavfi', '-i', 'color=s=16x16:r=5', '-shortest']
const sources: Record<string, string[]> = {
  ...{ aac: [], flac: [], m4a: [], m4b: ['-f', 'mp4'], mp3: [], ogg: [], opus: [], wma: [] },
  ...{ avi: picture, mkv: picture, mov: picture, mp4: picture, webm: picture },
}

const recordings = converters.filter(
  ({ category, source }) => /^(audio|video)$/.test(category) && source !== 'audio',
)
// Two encoders that refuse settings are enough between releases.
const tried = recordings.filter(({ job }) => isFull || /^audio\.wav-to-(mp3|opus)$/.test(job))

beforeAll(() => {
  make(at('a.wav'), '-f', 'lavfi', '-i', `aevalsrc=0.4*sin(2500*t)|0.3*sin(900*t*t):d=${SECONDS}:s=44100`)
  for (const [source, args] of Object.entries(sources)) make(at(`a.${source}`), '-i', at('a.wav'), ...args)
  tool('sox', at('a.wav'), at('a.paf'))
})

describe.each(tried)('$job', ({ job, source, options }) => {
  it.each(
    pairwise(extremesOf(options)).map(
      settings =>
        [
          settings.map(({ path, value }) => `${path.replace(/.*\./, '')} ${value}`).join(', '),
          settings,
        ] as const,
    ),
  )('%s', async (_, settings) => {
    const { path } = await convertFile(job, at(`a.${source}`), withSettings(settings))
    const rate = Number(ffprobe(path).audio.sample_rate)
    expect(Math.abs(samples(path).length / rate - SECONDS)).toBeLessThan(0.15)
  })
})
