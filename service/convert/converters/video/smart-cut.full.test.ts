/** A cut at any frame of H.264 that encodes only around the cuts: frames, times and sound, by other programs and in three containers. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { converterOf, convertFile, inputOf } from '../../../../testing/fixtures/convert.ts'
import {
  correlation,
  ffprobeJson,
  judge,
  lagOf,
  lively,
  make,
  mediaFolder,
  samples,
  tool,
} from '../../../../testing/fixtures/media.ts'
import { withDefaults } from '../../catalogue/options.ts'
import type { VideoOptions } from './options.ts'
import { partOf } from './part.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const RATE = 44_100
const FPS = 25

const picture = ['-f', 'lavfi', '-i', `testsrc2=s=96x64:r=${FPS}:d=8`, ...lively(8), '-pix_fmt', 'yuv420p']
const colours = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709']
const closed = ['-c:v', 'libx264', '-g', '50', '-sc_threshold', '0', '-profile:v', 'main', ...colours]

beforeAll(() => {
  make(at('whole.mp4'), ...picture, ...closed, '-c:a', 'aac', '-metadata:s:v', 'rotate=90')
  make(at('whole.mov'), '-i', at('whole.mp4'), '-c', 'copy')
  make(at('whole.mkv'), ...picture, ...closed, '-c:a', 'flac')
  make(at('open.mp4'), ...picture, '-c:v', 'libx264', '-x264-params', 'open-gop=1:b-adapt=0:keyint=24', '-an')
})

/** The first frames from 0.7 s, those around a gap within a group, and around one over two. */
const trim = { start: 0.7, cuts: '1.3-1.62,3.1-6.3' }
const parts = [
  [0.7, 1.3],
  [1.62, 3.1],
  [6.3, 8],
] as const
const wanted = Array.from({ length: 8 * FPS }, (_, n) => n).filter(n =>
  parts.some(([from, to]) => n / FPS > from - 1e-4 && n / FPS < to - 1e-4),
)

/** How alike each frame is to the one of the source that belongs there; 1 if its pixels are the same. */
function likeness(path: string, source: string): number[] {
  const chosen = wanted.map(n => `eq(n,${n})`).join('+')
  const timed = 'settb=1/1000,setpts=N*40'
  const graph = `[0:v]${timed}[a];[1:v]select='${chosen}',${timed}[b];[a][b]ssim=stats_file=-`
  const list = tool(
    'ffmpeg',
    '-v',
    'error',
    '-i',
    path,
    '-i',
    source,
    '-lavfi',
    graph,
    '-f',
    'null',
    '/dev/null',
  )
  return Array.from(list.matchAll(/All:([\d.]+)/g), ([, all]) => Number(all))
}

interface Stream {
  codec_type: string
  side_data_list?: { rotation?: number }[]
  [name: string]: unknown
}

const pictureOf = (path: string) => {
  const { streams } = ffprobeJson<{ streams: Stream[] }>(path)
  const found = streams.find(({ codec_type }) => codec_type === 'video')!
  const { profile, level, pix_fmt, color_space, time_base, has_b_frames, side_data_list = [] } = found
  return {
    profile,
    level,
    pix_fmt,
    color_space,
    time_base,
    has_b_frames,
    turned: side_data_list[0]?.rotation,
  }
}

/** When packets are decoded and shown, in seconds. */
const timesOf = (path: string) =>
  ffprobeJson<{ packets: { dts_time: string; pts_time: string }[] }>(
    path,
    ...['-show_packets', '-select_streams', 'v'],
  ).packets.map(({ dts_time, pts_time }) => [Number(dts_time), Number(pts_time)] as const)

describe('a cut between key frames', () => {
  it.each(['mp4', 'mov', 'mkv'])('%s', async format => {
    const source = at(`whole.${format}`)
    const { path, warnings } = await convertFile(`video.${format}-to-${format}`, source, { trim })
    expect(warnings).toEqual([])

    const alike = likeness(path, source)
    expect(alike).toHaveLength(wanted.length)
    expect(Math.min(...alike)).toBeGreaterThan(0.97)
    // The groups that begin after 2 and 6.3 seconds, up to what is cut out or follows.
    expect(alike.filter(each => each === 1).length).toBeGreaterThanOrEqual(24)
    expect(judge('ffmpeg', '-v', 'warning', '-i', path, '-f', 'null', '-')).toEqual({ status: 0, text: '' })

    const times = timesOf(path)
    const shown = times.map(([, time]) => time).toSorted((a, b) => a - b)
    for (const [nth, time] of shown.entries()) expect(time - shown[0]!).toBeCloseTo(nth / FPS, 3)
    // Matroska does not say when its first packets are decoded.
    const decoded = times.filter(([at]) => !Number.isNaN(at))
    expect(decoded.every(([at, time], nth) => at <= time && (nth === 0 || at > decoded[nth - 1]![0]))).toBe(
      true,
    )
    expect(pictureOf(path)).toEqual(pictureOf(source))

    const [whole, cut] = [source, path].map(each => samples(each, 1, '-af', 'aresample=async=1:first_pts=0'))
    let begin = 0
    for (const [from, to] of parts) {
      const sounds = (file: Float32Array, time: number) =>
        file.subarray(Math.round((time + 0.1) * RATE), Math.round((time + to - from - 0.1) * RATE))
      const [original, found] = [sounds(whole!, from), sounds(cut!, begin)]
      const lag = lagOf(original, found)
      expect(correlation(original, found, lag)).toBeGreaterThan(0.9)
      // A packet of AAC.
      expect(Math.abs(lag)).toBeLessThan(1024 + RATE / FPS / 2)
      begin += to - from
    }
  })

  it('is encoded as a whole where no group of pictures stands by itself', async () => {
    const { path } = await convertFile('video.mp4-to-mp4', at('open.mp4'), { trim: { start: 1.3 } })
    expect(timesOf(path)).toHaveLength(8 * FPS - 33)
    expect(judge('ffmpeg', '-v', 'warning', '-i', path, '-f', 'null', '-')).toEqual({ status: 0, text: '' })
  })

  it.each<[string, { start?: number; end?: number; cuts?: string; codec?: string }, string]>([
    ['whole.mp4', { start: 0.7 }, 'copy'],
    ['whole.mp4', { start: 0.7, codec: 'h265' }, 'h265'],
    ['open.mp4', { start: 0.7 }, 'auto'],
    // Only the first picture begins anew.
    ['open.mp4', { start: 0, end: 6 }, 'copy'],
    ['open.mp4', { cuts: '1-3' }, 'auto'],
  ])('%s is estimated for %j with the codec %s', async (name, { codec = 'auto', ...trim }, expected) => {
    const { options } = converterOf('video.mp4-to-mp4')
    const chosen = withDefaults(options, { trim, video: { codec } }) as VideoOptions
    const part = await partOf(await inputOf(at(name), 'mp4'), chosen)
    expect((part.options as VideoOptions).video.codec).toBe(expected)
  })

  it('is estimated as it is written, also where no packet can be kept', async () => {
    const fields = ['-c:v', 'libx264', '-crf', '45', '-x264-params', 'tff=1', '-flags', '+ilme+ildct']
    make(at('fields.mp4'), '-i', at('whole.mp4'), '-an', ...fields)
    const trim = { start: 0.7, end: 7.7 }
    const converter = converterOf('video.mp4-to-mp4')
    const chosen = withDefaults(converter.options, { trim }) as VideoOptions
    const { options, whole } = await partOf(await inputOf(at('fields.mp4'), 'mp4'), chosen)
    const sizeOf = async (given: object) => {
      const { path } = await convertFile(converter.job, at('fields.mp4'), given as Record<string, unknown>)
      return statSync(path).size
    }
    const share = whole(await sizeOf(options))! / (await sizeOf({ trim }))
    expect(share).toBeGreaterThan(0.7)
    expect(share).toBeLessThan(1.4)
  })
})
