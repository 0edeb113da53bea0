/** Parts of recordings that could be copied begin and end at the right time. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertFile } from '../../../test/convert.ts'
import { correlation, ffprobe, lagOf, lively, make, mediaFolder, samples, tool } from '../../../test/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const RATE = 44_100
const trim = { start: 13.21, end: 15.5 }

beforeAll(() => {
  make(at('master.wav'), ...lively(20))
  make(at('master.mp3'), '-i', at('master.wav'), '-b:a', '192k')
  make(at('master.ogg'), '-i', at('master.wav'), '-q:a', '6')
  make(at('master.opus'), '-i', at('master.wav'), '-b:a', '192k', '-page_duration', '5000000')
  make(at('opus-inside.ogg'), '-i', at('master.opus'), '-c', 'copy', '-f', 'ogg')
  make(at('master.m4b'), '-i', at('master.wav'), '-b:a', '192k', '-f', 'mp4')
  make(at('alac.m4b'), '-i', at('master.wav'), '-c:a', 'alac', '-f', 'mp4')
  make(at('ms.wav'), '-i', at('master.wav'), '-c:a', 'adpcm_ms')
  make(at('ima.wav'), '-i', at('master.wav'), '-c:a', 'adpcm_ima_wav')
  make(at('master.flac'), '-i', at('master.wav'))
  make(at('master.wma'), '-i', at('master.wav'), '-b:a', '192k')
  make(at('master.m4a'), '-i', at('master.wav'), '-b:a', '192k')
  tool('sox', at('master.wav'), '-b', '16', at('short.paf'))
  tool('sox', at('master.wav'), '-b', '24', at('deep.paf'))
  // One keyframe at the start, and no others.
  const film = [
    '-f',
    'lavfi',
    '-i',
    'testsrc=s=64x64:r=10:d=20',
    '-c:v',
    'mpeg4',
    '-g',
    '600',
    '-sc_threshold',
    '1000000000',
  ]
  for (const name of ['film.avi', 'film.mkv', 'film.mp4', 'film.mov'])
    make(at(name), '-i', at('master.mp3'), ...film, '-map', '0:a', '-map', '1:v', '-c:a', 'copy')
})

/** Deviation of a part's start from that in the original, in samples, and its similarity. */
function place(path: string, original = 'master.wav'): { seconds: number; lag: number; alike: number } {
  const [whole, part] = [samples(at(original), 0, '-ar', String(RATE)), samples(path, 0, '-ar', String(RATE))]
  const wanted = whole.subarray(Math.round(trim.start * RATE), Math.round(trim.end * RATE))
  const lag = lagOf(wanted, part)
  return { seconds: part.length / RATE, lag, alike: correlation(wanted, part, lag) }
}

describe('a part of what could be copied is re-encoded, and cut at the exact sample', () => {
  it.each([
    ['video.avi-to-mp3', 'film.avi', {}],
    ['video.mkv-to-mp3', 'film.mkv', {}],
    ['video.mp4-to-mp3', 'film.mp4', {}],
    ['video.mov-to-mp3', 'film.mov', {}],
    ['audio.ogg-to-opus', 'opus-inside.ogg', {}],
    ['audio.opus-to-ogg', 'master.opus', { codec: 'opus' }],
  ])('%s of %s', async (job, name, audio) => {
    const { path, warnings } = await convertFile(job, at(name), { trim, audio })
    expect(warnings).toEqual([])
    const { seconds, lag, alike } = place(path)
    expect(seconds).toBeCloseTo(trim.end - trim.start, 2)
    // Times in AVI and Matroska are frame times and milliseconds; an embedded MP3 starts with its delay.
    expect(Math.abs(lag)).toBeLessThanOrEqual(name.startsWith('film') ? 1152 + 529 : 4)
    expect(alike).toBeGreaterThan(0.98)
  })
})

describe('a part of any source begins at the exact sample, where the codec has one', () => {
  it.each([
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
  ])('%s of %s', async (job, name, most) => {
    const { path, warnings } = await convertFile(job, at(name), { trim })
    expect(warnings).toEqual([])
    // All of WMA is decoded one frame late.
    const { seconds, lag, alike } = place(path, name.endsWith('.wma') ? name : 'master.wav')
    expect(seconds).toBeCloseTo(trim.end - trim.start, 2)
    expect(Math.abs(lag)).toBeLessThanOrEqual(most)
    expect(alike).toBeGreaterThan(0.98)
  })
})

describe('AAC and ALAC keep their codec, and are cut at a packet', () => {
  it.each([
    ['master.m4b', 1024],
    ['alac.m4b', 4096],
  ])('%s', async (name, packet) => {
    const { path } = await convertFile('audio.m4b-to-m4a', at(name), { trim })
    expect(ffprobe(path).audio.codec_name).toBe(name === 'alac.m4b' ? 'alac' : 'aac')
    const { seconds, lag, alike } = place(path)
    expect(Math.abs(seconds - (trim.end - trim.start))).toBeLessThanOrEqual((2 * packet) / RATE + 0.01)
    expect(Math.abs(lag)).toBeLessThanOrEqual(packet)
    expect(alike).toBeGreaterThan(0.97)
  })
})
