/** Several parts of a video or recording, and what is cut out of it: every frame and sample that is meant to stay, where it belongs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { convertFile, inputOf } from '../../../../testing/fixtures/convert.ts'
import { isFull, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import {
  correlation,
  ffprobe,
  lagOf,
  lively,
  make,
  mediaFolder,
  samples,
  tool,
} from '../../../../testing/fixtures/media.ts'
import { output } from '../../../../testing/fixtures/programs.ts'

import { ffmpeg, isOlder } from '../../engines/media/ffmpeg/locate.ts'
import { cutPackets, spanOf } from '../audio/span.ts'
import { cutAtKeyFrames } from './key-frames.ts'
import type { VideoTask } from './pass.ts'
import { openVideo } from './source.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const FPS = 25
const SECONDS = 8
const RATE = 44_100

type Part = [from: number, to: number]
const range = ([from, to]: Part) =>
  Array.from({ length: SECONDS * FPS }, (_, n) => n).filter(n => n >= from * FPS && n < to * FPS)

beforeAll(() => {
  const srt = [1, 2, 3, 5].map(
    (second, n) => `${n + 1}\n00:00:0${second},200 --> 00:00:0${second},600\nat ${second}\n`,
  )
  writeFileSync(at('words.srt'), srt.join('\n'))
  const chapters = [0, 2, 4, 6].map(
    s => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${s}\nEND=${s + 2}\ntitle=from ${s}\n`,
  )
  writeFileSync(at('chapters.txt'), `;FFMETADATA1\n${chapters.join('')}`)
  // Two greys of a frame tell its number, and the rest moves.
  const tens = 'if(lt(X,16),20+9*floor(N/10),if(lt(X,32),20+20*mod(N,10),128+90*sin(X*Y/20+N/3)))'
  const grey = `color=black:s=64x48:r=${FPS}:d=${SECONDS},format=yuv420p,geq=lum='${tens}':cb=128:cr=128`
  const encoding = [
    '-c:v',
    'libx264',
    '-crf',
    '5',
    '-g',
    String(FPS),
    '-bf',
    '2',
    '-sc_threshold',
    '0',
    // Without samples before the sound, which Matroska would delay the picture by.
    ...['-c:a', 'flac'],
  ]
  const words = [
    '-i',
    at('words.srt'),
    '-i',
    at('chapters.txt'),
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    '-map_chapters',
    '3',
    '-c:s',
    'srt',
  ]
  make(at('whole.mkv'), '-f', 'lavfi', '-i', grey, ...lively(SECONDS), ...words, ...encoding)
  if (!isFull) return
  const x265 = ['-c:v', 'libx265', '-x265-params', 'log-level=error:keyint=25:min-keyint=25', '-an']
  make(at('h265.mp4'), '-f', 'lavfi', '-i', grey, ...x265)
  make(
    at('whole.mp4'),
    '-i',
    at('whole.mkv'),
    '-c',
    'copy',
    '-c:s',
    'mov_text',
    '-c:a',
    'aac',
    '-b:a',
    '256k',
  )
  make(
    at('open.mkv'),
    '-i',
    at('whole.mkv'),
    ...encoding,
    '-x264-params',
    'open-gop=1:b-adapt=0:keyint=24',
    '-c:a',
    'copy',
  )
})

/** Numbers of the frames of a video, by their greys. */
function framesOf(path: string): number[] {
  const greys = 'scale=8:1:flags=area,format=gray'
  const shown = ['-map', '0:v', '-fps_mode', 'passthrough', '-vf', greys, '-f', 'rawvideo', '-']
  const pixels = output('ffmpeg', ['-v', 'error', '-i', path, ...shown])
  return Array.from({ length: pixels.length / 8 }, (_, index) => {
    // Full range.
    const luma = (at: number) => (pixels[index * 8 + at]! * 219) / 255 + 16
    return 10 * Math.round((luma(0) - 20) / 9) + Math.round((luma(2) - 20) / 20)
  })
}

/** A digest of each frame of a video. */
const pixelsOf = (path: string): string[] =>
  tool('ffmpeg', '-v', 'error', '-i', path, '-map', '0:v', '-fps_mode', 'passthrough', '-f', 'framemd5', '-')
    .split('\n')
    .flatMap(line => /, ([\da-f]{32})$/.exec(line)?.[1] ?? [])

/** How far each part of the sound is from where it belongs, in milliseconds. */
function lags(path: string, original: string, parts: readonly Part[]): number[] {
  const [whole, cut] = [original, path].map(each =>
    samples(each, 1, '-ar', String(RATE), '-af', 'aresample=async=1:min_hard_comp=0.001:first_pts=0'),
  )
  let begin = 0
  return parts.map(([from, to]) => {
    const length = to - from
    // What codecs blur at the seams is left out.
    const [first, last] = [0.1, length - 0.1]
    const wanted = whole!.subarray(Math.round((from + first) * RATE), Math.round((from + last) * RATE))
    const found = cut!.subarray(Math.round((begin + first) * RATE), Math.round((begin + last) * RATE))
    begin += length
    const lag = lagOf(wanted, found)
    expect(correlation(wanted, found, lag)).toBeGreaterThan(0.9)
    return (lag / RATE) * 1000
  })
}

const trim = { start: 0.5, parts: '0:01-0:03, 4.2-6.4', cuts: '1.48-2, 0:00:05-5.5' }
const kept: Part[] = [
  [1, 1.48],
  [2, 3],
  [4.2, 5],
  [5.5, 6.4],
]
const LENGTH = 3.18

describe('a video of several parts', () => {
  it.each(kinds(['mkv', 'mp4', 'webm', 'mov', 'ts'], target => target === 'mp4'))(
    '%s, encoded again',
    async target => {
      const { path, warnings } = await convertFile(`video.mkv-to-${target}`, at('whole.mkv'), {
        trim,
        video: { quality: 100 },
      })
      expect(warnings.filter(text => !/chapters|left out/.test(text))).toEqual([])
      expect(framesOf(path)).toEqual(kept.flatMap(range))
      for (const lag of lags(path, at('whole.mkv'), kept)) expect(Math.abs(lag)).toBeLessThan(25)
      expect(Math.abs(Number(ffprobe(path).format.duration) - LENGTH)).toBeLessThan(0.1)
    },
  )

  testFull('has its subtitles and chapters where they belong, also drawn and faster', async () => {
    const { path } = await convertFile('video.mkv-to-mkv', at('whole.mkv'), {
      trim,
      audio: { codec: 'pcm' },
    })
    const starts = tool('ffmpeg', '-v', 'error', '-i', path, '-map', '0:s', '-f', 'srt', '-').match(
      /^[\d:,]+ -->.*\n.*/gm,
    )
    expect(starts).toEqual([
      '00:00:00,200 --> 00:00:00,480\nat 1',
      '00:00:00,680 --> 00:00:01,080\nat 2',
      // A frame begins 20 ms after the cut, which moves to it.
      '00:00:02,280 --> 00:00:02,360\nat 5',
    ])
    expect(ffprobe(path).chapters!.map(({ start_time, tags }) => [Number(start_time), tags!.title])).toEqual([
      [0, 'from 0'],
      [0.48, 'from 2'],
      [1.48, 'from 4'],
      [2.76, 'from 6'],
    ])
    const faster = await convertFile('video.mkv-to-mkv', at('whole.mkv'), {
      trim,
      video: { speed: 2 },
      subtitles: { mode: 'burn' },
    })
    expect(Number(ffprobe(faster.path).format.duration)).toBeCloseTo(LENGTH / 2, 1)
  })

  const cuts = '2.5-5.2,6.1-6.9'
  const whole: Part[] = [
    [0, 3],
    [5, 8],
  ]

  testFull(
    'is cut at key frames if it is copied, and no frame stays that needs what is cut out',
    async () => {
      const spanOfOnes = async (name: string) => {
        const source = await openVideo(await inputOf(at(name), name.slice(-3)))
        const span = spanOf({ start: 0, cuts }, SECONDS)
        return cutAtKeyFrames({ ...source, task: {} as VideoTask['task'], span, speed: 1 })
      }
      // Of these, a copy would lose a dozen frames.
      expect(await spanOfOnes('open.mkv')).toBeNull()
      // Frames that others need not refer to are marked, too.
      const [gap] = (await spanOfOnes('h265.mp4'))!.gaps!
      expect(gap).toEqual({ start: expect.closeTo(2.9, 0), end: 5 })
      expect(gap!.start).toBeGreaterThan(2.8)
      // Every pixel outside of it stays as it is.
      for (const name of ['whole.mkv', 'h265.mp4']) {
        const { gaps } = (await spanOfOnes(name))!
        const cut = make(
          at(`cut-${name}`),
          '-i',
          at(name),
          '-map',
          '0:v',
          '-c',
          'copy',
          ...cutPackets({ start: 0, end: null, gaps: gaps! }, 'v'),
        )
        const isKept = (n: number) =>
          !gaps!.some(({ start, end }) => n / FPS >= start - 1e-4 && n / FPS < end - 1e-4)
        expect(pixelsOf(cut)).toEqual(pixelsOf(at(name)).filter((_, n) => isKept(n)))
      }
      const span = (await spanOfOnes('whole.mkv'))!
      const cut = ['v', 'a'].flatMap(stream => cutPackets(span, stream))
      const path = make(
        at('cut.mkv'),
        '-i',
        at('whole.mkv'),
        '-map',
        '0:v',
        '-map',
        '0:a',
        '-c',
        'copy',
        ...cut,
      )
      expect(framesOf(path)).toEqual(whole.flatMap(range))
      for (const lag of lags(path, at('whole.mkv'), whole)) expect(Math.abs(lag)).toBeLessThan(1)
    },
  )

  it.each(onlyFull(['mkv', 'mp4', 'mov', 'flv', 'ts']))('%s, copied where ffmpeg can', async target => {
    const source = target === 'mkv' ? 'whole.mp4' : 'whole.mkv'
    const options = { trim: { cuts }, video: { codec: 'copy' } }
    const { path, warnings } = await convertFile(
      `video.${source.slice(-3)}-to-${target}`,
      at(source),
      options,
    )
    const cutsPackets = !isOlder((await ffmpeg()).version, '6.1')
    expect(warnings).toContainEqual(expect.stringMatching(cutsPackets ? /1\.5 s more/ : /encoded again/))
    const parts: Part[] = cutsPackets
      ? whole
      : [
          [0, 2.5],
          [5.2, 6.1],
          [6.9, 8],
        ]
    expect(framesOf(path)).toEqual(parts.flatMap(range))
    for (const lag of lags(path, at('whole.mkv'), parts)) expect(Math.abs(lag)).toBeLessThan(25)
  })

  testFull('has its frames at their times where those of the source are counted in frames', async () => {
    const slow = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=10:d=4']
    const source = make(at('slow.avi'), ...slow, ...lively(4), '-c:v', 'mjpeg')
    const { path } = await convertFile('video.avi-to-mp4', source, { trim: { cuts: '1.21-2.65' } })
    const timesOf = (file: string) =>
      tool(
        'ffprobe',
        '-v',
        'error',
        '-select_streams',
        'v',
        '-show_entries',
        'frame=pts_time',
        '-of',
        'json',
        file,
      )
        .match(/\d+\.\d+/g)!
        .map(Number)
    const wanted = timesOf(source).flatMap(time => (time < 1.21 ? [time] : time > 2.65 ? [time - 1.44] : []))
    const found = timesOf(path)
    expect(found).toHaveLength(wanted.length)
    for (const [nth, time] of wanted.entries()) expect(found[nth]).toBeCloseTo(time, 2)
  })

  testFull('becomes an animation', async () => {
    const { path } = await convertFile('video.mkv-to-gif', at('whole.mkv'), {
      trim: { parts: '1-2,4-5' },
      frameRate: 10,
    })
    expect(framesOf(path)).toHaveLength(20)
  })
})

describe('a recording of several parts', () => {
  it.each(onlyFull(['wav', 'mp3', 'm4a']))('%s', async source => {
    const original = make(at(`sound.${source}`), ...lively(SECONDS))
    const { path, warnings } = await convertFile(`audio.${source}-to-flac`, original, { trim })
    expect(warnings).toEqual([])
    const [whole, cut] = [original, path].map(each => samples(each, 0))
    const wanted = kept.flatMap(([from, to]) =>
      Array.from(whole!.subarray(Math.round(from * RATE), Math.round(to * RATE))),
    )
    expect(cut!.length).toBe(wanted.length)
    if (source === 'wav') expect(Array.from(cut!)).toEqual(wanted)
    for (const lag of lags(path, original, kept)) expect(Math.abs(lag)).toBeLessThan(1)
  })

  testFull('that becomes what it was is not copied whole', async () => {
    const original = make(at('same.m4a'), ...lively(SECONDS))
    for (const job of ['audio.m4a-to-m4a', 'audio.m4a-to-mp3']) {
      const { path } = await convertFile(job, original, { trim: { cuts: '1-3' } })
      expect(Number(ffprobe(path).format.duration)).toBeCloseTo(6, 1)
    }
  })

  testFull('of packets of few samples keeps its length where every page counts them', async () => {
    const original = make(at('small.aiff'), ...lively(SECONDS), '-c:a', 'adpcm_ima_qt')
    const { path, warnings } = await convertFile('audio.aiff-to-opus', original, { trim: { cuts: '1-3' } })
    expect(warnings).toEqual([])
    expect(Number(ffprobe(path).format.duration)).toBeCloseTo(6, 1)
  })

  it('of which nothing is left is refused', async () => {
    const original = make(at('sound.wav'), ...lively(SECONDS))
    for (const trim of [{ parts: '9-10' }, { start: 1, cuts: '0:00-' }, { parts: '1-2', cuts: '0.5-2.5' }])
      await expect(convertFile('audio.wav-to-mp3', original, { trim })).rejects.toMatchObject({
        code: 'jobs.unsupported_input',
      })
  })
})
