/** Parts of media files that could be copied begin and end at the right time. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import {
  correlation,
  ffprobe,
  lagOf,
  lively,
  make,
  makeAll,
  mediaFolder,
  samples,
  tool,
} from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const trim = { start: 6.21, end: 8.5 }

beforeAll(() => {
  const master = make(at('master.wav'), ...lively(9))
  makeAll(
    ['-i', master],
    [
      [at('master.mp3'), '-b:a', '192k'],
      [at('master.opus'), '-b:a', '192k', '-page_duration', '5000000'],
      [at('master.m4b'), '-b:a', '192k', '-f', 'mp4'],
      [at('alac.m4b'), '-c:a', 'alac', '-f', 'mp4'],
      [at('ms.wav'), '-c:a', 'adpcm_ms'],
      [at('master.flac')],
      [at('master.wma'), '-b:a', '192k'],
      [at('master.ogg'), '-q:a', '6'],
      [at('ima.wav'), '-c:a', 'adpcm_ima_wav'],
      [at('master.m4a'), '-b:a', '192k'],
    ],
  )
  tool('sox', master, '-b', '16', at('short.paf'))
  tool('sox', master, '-b', '24', at('deep.paf'))
  // One keyframe at the start, and no others.
  const video = ['-map', '0:a', '-map', '1:v', '-c:a', 'copy', '-c:v', 'mpeg4', '-g', '600']
  makeAll(
    ['-i', at('master.mp3'), '-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=9', '-i', at('master.opus')],
    [
      ...['avi', 'mkv', 'mp4', 'mov'].map((format): [string, ...string[]] => [
        at(`video.${format}`),
        ...[...video, '-sc_threshold', '1000000000'],
      ]),
      [at('opus-inside.ogg'), '-map', '2', '-c', 'copy', '-f', 'ogg'],
    ],
  )
})

/** How far the start of a job's part is from that in the original, in samples, and how similar they are. */
function place(job: string, path: string, original = 'master.wav') {
  // The right channel, whose rising tone matches at one position only.
  const rate = job.includes('opus') ? 48_000 : 44_100
  const whole = samples(at(original), 1, ...(rate === 48_000 ? ['-ar', String(rate)] : []))
  const part = samples(path, 1)
  const wanted = whole.subarray(Math.round(trim.start * rate), Math.round(trim.end * rate))
  const lag = lagOf(wanted, part)
  return { seconds: part.length / rate, lag, alike: correlation(wanted, part, lag) }
}

describe('a part of what could be copied is re-encoded, and cut at the exact sample', () => {
  const copied: [job: string, name: string, audio: object][] = [
    ['video.avi-to-mp3', 'video.avi', {}],
    ['video.mkv-to-mp3', 'video.mkv', {}],
    ['video.mp4-to-mp3', 'video.mp4', {}],
    ['video.mov-to-mp3', 'video.mov', {}],
    ['audio.ogg-to-opus', 'opus-inside.ogg', {}],
    ['audio.opus-to-ogg', 'master.opus', { codec: 'opus' }],
  ]
  it.each(copied)('%s of %s', async (job, name, audio) => {
    const { path, warnings } = await convertFile(job, at(name), { trim, audio })
    expect(warnings).toEqual([])
    const { seconds, lag, alike } = place(job, path)
    expect(seconds).toBeCloseTo(trim.end - trim.start, 2)
    // Times in AVI and Matroska are frame times and milliseconds; an embedded MP3 starts with its delay.
    expect(Math.abs(lag)).toBeLessThanOrEqual(name.startsWith('video') ? 1152 + 529 : 4)
    expect(alike).toBeGreaterThan(0.98)
  })
})

describe('a part of any source begins at the exact sample, where the codec has one', () => {
  const sources: [job: string, name: string, most: number][] = [
    ['audio.wav-to-flac', 'ms.wav', 0],
    ['audio.wav-to-flac', 'ima.wav', 0],
    ['audio.wav-to-flac', 'master.wav', 0],
    ['audio.flac-to-wav', 'master.flac', 0],
    ['audio.paf-to-wav', 'short.paf', 0],
    ['audio.paf-to-wav', 'deep.paf', 0],
    ['audio.mp3-to-wav', 'master.mp3', 4],
    ['audio.opus-to-wav', 'master.opus', 4],
    ['audio.wma-to-wav', 'master.wma', 4],
    ['audio.m4b-to-wav', 'master.m4b', 4],
    ['audio.ogg-to-opus', 'master.ogg', 4],
    ['audio.m4a-to-opus', 'master.m4a', 4],
  ]
  it.each(sources)('%s of %s', async (job, name, most) => {
    const { path, warnings } = await convertFile(job, at(name), { trim })
    expect(warnings).toEqual([])
    // All of WMA is decoded one frame late.
    const { seconds, lag, alike } = place(job, path, name.endsWith('.wma') ? name : 'master.wav')
    expect(seconds).toBeCloseTo(trim.end - trim.start, 2)
    expect(Math.abs(lag)).toBeLessThanOrEqual(most)
    expect(alike).toBeGreaterThan(0.98)
  })
})

describe('AAC and ALAC keep their codec, and are cut at a packet', () => {
  it.each([
    ['master.m4b', 1024],
    ['alac.m4b', 4096],
  ] as const)('%s', async (name, packet) => {
    const job = 'audio.m4b-to-m4a'
    const { path } = await convertFile(job, at(name), { trim })
    expect(ffprobe(path).audio.codec_name).toBe(name === 'alac.m4b' ? 'alac' : 'aac')
    const { seconds, lag, alike } = place(job, path)
    expect(Math.abs(seconds - (trim.end - trim.start))).toBeLessThanOrEqual((2 * packet) / 44_100 + 0.01)
    expect(Math.abs(lag)).toBeLessThanOrEqual(packet)
    expect(alike).toBeGreaterThan(0.97)
  })
})
