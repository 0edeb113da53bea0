import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { bundled } from '../../../../../testing/bundle.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { isFull } from '../../../../../testing/fixtures/full.ts'
import {
  correlation,
  ffprobe,
  make,
  makeAll,
  mediaFolder,
  samples,
  soundHash,
} from '../../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** Two halves of one sound, of which neither has a whole number of packets. */
const SPLIT = 1.234
const SECONDS = 3
const tagged = ['-metadata', 'artist=Reader', '-metadata', 'album=Book']
beforeAll(() => {
  const noise = ['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:c=pink:r=44100:a=0.3:seed=4`]
  make(at('whole.wav'), ...noise, '-af', 'pan=stereo|c0=c0|c1=0.5*c0')
  const first = ['-t', String(SPLIT)]
  const second = ['-ss', String(SPLIT)]
  const further: [path: string, ...args: string[]][] = [
    [at('1 first.mp3'), ...first, '-b:a', '192k', ...tagged, '-metadata', 'title=One'],
    [at('2 second.mp3'), ...second, '-b:a', '192k', ...tagged, '-metadata', 'title=Two'],
    [at('other.m4a'), ...first, '-b:a', '128k'],
    [at('deep.flac'), ...first, '-ar', '48000', '-sample_fmt', 's32'],
    [at('low.wav'), '-ac', '1', '-ar', '22050'],
  ]
  makeAll(
    ['-i', at('whole.wav')],
    [[at('1 first.wav'), ...first], [at('2 second.flac'), ...second], ...(isFull ? further : [])],
  )
  writeFileSync(at('broken.mp3'), 'ID3 no recording at all'.repeat(100))
})

let bundles = 0
const joinAs = async (target: string, names: readonly string[], options: object = {}) =>
  convertFile(
    `audio.recordings-to-${target}`,
    await bundled(at(`${bundles++}.bundle`), names.map(at)),
    options as Record<string, unknown>,
  )

const chaptersOf = (path: string) =>
  ffprobe(path).chapters!.map(({ tags, start_time }) => ({
    title: tags!.title,
    start: Number(start_time),
  }))

test('samples without loss follow each other unchanged', async () => {
  const { path, warnings } = await joinAs('flac', ['1 first.wav', '2 second.flac'])
  expect(warnings).toEqual([])
  expect(soundHash(path)).toBe(soundHash(at('whole.wav')))
})

testFull(
  'each recording is a chapter with the name of its file, what all say is kept, and what differs is not',
  async () => {
    for (const target of ['m4a', 'm4b', 'ogg']) {
      const { path } = await joinAs(target, ['1 first.mp3', '2 second.mp3'])
      const [first, second, ...others] = chaptersOf(path)
      expect([first?.title, second?.title, others]).toEqual(['1 first', '2 second', []])
      expect(first?.start).toBe(0)
      expect(second?.start).toBeCloseTo(SPLIT, 2)
      const { tags } = ffprobe(path)
      expect(tags).toMatchObject({ artist: 'Reader', album: 'Book' })
      expect(tags.title).toBeUndefined()
    }
  },
)

testFull(
  'there is no gap between recordings whose headers say where their sound begins and ends',
  async () => {
    const { path, warnings } = await joinAs('wav', ['1 first.mp3', '2 second.mp3'])
    expect(warnings).toEqual([])
    const [joined, whole] = [samples(path), samples(at('whole.wav'))]
    expect(joined.length).toBe(whole.length)
    expect(correlation(joined, whole)).toBeGreaterThan(0.95)
  },
)

testFull('different rates and channels become the highest of them', async () => {
  const { path, warnings } = await joinAs('flac', ['low.wav', 'deep.flac', 'other.m4a'])
  expect(warnings).toEqual([])
  const { streams, format } = ffprobe(path)
  expect(streams[0]).toMatchObject({ sample_rate: '48000', channels: 2, bits_per_raw_sample: '24' })
  expect(Number(format.duration)).toBeCloseTo(SECONDS + 2 * SPLIT, 2)
  // One channel is heard from both sides, as loud as before.
  const mono = ['-t', String(SECONDS), '-af', 'pan=mono|c0=c1', '-ar', '22050', '-c:a', 'pcm_s16le']
  const [left, original] = [samples(make(at('left.wav'), '-i', path, ...mono)), samples(at('low.wav'))]
  const peak = (values: ArrayLike<number>) => Math.max(...Array.from(values, Math.abs))
  expect(correlation(left, original)).toBeGreaterThan(0.99)
  expect(peak(left) / peak(original)).toBeCloseTo(1, 1)
})

testFull('a recording that cannot be read is left out, with its chapter', async () => {
  const { path, warnings } = await joinAs('mp3', ['1 first.mp3', 'broken.mp3', '2 second.mp3'])
  expect(warnings[0]).toBe('broken.mp3 could not be read and was left out.')
  expect(chaptersOf(path).map(({ title }) => title)).toEqual(['1 first', '2 second'])
  expect(Number(ffprobe(path).format.duration)).toBeCloseTo(SECONDS, 1)
  await expect(joinAs('mp3', ['broken.mp3', 'broken.mp3'])).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

testFull('a part of the joined recording has the chapters in it', async () => {
  const { path } = await joinAs('flac', ['1 first.wav', '2 second.flac', 'low.wav'], {
    trim: { start: 1, end: 2 },
  })
  expect(Number(ffprobe(path).format.duration)).toBeCloseTo(1, 3)
  expect(chaptersOf(path)).toEqual([
    { title: '1 first', start: 0 },
    { title: '2 second', start: expect.closeTo(SPLIT - 1, 2) },
  ])
})
