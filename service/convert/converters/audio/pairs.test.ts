import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { convertFile, measureFile } from '../../../../testing/fixtures/convert.ts'
import { isFull, kinds } from '../../../../testing/fixtures/full.ts'
import {
  channelsOf,
  correlation,
  ffprobe,
  lagOf,
  mediaFolder,
  samples,
  tool,
} from '../../../../testing/fixtures/media.ts'
import { makeRecordings, RECORDED_SECONDS, recordingJobs } from '../../../../testing/recordings.ts'
import { isBundle } from '../../catalogue/bundle.ts'
import { converters } from '../index.ts'

/** What MediaInfo says of a file, and of each of its streams. */
interface MediaInfo {
  media: {
    track: { '@type': string; Format: string; Format_AdditionalFeatures?: string; BitDepth?: string }[]
  }
}

/** MediaInfo's names. */
const formatOfTarget: Record<string, [container: string, codec: string]> = {
  aac: ['ADTS', 'AAC LC'],
  ac3: ['AC-3', 'AC-3'],
  aiff: ['AIFF', 'PCM'],
  caf: ['CAF', 'PCM'],
  eac3: ['E-AC-3', 'E-AC-3'],
  flac: ['FLAC', 'FLAC'],
  m4a: ['MPEG-4', 'AAC LC'],
  m4b: ['MPEG-4', 'AAC LC'],
  m4r: ['MPEG-4', 'AAC LC'],
  mp3: ['MPEG Audio', 'MPEG Audio'],
  ogg: ['Ogg', 'Vorbis'],
  opus: ['Ogg', 'Opus'],
  wav: ['Wave', 'PCM'],
  wma: ['Windows Media', 'WMA'],
}

const all = converters.filter(
  ({ category, source, target }) =>
    (category === 'audio' || category === 'video') &&
    source !== 'audio' &&
    !isBundle(source) &&
    source !== target &&
    target in formatOfTarget,
)
const pairs = all.filter(({ extension }) => !extension)
/** The encoders and muxers that most results are made by. */
const short = [
  'audio.mp3-to-aac',
  'audio.flac-to-caf',
  'audio.wav-to-flac',
  'audio.mp3-to-m4a',
  'audio.flac-to-mp3',
  'audio.m4b-to-ogg',
  'audio.aac-to-opus',
  'video.mp4-to-wav',
]
const readable = all.filter(({ source }) => Object.hasOwn(recordingJobs, source))
const tried = kinds(readable, ({ job }) => short.includes(job))

describe('recordings', () => {
  const folder = mediaFolder()
  const at = (format: string) => join(folder, `good.${format}`)
  let reference: Float32Array[]
  let resampled: Float32Array[]

  // The service's ffmpeg, with a log of its starts.
  const log = join(folder, 'starts.log')
  const starts = () => readFileSync(log, 'utf8').split('\n').length
  afterAll(() => vi.unstubAllEnvs())

  beforeAll(() => {
    const wrapper = join(folder, 'ffmpeg')
    const real = tool('sh', '-c', 'command -v ffmpeg').trim()
    writeFileSync(wrapper, `#!/bin/sh\necho started >> '${log}'\nexec '${real}' "$@"\n`, { mode: 0o755 })
    vi.stubEnv('REFILE_FFMPEG', wrapper)
    makeRecordings(folder, isFull ? undefined : [...new Set(tried.map(({ source }) => source))])
    const master = at('wav')
    reference = channelsOf(master)
    resampled = channelsOf(master, '-ar', '48000')
  })

  it('come in the promised pairs', () => {
    expect(pairs.filter(({ category }) => category === 'audio')).toHaveLength(31)
    expect(pairs.filter(({ category }) => category === 'video')).toHaveLength(10)
    // Twenty kinds of media files, of which thirteen are targets, and ten of videos become fourteen.
    expect(all).toHaveLength(20 * 14 - 13 + 10 * 14)
  })

  it.each(tried.map(({ job, source, target }) => ({ job, source, target })))(
    'are converted correctly: $job',
    async ({ job, source, target }) => {
      const { path, outputs, warnings } = await convertFile(job, at(source))
      expect(outputs).toHaveLength(1)
      expect(warnings).toEqual([])

      const { media } = JSON.parse(tool('mediainfo', '--Output=JSON', path)) as MediaInfo
      const [general, audio, ...others] = media.track
      const [container, codec] = formatOfTarget[target]!
      expect([general?.Format, audio?.['@type'], others]).toEqual([container, 'Audio', []])
      expect([audio?.Format, audio?.Format_AdditionalFeatures ?? []].flat().join(' ')).toBe(codec)
      // The PAF file has 24 bits a sample.
      if (target === 'wav' || target === 'aiff') expect(audio?.BitDepth).toBe(source === 'paf' ? '24' : '16')
      const is48 = /^(opus|webm|weba)$/.test(source) || target === 'opus'
      const rate = is48 ? 48_000 : 44_100
      expect(channelsOf(path)).toHaveLength(2)
      const original = is48 ? resampled : reference
      let lag: number | undefined
      // The right channel first: its tone rises, so it matches at one position only.
      for (const channel of [1, 0]) {
        const sound = samples(path, channel)
        expect(Math.abs(sound.length / rate - RECORDED_SECONDS)).toBeLessThan(
          // Their packets are long, and no header says how much of the last one counts.
          /^(aac|ac3|eac3)$/.test(target) ? 0.07 : 0.06,
        )
        lag ??= lagOf(original[channel]!, sound, is48 ? 2900 : 2300)
        expect(correlation(original[channel]!, sound, lag)).toBeGreaterThan(0.98)
      }
    },
  )

  testFull('are measured in minutes', async () => {
    const sources = [...new Set(pairs.map(pair => pair.source))]
    for (const source of sources) {
      const { job } = pairs.find(pair => pair.source === source) as (typeof pairs)[number]
      const { minutes = 0 } = await measureFile(job, at(source))
      // The picture of the AVI file lasts slightly longer than its audio.
      expect(Math.abs(minutes * 60 - RECORDED_SECONDS), source).toBeLessThan(0.25)
    }
  })

  testFull('are probed once, when they are measured', async () => {
    const path = join(folder, 'once.mp4')
    copyFileSync(at('mp4'), path)
    const before = starts()
    const { probe } = await measureFile('video.mp4-to-mp3', path)
    expect(starts() - before).toBe(1)
    const moved = join(folder, 'moved.mp4')
    copyFileSync(path, moved)
    await convertFile('video.mp4-to-mp3', moved, {}, { probe })
    expect(starts() - before).toBe(2)
  })

  testFull('without a duration in their header are measured by reading them', async () => {
    const path = join(folder, 'live.webm')
    // Written to a pipe, the header cannot be completed afterwards.
    tool('sh', '-c', `ffmpeg -v error -i ${at('webm')} -c copy -f webm -live 1 - > ${path}`)
    expect(ffprobe(path).format.duration).toBeUndefined()
    const { minutes = 0 } = await measureFile('video.webm-to-mp3', path)
    expect(Math.abs(minutes * 60 - RECORDED_SECONDS)).toBeLessThan(0.15)
  })
})
