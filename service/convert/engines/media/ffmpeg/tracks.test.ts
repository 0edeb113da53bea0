import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { isFull, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { make, mediaFolder, samples } from '../../../../../testing/fixtures/media.ts'
import { vobsubOf } from '../../../../../testing/fixtures/vobsub.ts'
import { recordingOf } from './description.ts'
import { parseMetadata } from './ffmetadata.ts'
import { probe } from './probe.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const languages = ['pt-PT', 'pt-BR', 'eng', 'a): b: (c', 'zh-Hant-TW']
/** The tones by which the tracks are told apart, in hertz. */
const toneOf = (track: number) => 300 + 200 * track

beforeAll(() => {
  const tones = languages.flatMap((_, track) => ['-f', 'lavfi', '-i', `sine=f=${toneOf(track)}:d=0.6`])
  const named = languages.flatMap((language, track) => [
    ...['-map', String(track)],
    ...[`-metadata:s:a:${track}`, `language=${language}`, `-disposition:a:${track}`, '0'],
  ])
  const title = ['-metadata', 'title=a;b=c#\\\n[STREAM]\nlanguage=x']
  make(at('several.mkv'), ...tones, ...named, ...title, '-c:a', 'aac')
  if (!isFull) return
  make(
    at('single.mkv'),
    ...tones.slice(0, 4),
    '-map',
    '0',
    '-metadata:s:a:0',
    'language=en-US',
    '-c:a',
    'aac',
  )
})

/** Frequency of a tone, from its zero crossings. */
function toneIn(path: string): number {
  const sound = samples(path).subarray(4000, 20_000)
  const crossings = sound.filter(
    (value, index) => index > 0 && value > 0 && (sound[index - 1] as number) <= 0,
  )
  return (crossings.length * 44_100) / sound.length
}

describe('tracks whose language is more than a word', () => {
  it('are counted, with their languages', async () => {
    const { tracks, tags } = await probe(at('several.mkv'))
    expect(tracks.map(({ language }) => language)).toEqual(languages)
    expect(tags.title).toBe('a;b=c#\\\n[STREAM]\nlanguage=x')
  })

  it.each(
    onlyFull([
      ['eng', 2],
      ['en-GB', 2],
      ['pt-BR', 1],
      ['por', 0],
      ['zh', 4],
      ['4', 3],
    ]),
  )('%s selects the right one', async (track, position) => {
    const { path } = await convertFile('video.mkv-to-wav', at('several.mkv'), { audio: { track } })
    expect(toneIn(path)).toBeCloseTo(toneOf(position), -1)
  })

  testFull('are converted if there is only one', async () => {
    const { path } = await convertFile('video.mkv-to-wav', at('single.mkv'))
    expect(toneIn(path)).toBeCloseTo(toneOf(0), -1)
  })
})

it('only subtitles of a DVD are looked for far behind the beginning', async () => {
  const cue = { start: 1, end: 2, text: 'If I ever see you here again,\nI will call the police!' }
  const [first, second] = [[[cue]], [[], [cue]]].map(tracks => vobsubOf(tracks)) as [Buffer, Buffer]
  const many = Array.from({ length: Math.ceil(6_000_000 / first.length) }, () => first)
  // Without its beginning, ffmpeg only reads it if it is told how; it looks at the end whatever it is told.
  const nothing = Buffer.alloc(2_000_000)
  writeFileSync(at('disc'), Buffer.concat([nothing, ...many, second, nothing]))
  expect((await probe(at('disc'), 'vobsub')).subtitles).toHaveLength(2)
  const damaged = await probe(at('disc'), 'mpg')
  expect([damaged.demuxer, damaged.subtitles.length]).toEqual(['mpeg', 1])
})

it('a stream that ffmpeg describes in an unknown way is an error, not left out', () => {
  const log = (stream: string) =>
    `Input #0, matroska,webm, from 'x':\n  Duration: 00:00:01.00\n  Stream #0:0: ${stream}\nOutput #0, null\n`
  const one = parseMetadata(';FFMETADATA1\n[STREAM]\n')
  expect(recordingOf(log('Audio: aac (LC), 44100 Hz, mono, fltp'), one).tracks).toHaveLength(1)
  expect(() => recordingOf(log('Sound: aac (LC), 44100 Hz, mono, fltp'), one)).toThrow(/unknown description/)
  const two = parseMetadata(';FFMETADATA1\n[STREAM]\n[STREAM]\n')
  expect(() => recordingOf(log('Video: h264'), two)).toThrow(/describes 1 streams/)
})
