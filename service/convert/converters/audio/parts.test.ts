/** Long media files are encoded on several cores, with the same result as on one. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { describeFull } from '../../../../testing/describe-full.ts'
import { type Converted, convertFile } from '../../../../testing/fixtures/convert.ts'
import { ffprobe, make, mediaFolder, samples, signalToNoise } from '../../../../testing/fixtures/media.ts'
import type { AudioTrack } from '../../engines/media/ffmpeg/recording.ts'
import { codecOf } from './codecs.ts'
import { partsOf } from './encode.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
/** A media file of half a minute stands for one of eleven: parts may be shorter by as much. */
const SECONDS = 26.37
const SHORTER = 25
vi.mock(import('../../engines/media/ffmpeg/parallel.ts'), async original => {
  const parallel = await original()
  return {
    ...parallel,
    partsFor: media => parallel.partsFor({ ...media, seconds: media.seconds * SHORTER }),
  }
})

const RATE = 16_000

const chapters = [
  { start: 0, title: 'Morning' },
  { start: 8, title: 'Noon' },
  { start: 18, title: 'Night' },
]

const converted = new Map<string, Promise<Converted>>()

/** Converts each file in each way only once, since that takes long. */
function onCores(cores: number, job: string, name: string, options = {}): Promise<Converted> {
  const key = JSON.stringify([cores, job, name, options])
  const running = converted.get(key) ?? convertFile(job, at(name), options, { cores })
  converted.set(key, running)
  return running
}

describeFull('a long recording on two cores', true, () => {
  beforeAll(() => {
    const sweep = `aevalsrc=0.3*sin(2*PI*(200+3*t)*t):s=${RATE}:d=${SECONDS}`
    const noise = `anoisesrc=d=${SECONDS}:c=pink:a=0.2:seed=7:r=${RATE}`
    const mixed = ['-f', 'lavfi', '-i', sweep, '-f', 'lavfi', '-i', noise, '-filter_complex', 'amix=inputs=2']
    make(at('long.wav'), ...mixed, '-metadata', 'title=The Day')
    make(at('cover.png'), '-f', 'lavfi', '-i', 'testsrc=s=64x64', '-frames:v', '1')
    make(
      at('long.flac'),
      ...['-i', at('long.wav'), '-i', at('cover.png'), '-map', '0:a', '-map', '1:v', '-c:v', 'copy'],
      ...['-disposition:v', 'attached_pic', '-metadata', 'title=The Day', '-metadata', 'artist=Nobody'],
      ...chapters.flatMap(({ start, title }, index) => [
        ...['-metadata', `CHAPTER00${index}=00:00:${String(start).padStart(2, '0')}.000`],
        ...['-metadata', `CHAPTER00${index}NAME=${title}`],
      ]),
    )
    const night = ['-metadata:c:2', 'title=Night']
    make(at('long.m4b'), '-i', at('long.flac'), ...night, '-c:v', 'copy', '-aac_pns', '0', '-f', 'mp4')
  })

  const media: [job: string, name: string, options: object][] = [
    ['audio.wav-to-mp3', 'long.wav', {}],
    ['audio.wav-to-opus', 'long.wav', {}],
    ['audio.flac-to-mp3', 'long.flac', { audio: { encoding: 'constant', bitrate: 160 } }],
    ['audio.m4b-to-mp3', 'long.m4b', {}],
  ]
  it.each(media)('%s sounds as it does on one', async (job, name, options) => {
    const one = await onCores(1, job, name, options)
    const two = await onCores(2, job, name, options)
    expect(readFileSync(two.path).equals(readFileSync(one.path))).toBe(false)
    expect(readdirSync(two.folder)).toEqual(readdirSync(one.folder))
    expect(two.warnings).toEqual([])

    const fractions = two.progress.map(({ fraction }) => fraction)
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
    expect(fractions.length).toBeGreaterThan(2)
    expect(fractions.at(-1)).toBeGreaterThan(0.95)
    expect(Math.max(...fractions)).toBeLessThanOrEqual(1)

    const rate = Number(ffprobe(one.path).audio.sample_rate)
    const original = samples(at(name), 0, '-ar', String(rate))
    const [whole, sound] = [samples(one.path), samples(two.path)]
    expect(sound.length).toBe(whole.length)
    // A tenth of a second at a time, everywhere and around the joins.
    const step = rate / 10
    const middle = Math.round((SECONDS / 2) * rate)
    const places = [
      ...Array.from({ length: 20 }, (_, index) => middle + (index - 10) * step),
      ...Array.from({ length: 60 }, (_, index) => Math.round((index * 0.42 + 0.2) * rate)),
    ]
    for (const from of places) {
      const single = signalToNoise(original, whole, from, from + step)
      expect(signalToNoise(original, sound, from, from + step)).toBeGreaterThan(single - 2)
    }
  })

  const tagged: [source: string, target: string][] = [
    ['flac', 'mp3'],
    ['flac', 'opus'],
    ['m4b', 'mp3'],
  ]
  it.each(tagged)('keeps tags, cover and chapters from %s in %s', async (source, target) => {
    const { path } = await onCores(2, `audio.${source}-to-${target}`, `long.${source}`)
    const probed = ffprobe(path)
    expect(probed.tags).toMatchObject({ title: 'The Day', artist: 'Nobody' })
    expect(probed.chapters.map(({ tags }) => tags?.title)).toEqual(chapters.map(({ title }) => title))
    expect(probed.streams.filter(({ codec_type }) => codec_type === 'video')).toHaveLength(1)
    expect(Math.abs(Number(probed.format.duration) - SECONDS)).toBeLessThan(0.1)
  })

  it('is normalised in parts if a single gain is enough', async () => {
    const options = { loudness: { normalize: true, target: -30 } }
    const { path, progress } = await onCores(2, 'audio.wav-to-mp3', 'long.wav', options)
    const log = execFileSync('sh', ['-c', `ffmpeg -nostdin -i "${path}" -af ebur128 -f null - 2>&1`], {
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    })
    const loudness = /I: +(-[\d.]+) LUFS/.exec(log.slice(log.lastIndexOf('Summary:')))?.[1]
    expect(Math.abs(Number(loudness) + 30)).toBeLessThan(0.5)
    const fractions = progress.map(({ fraction }) => fraction)
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
  })

  it('is encoded in one run if it is truncated, with a warning', async () => {
    writeFileSync(at('cut.wav'), readFileSync(at('long.wav')))
    truncateSync(at('cut.wav'), 2 * Math.round(0.4 * SECONDS * RATE))
    const one = await onCores(1, 'audio.wav-to-mp3', 'cut.wav')
    const two = await onCores(2, 'audio.wav-to-mp3', 'cut.wav')
    expect(two.warnings).toEqual(one.warnings)
    expect(readFileSync(two.path).equals(readFileSync(one.path))).toBe(true)
  })
})

describe('a long recording', () => {
  it('is split only if all of it is read unchanged and no filter depends on earlier audio', () => {
    const track = { codec: 'pcm_s16le', sampleRate: 44_100, position: 0 } as AudioTrack
    const parts = ({ task = {}, recording: media = {}, plan = {}, span = {}, filters = ['volume=2'] }) =>
      partsOf(
        { cores: 2, ...task },
        { seconds: 3600 / SHORTER, seekable: true, ...media },
        { join: 'mp3', track, sampleRate: 44_100, ...plan },
        { start: 0, end: null, ...span },
        filters,
      )
    expect(parts({})).toBe(2)
    expect(parts({ plan: { join: 'opus', sampleRate: 48_000 } })).toBe(2)
    expect(parts({ task: { cores: 1 } })).toBe(1)
    expect(parts({ recording: { seekable: false } })).toBe(1)
    expect(parts({ plan: { track: { ...track, position: 1 } } })).toBe(1)
    expect(parts({ plan: { join: null } })).toBe(1)
    expect(parts({ plan: { sampleRate: 48_000 } })).toBe(1)
    expect(parts({ recording: { seconds: null } })).toBe(1)
    expect(parts({ recording: { seconds: 400 / SHORTER } })).toBe(1)
    expect(parts({ span: { start: 1 } })).toBe(1)
    expect(parts({ span: { end: 3000 } })).toBe(1)
    expect(parts({ filters: ['volume=2', 'alimiter=limit=0.8'] })).toBe(1)
  })

  it.each([
    ['mp3', 2, { encoding: 'auto' }, 'mp3'],
    ['mp3', 2, { encoding: 'auto', bitrate: 128 }, null],
    ['mp3', 2, { encoding: 'auto', quality: 2 }, 'mp3'],
    ['mp3', 2, { encoding: 'constant', bitrate: 160, quality: 2 }, 'mp3'],
    ['mp3', 2, { encoding: 'constant', bitrate: 128, quality: 2 }, null],
    ['opus', 1, {}, 'opus'],
    ['opus', 2, { bitrate: 48 }, null],
    ['opus', 6, {}, null],
    ['flac', 2, { compression: 5, bitDepth: 'auto' }, null],
  ] as const)('becomes %s of %i channels, %o: joined by %s', (target, channels, options, join) => {
    const codec = codecOf(target, { ...options, channels: 'auto', sampleRate: 'auto' })
    expect(codec.join?.({ channels, sampleRate: 48_000 }) ?? null).toBe(join)
  })
})
