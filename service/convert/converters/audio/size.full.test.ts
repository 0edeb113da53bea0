import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { correlation, ffprobe, make, mediaFolder, samples } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const SECONDS = 4

/** Noise over tones, which takes all bits it can get. */
const music = [
  ...['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:c=pink:r=44100:a=0.2:seed=3`],
  ...['-f', 'lavfi', '-i', `sine=f=440:d=${SECONDS}`],
]
const stereo = ['-filter_complex', '[0][1]amix=2,pan=stereo|c0=c0|c1=0.8*c0[a]', '-map', '[a]']

beforeAll(() => {
  make(at('music.wav'), ...music, ...stereo)
  make(at('music.mp3'), ...music, ...stereo, '-b:a', '192k', '-metadata', 'title=Song')
  const cover = make(
    at('cover.jpg'),
    ...['-f', 'lavfi', '-i', 'nullsrc=s=300x300,geq=random(1)*255:128:128'],
    '-frames:v',
    '1',
  )
  const mapped = ['-map', '0:a', '-map', '1:v', '-c', 'copy', '-disposition:v', 'attached_pic']
  make(at('covered.mp3'), '-i', at('music.mp3'), '-i', cover, ...mapped)
})

/** What telephones would let through of a media file, whatever its rate. */
const heard = (path: string) => samples(make(`${path}.heard.wav`, '-i', path, '-ar', '8000', '-ac', '1'))

const within = async (target: string, megabytes: number, audio: object = {}, name = 'music.wav') => {
  const job = `audio.${name.split('.')[1]}-to-${target}`
  const result = await convertFile(job, at(name), { audio: { ...audio, targetSize: megabytes } })
  const { format, streams } = ffprobe(result.path)
  expect(Number(format.duration)).toBeCloseTo(SECONDS, 0)
  return { ...result, bytes: statSync(result.path).size, stream: streams[0]! }
}

const encodings: [target: string, audio: { codec?: string }][] = [
  ['mp3', {}],
  ['m4a', {}],
  ['aac', {}],
  ['opus', {}],
  ['ogg', { codec: 'vorbis' }],
  ['ogg', { codec: 'opus' }],
]
describe.each(encodings)('a recording that becomes %s %o', (target, audio) => {
  test.each([0.04, 0.017])('has at most %d MB', async megabytes => {
    const { bytes, warnings, path } = await within(target, megabytes, audio)
    expect(bytes).toBeLessThanOrEqual(megabytes * 1e6)
    expect(bytes).toBeGreaterThan(megabytes * 0.6e6)
    expect(warnings).toEqual([])
    // Bare AAC does not say where its sound begins.
    if (megabytes === 0.04 && target !== 'aac')
      expect(correlation(heard(path), heard(at('music.wav')))).toBeGreaterThan(0.8)
  })

  test.each([0.002])('is as small as it can be, with a warning, if %d MB are not enough', async megabytes => {
    const { warnings, bytes } = await within(target, megabytes, audio)
    expect(bytes).toBeLessThan(18_000)
    expect(warnings).toEqual([expect.stringMatching(/^The file has \d+ KB .* 2 KB were asked for/)])
  })
})

const paused: [target: string, megabytes: number][] = [
  ['opus', 0.0133],
  ['m4a', 0.027],
]
test.each(paused)(
  'pauses leave their share of the size to what is heard in %s',
  async (target, megabytes) => {
    make(at('pauses.wav'), '-i', at('music.wav'), '-af', `volume=0:enable='gt(t,${SECONDS / 3})'`)
    const { bytes } = await within(target, megabytes, {}, 'pauses.wav')
    expect(bytes).toBeLessThanOrEqual(megabytes * 1e6)
    expect(bytes).toBeGreaterThan(megabytes * 0.85e6)
  },
)

test('a recording that is small enough is encoded as its options say', async () => {
  const { stream } = await within('mp3', 10, { encoding: 'constant', bitrate: 128 })
  expect(stream.bit_rate).toBe('128000')
  const { stream: kept } = await within('mp3', 10, {}, 'music.mp3')
  expect(kept.bit_rate).toBe('192000')
})

test('an MP3 becomes one of at most a size, and keeps its tags', async () => {
  const { bytes, path, warnings } = await within('mp3', 0.083, {}, 'music.mp3')
  expect(bytes).toBeLessThanOrEqual(0.083e6)
  expect(ffprobe(path).format.tags).toMatchObject({ title: 'Song' })
  expect(warnings).toEqual([])
})

test('a cover that leaves no room for the sound is left out', async () => {
  const { bytes, path, warnings } = await within('mp3', 0.035, {}, 'covered.mp3')
  expect(bytes).toBeLessThanOrEqual(0.035e6)
  expect(ffprobe(path).streams).toHaveLength(1)
  expect(warnings).toEqual([expect.stringContaining('cover was left out')])
})

test('a part of a recording has at most the size', async () => {
  const options = { audio: { targetSize: 0.015 }, trim: { start: 0.5, end: 3.5 } }
  const { path } = await convertFile('audio.wav-to-opus', at('music.wav'), options)
  expect(statSync(path).size).toBeLessThanOrEqual(15_000)
  expect(statSync(path).size).toBeGreaterThan(10_000)
  expect(Number(ffprobe(path).format.duration)).toBeCloseTo(3, 1)
})
