import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { convertFile, measureFile } from '../../../test/convert.ts'
import {
  channelsOf,
  correlation,
  ffprobe,
  lagOf,
  lively,
  make,
  mediaFolder,
  tool,
} from '../../../test/media.ts'
import { converters } from '../index.ts'

const SECONDS = 2.5

const codecOfTarget: Record<string, [codec: string, container: string]> = {
  aac: ['aac', 'aac'],
  flac: ['flac', 'flac'],
  m4a: ['aac', 'mov,mp4,m4a,3gp,3g2,mj2'],
  mp3: ['mp3', 'mp3'],
  ogg: ['vorbis', 'ogg'],
  opus: ['opus', 'ogg'],
  wav: ['pcm_s16le', 'wav'],
}

/** How the sources are made; videos get a picture as well. */
const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10', '-shortest']
const sources: Record<string, string[]> = {
  aac: [],
  flac: [],
  m4a: [],
  m4b: ['-f', 'mp4'],
  mp3: ['-b:a', '192k'],
  ogg: ['-q:a', '6'],
  opus: ['-b:a', '160k'],
  wav: [],
  wma: ['-b:a', '192k'],
  avi: [...picture, '-c:v', 'mpeg4', '-c:a', 'mp3', '-b:a', '192k'],
  mkv: [...picture, '-c:v', 'mpeg4', '-c:a', 'ac3'],
  mov: [...picture, '-c:v', 'mpeg4', '-c:a', 'aac', '-b:a', '192k'],
  mp4: [...picture, '-c:v', 'mpeg4', '-c:a', 'aac', '-b:a', '192k'],
  webm: [...picture, '-c:v', 'libvpx', '-c:a', 'libopus', '-b:a', '160k'],
}

const pairs = converters.filter(
  ({ category, source, extension }) =>
    (category === 'audio' || category === 'video') && source !== 'audio' && !extension,
)

describe('recordings', () => {
  const folder = mediaFolder()
  let reference: Float32Array[]

  // The service's ffmpeg, with a log of its starts.
  const log = join(folder, 'starts.log')
  const starts = () => readFileSync(log, 'utf8').split('\n').length
  afterAll(() => vi.unstubAllEnvs())

  beforeAll(() => {
    const wrapper = join(folder, 'ffmpeg')
    const real = tool('sh', '-c', 'command -v ffmpeg').trim()
    writeFileSync(wrapper, `#!/bin/sh\necho started >> '${log}'\nexec '${real}' "$@"\n`, { mode: 0o755 })
    vi.stubEnv('REFILE_FFMPEG', wrapper)
    const master = make(join(folder, 'source.wav'), ...lively(SECONDS))
    for (const [source, args] of Object.entries(sources)) {
      if (source !== 'wav') make(join(folder, `source.${source}`), '-i', master, ...args)
    }
    tool('sox', master, join(folder, 'source.paf'))
    reference = channelsOf(master, 2)
  })

  it('come in the promised pairs', () => {
    expect(pairs.filter(({ category }) => category === 'audio')).toHaveLength(31)
    expect(pairs.filter(({ category }) => category === 'video')).toHaveLength(10)
  })

  it.each(pairs.map(({ job, source, target }) => ({ job, source, target })))(
    'are converted correctly: $job',
    async ({ job, source, target }) => {
      const { path, outputs, warnings } = await convertFile(job, join(folder, `source.${source}`))
      expect(outputs).toHaveLength(1)
      expect(warnings).toEqual([])

      const { audio, format, streams } = ffprobe(path)
      expect([audio.codec_name, format.format_name]).toEqual(codecOfTarget[target])
      expect(streams.every(stream => stream.codec_type === 'audio')).toBe(true)
      expect(audio.channels).toBe(2)
      const opus = source === 'opus' || source === 'webm' || target === 'opus'
      expect(audio.sample_rate).toBe(opus ? '48000' : '44100')

      let lag: number | undefined
      // The right channel first: its tone rises, so it matches at one position only.
      const channels = channelsOf(path, 2, '-ar', '44100')
      for (const channel of [1, 0]) {
        const sound = channels[channel] as Float32Array
        expect(Math.abs(sound.length / 44_100 - SECONDS)).toBeLessThan(0.06)
        const original = reference[channel] as Float32Array
        lag ??= lagOf(original, sound)
        expect(correlation(original, sound, lag)).toBeGreaterThan(0.98)
      }
    },
  )

  it.each(Object.keys({ ...sources, paf: [] }))('are measured in minutes: %s', async source => {
    const { job } = pairs.find(pair => pair.source === source) as (typeof pairs)[number]
    const { minutes = 0 } = await measureFile(job, join(folder, `source.${source}`))
    // The picture of the AVI file lasts slightly longer than its audio.
    expect(Math.abs(minutes * 60 - SECONDS)).toBeLessThan(0.25)
  })

  it('are probed once, when they are measured', async () => {
    const path = join(folder, 'once.mp4')
    copyFileSync(join(folder, 'source.mp4'), path)
    const before = starts()
    const { probe } = await measureFile('video.mp4-to-mp3', path)
    expect(starts() - before).toBe(1)
    const moved = join(folder, 'moved.mp4')
    copyFileSync(path, moved)
    await convertFile('video.mp4-to-mp3', moved, {}, { probe })
    expect(starts() - before).toBe(2)
  })

  it('without a duration in their header are measured by reading them', async () => {
    const path = join(folder, 'live.webm')
    // Written to a pipe, the header cannot be completed afterwards.
    tool('sh', '-c', `ffmpeg -v error -i ${join(folder, 'source.webm')} -c copy -f webm -live 1 - > ${path}`)
    expect(ffprobe(path).format.duration).toBeUndefined()
    const { minutes = 0 } = await measureFile('video.webm-to-mp3', path)
    expect(Math.abs(minutes * 60 - SECONDS)).toBeLessThan(0.15)
  })
})
