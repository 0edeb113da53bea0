import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { convertFile, measureFile } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, kinds, onlyFull } from '../../../../testing/fixtures/full.ts'
import { ffprobeJson, judge, make, makeAll, mediaFolder, tool } from '../../../../testing/fixtures/media.ts'
import { render } from '../../../shared/messages/render.ts'
import { isBundle } from '../../catalogue/bundle.ts'
import { withDefaults } from '../../catalogue/options.ts'
import { probe } from '../../engines/media/ffmpeg/probe.ts'
import videos from './index.ts'
import { type VideoOptions, videoOptions } from './options.ts'
import { planOf } from './plan.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const SECONDS = 1.6
const FPS = 25

const picture = ['-f', 'lavfi', '-i', `testsrc=s=160x120:r=${FPS}:d=${SECONDS}`]
const sound = ['-f', 'lavfi', '-i', `sine=440:d=${SECONDS}`]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1']

/** Each source in the codecs that such files usually have. */
const sources: Record<string, string[]> = {
  avi: ['-c:v', 'mpeg4', '-c:a', 'mp3'],
  flv: [...h264, '-c:a', 'aac'],
  mkv: [...h264, '-c:a', 'ac3'],
  mov: [...h264, '-c:a', 'aac'],
  mp4: [...h264, '-c:a', 'aac'],
  mpg: ['-c:v', 'mpeg2video', '-c:a', 'mp2'],
  ogv: ['-c:v', 'libtheora', '-c:a', 'libvorbis'],
  ts: [...h264, '-c:a', 'aac'],
  webm: ['-c:v', 'libvpx-vp9', '-cpu-used', '8', '-deadline', 'realtime', '-c:a', 'libopus'],
  wmv: ['-c:v', 'wmv2', '-c:a', 'wmav2'],
}

interface Stream {
  codec_type: string
  codec_name: string
  codec_tag_string: string
  width: number
  height: number
  nb_read_packets: string
  r_frame_rate: string
  duration?: string
  pix_fmt: string
  side_data_list?: { rotation?: number }[]
  tags?: Record<string, string>
}

function streamsOf(path: string): { format: string; seconds: number; video: Stream; all: Stream[] } {
  const { format, streams } = ffprobeJson<{
    format: { format_name: string; duration: string }
    streams: Stream[]
  }>(path, '-count_packets')
  const video = streams.find(({ codec_type }) => codec_type === 'video')!
  // The head of an animated AVIF has no length.
  const seconds = Number(format.duration) || Number(video.duration)
  return { format: format.format_name, seconds, video, all: streams }
}

/** What ffprobe calls the container and the usual codecs of each target. */
const targets: Record<string, { format: string; codec: RegExp; sound?: RegExp }> = {
  '3gp': { format: 'mov,mp4,m4a,3gp,3g2,mj2', codec: /^h264$/, sound: /^aac$/ },
  apng: { format: 'apng', codec: /^apng$/ },
  avif: { format: 'mov,mp4,m4a,3gp,3g2,mj2', codec: /^av1$/ },
  avi: { format: 'avi', codec: /^mpeg4$/, sound: /^(mp3|ac3)$/ },
  flv: { format: 'flv', codec: /^h264$/, sound: /^aac$/ },
  gif: { format: 'gif', codec: /^gif$/ },
  mkv: { format: 'matroska,webm', codec: /^(h264|vp9|theora)$/, sound: /^(aac|ac3|mp2|mp3|opus|vorbis)$/ },
  mov: { format: 'mov,mp4,m4a,3gp,3g2,mj2', codec: /^h264$/, sound: /^(aac|mp3|ac3)$/ },
  mp4: { format: 'mov,mp4,m4a,3gp,3g2,mj2', codec: /^h264$/, sound: /^(aac|mp3|ac3)$/ },
  mpg: { format: 'mpeg', codec: /^mpeg2video$/, sound: /^(mp2|ac3)$/ },
  ogv: { format: 'ogg', codec: /^theora$/, sound: /^(opus|vorbis)$/ },
  ts: { format: 'mpegts', codec: /^(h264|mpeg2video)$/, sound: /^(aac|ac3|mp2|mp3)$/ },
  wmv: { format: 'asf', codec: /^wmv2$/, sound: /^wmav2$/ },
  webm: { format: 'matroska,webm', codec: /^vp9$/, sound: /^(opus|vorbis)$/ },
  webp: { format: 'webp_pipe', codec: /^webp$/ },
}

beforeAll(() => {
  const made = kinds(Object.entries(sources), ([source]) => source === 'mp4')
  makeAll(
    [...picture, ...sound],
    made.map(([source, args]) => [at(`source.${source}`), ...args, '-t', String(SECONDS)]),
  )
  if (isFull) make(at('source.gif'), '-f', 'lavfi', '-i', `testsrc=s=160x120:r=10:d=${SECONDS}`)
  make(at('silent.mp4'), ...picture, ...h264)
  make(at('sound.mp4'), ...sound, '-c:a', 'aac')
})

const pairs = videos.filter(
  ({ engine, source, target }) =>
    engine === 'video' && !isBundle(source) && !/^(sup|vobsub)$/.test(source) && !/^(jpg|png)$/.test(target),
)

describe('videos', () => {
  // The muxers and encoders that most results are made by.
  const tried = kinds(
    pairs,
    ({ source, target }) => source === 'mp4' && /^(gif|mkv|mp4|ts|webm|webp)$/.test(target),
  )

  it('become each other and animations', () => {
    expect(pairs).toHaveLength(10 * 15 + 2)
  })

  it.each(tried.map(({ job, source, target }) => ({ job, source, target })))(
    '$job',
    async ({ job, source, target }) => {
      const { path, warnings, progress } = await convertFile(job, at(`source.${source}`))
      // A file may already be as small as it can be.
      if (source !== target) expect(warnings).toEqual([])
      const { format, codec, sound: soundCodec } = targets[target]!
      const found = streamsOf(path)
      expect(found.format).toBe(format)
      expect(found.video.codec_name).toMatch(codec)
      expect(progress.at(-1)?.fraction).toBe(1)
      if (target === 'webp') {
        // ffprobe reads no animated WebP.
        const info = tool('webpinfo', path)
        const times = [...info.matchAll(/^ {2}Duration: (\d+)$/gm)].map(([, time]) => Number(time))
        expect(Math.abs(times.length - SECONDS * 12)).toBeLessThanOrEqual(1)
        expect(Math.abs(times.reduce((sum, time) => sum + time, 0) / 1000 - SECONDS)).toBeLessThan(1 / 12)
        expect(info).toContain('Canvas size 160 x 120')
        expect(info).toMatch(/Loop count +: 0\n/)
        expect(tool('identify', path).trim().split('\n')[0]).toContain('160x120')
        return
      }
      expect([found.video.width, found.video.height]).toEqual([160, 120])
      const rate = soundCodec ? (source === 'gif' ? 10 : FPS) : 12
      expect(Math.abs(Number(found.video.nb_read_packets) - SECONDS * rate)).toBeLessThanOrEqual(1)
      const audioTracks = found.all.filter(({ codec_type }) => codec_type === 'audio')
      expect(audioTracks.length).toBe(soundCodec && source !== 'gif' ? 1 : 0)
      if (audioTracks[0]) expect(audioTracks[0].codec_name).toMatch(soundCodec!)
      // Sound is encoded in packets of up to 46 ms, whose end counts. The lengths that ffprobe names of these begin before the first picture,
      // or end with the start of the last.
      const slack = /^(avi|flv|mpg|wmv)$/.test(target) ? 0.14 : 0.055
      if (target !== 'apng')
        expect(Math.abs(found.seconds - SECONDS)).toBeLessThan(1 / (soundCodec ? FPS : 12) + slack)
    },
  )

  const single: [target: string, options: Record<string, unknown>][] = [
    ['mp4', { video: { frameRate: 1 } }],
    ['gif', {}],
  ]
  it.each(onlyFull(single))('of a single frame keep it: %s', async (target, options) => {
    make(at('one.mp4'), ...picture, '-frames:v', '1', ...h264)
    const { path, warnings } = await convertFile(`video.mp4-to-${target}`, at('one.mp4'), options)
    expect(warnings).toEqual([])
    expect(streamsOf(path).video.nb_read_packets).toBe('1')
  })

  testFull('of uneven times, as phones record their screen, keep all frames', async () => {
    const uneven = "settb=1/90000,setpts='1500*N+floor(700*random(1))+gte(N,30)*270000'"
    const times = ['-vf', uneven, '-fps_mode', 'passthrough', '-enc_time_base', '1/90000']
    const lavfi = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=160x120:r=60:d=1',
      ...times,
      '-video_track_timescale',
      '90000',
    ]
    make(at('screen.mp4'), ...lavfi, ...h264)
    expect(streamsOf(at('screen.mp4')).video.nb_read_packets).toBe('60')
    const { path } = await convertFile('video.mp4-to-mkv', at('screen.mp4'), { video: { codec: 'h265' } })
    expect(streamsOf(path).video.nb_read_packets).toBe('60')
  })

  testFull('whose size changes become an animation of one size', async () => {
    const sizes = ['160x120', '80x60', '120x120']
    const pieces = sizes.map(size => {
      make(at('piece.ts'), '-f', 'lavfi', '-i', `testsrc=s=${size}:r=12:d=1`, ...h264)
      return readFileSync(at('piece.ts'))
    })
    writeFileSync(at('sizes.ts'), Buffer.concat(pieces))
    const { path } = await convertFile('video.ts-to-gif', at('sizes.ts'))
    const { video } = streamsOf(path)
    expect([video.width, video.height]).toEqual([160, 120])
    expect(Math.abs(Number(video.nb_read_packets) - 12 * sizes.length)).toBeLessThanOrEqual(2)
  })

  it.each(kinds(['silent.mp4', 'source.mpg', 'source.ts'], name => name === 'silent.mp4'))(
    'are measured, also without sound: %s',
    async name => {
      const { minutes = 0 } = await measureFile('video.mp4-to-webm', at(name))
      expect(Math.abs(minutes * 60 - SECONDS)).toBeLessThan(0.1)
    },
  )
})

const packets = (path: string) =>
  tool('ffmpeg', '-v', 'error', '-i', path, '-map', '0', '-c', 'copy', '-f', 'streamhash', '-').replaceAll(
    /^\d,/gm,
    '',
  )

const copies: [job: string, name: string, options: Record<string, unknown>][] = [
  ['video.mkv-to-mp4', 'source.mkv', {}],
  ['video.mkv-to-mov', 'source.mkv', {}],
  ['video.mp4-to-mkv', 'source.mp4', {}],
  ['video.webm-to-mkv', 'source.webm', {}],
  ['video.mp4-to-mp4', 'source.mp4', { video: { codec: 'copy' } }],
]
it.each(kinds(copies, ([job]) => job === 'video.mp4-to-mp4'))(
  '%s keeps every packet',
  async (job, name, options) => {
    const { path, warnings } = await convertFile(job, at(name), options)
    expect(packets(path)).toBe(packets(at(name)))
    expect(warnings).toEqual([])
    // It can be played while it loads.
    if (/mp4$|mov$/.test(job)) expect(readFileSync(path).subarray(0, 4096).includes('moov')).toBe(true)
  },
)

describeFull('H.264 that players of a format do not show', true, () => {
  const shownAs = async (pixels: string, target: string, options: object = {}) => {
    const path = make(at(`${pixels}.mkv`), ...picture, ...h264, '-pix_fmt', pixels)
    const { path: output } = await convertFile(`video.mkv-to-${target}`, path, { ...options })
    return streamsOf(output).video.pix_fmt
  }

  it('is encoded again, unless it is to be copied', async () => {
    expect(await shownAs('yuv444p', 'mp4')).toBe('yuv420p')
    expect(await shownAs('yuv444p', 'mov')).toBe('yuv420p')
    expect(await shownAs('yuv422p10le', 'mp4')).toBe('yuv420p')
    expect(await shownAs('yuv444p', 'mp4', { video: { codec: 'copy' } })).toBe('yuv444p')
  })

  it('is kept for programs that edit it', async () => {
    expect(await shownAs('yuv422p10le', 'mov')).toBe('yuv422p10le')
  })
})

describe('options', () => {
  it('size, frame rate, codec and sound', async () => {
    const { path } = await convertFile('video.mp4-to-mp4', at('source.mp4'), {
      video: { codec: 'h265', longestEdge: 80, frameRate: 10, rotate: '90' },
      audio: { remove: true },
    })
    const { video, all } = streamsOf(path)
    expect(video).toMatchObject({ codec_name: 'hevc', codec_tag_string: 'hvc1', width: 60, height: 80 })
    expect(Number(video.nb_read_packets)).toBe(SECONDS * 10)
    expect(all).toHaveLength(1)
  })

  testFull('key frames are at most ten seconds apart, however many frames that is', async () => {
    const still = ['-f', 'lavfi', '-i', 'color=s=32x32:r=4:d=11']
    const { path } = await convertFile('video.mkv-to-mp4', make(at('still.mkv'), ...still, ...h264), {
      video: { codec: 'h264', quality: 50 },
    })
    const entries = ['-skip_frame', 'nokey', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0']
    expect(
      tool('ffprobe', '-v', 'error', ...entries, path)
        .match(/[\d.]+/g)!
        .map(Number),
    ).toEqual([0, 10])
  })

  testFull('frames at uneven times stay as many, at their times', async () => {
    const uneven = make(
      at('uneven.mkv'),
      ...[...picture, '-vf', "select='lt(mod(n,5),2)'", '-vsync', 'vfr', ...h264],
    )
    const timesOf = (path: string) =>
      tool('ffprobe', '-v', 'error', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0', path)
        .match(/[\d.]+/g)!
        .map(time => Math.round(Number(time) * 100))
    const { path } = await convertFile('video.mkv-to-mp4', uneven, { video: { quality: 50 } })
    expect(timesOf(path)).toEqual(timesOf(uneven))
    expect(timesOf(path)).toHaveLength(16)
  })

  const encodings: [target: string, video: object][] = [
    ['mp4', { quality: 50 }],
    ['webm', { quality: 50 }],
    ['mp4', { targetSize: 0.01 }],
  ]
  it.each(onlyFull(encodings))(
    'frames that begin to come faster are all in the %s, %j',
    async (target, video) => {
      const faster = make(
        at('faster.mp4'),
        ...['-f', 'lavfi', '-i', `testsrc=s=64x48:r=${FPS}:d=8`],
        ...['-vf', "select='gte(n,150)+not(mod(n,5))'", '-vsync', 'vfr', ...h264],
      )
      // Matroska says how long a frame usually lasts.
      const copied = make(at('faster.mkv'), '-i', faster, '-c', 'copy')
      const { path } = await convertFile(`video.mkv-to-${target}`, copied, { video })
      expect(Number(streamsOf(path).video.nb_read_packets)).toBe(30 + 50)
    },
  )

  it('an encoder that ffmpeg lacks is replaced, with a warning, or named', async () => {
    const media = await probe(at('source.mp4'), 'mp4')
    const has = (...names: string[]) => ({
      encoders: new Set(names),
      cores: 1,
      span: { start: 0, end: null },
    })
    const optionsOf = (target: string) =>
      withDefaults(videoOptions(target), { video: { codec: 'av1' } }) as unknown as VideoOptions
    const plan = planOf(media, 'mp4', optionsOf('mp4'), has('libx264'))
    expect(plan.warnings.map(warning => render(warning))).toEqual([expect.stringMatching(/av1.*h264/)])
    expect(plan.picture).toContain('libx264')
    expect(() => planOf(media, 'webm', optionsOf('webm'), has('libx264'))).toThrow(
      expect.objectContaining({ code: 'jobs.engine_missing', detail: expect.stringContaining('libvpx-vp9') }),
    )
  })

  testFull('a part, cut at the frame', async () => {
    const { path } = await convertFile('video.mp4-to-mkv', at('source.mp4'), {
      trim: { start: 0.4, end: 1.2 },
      video: { quality: 100 },
    })
    expect(Number(streamsOf(path).video.nb_read_packets)).toBe(20)
    const frame = (file: string, ...seek: string[]) =>
      execFileSync('ffmpeg', [
        '-v',
        'error',
        ...seek,
        '-i',
        file,
        '-frames:v',
        '1',
        '-f',
        'rawvideo',
        '-pix_fmt',
        'gray',
        '-',
      ])
    const [first, own, next] = [
      frame(path),
      frame(at('source.mp4'), '-ss', '0.4'),
      frame(at('source.mp4'), '-ss', '0.44'),
    ]
    const difference = (a: Buffer, b: Buffer) =>
      a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0)
    expect(difference(first, own)).toBeLessThan(difference(first, next))
  })

  testFull('tags are kept, or removed', async () => {
    const tagged = make(at('tagged.mkv'), '-i', at('source.mp4'), '-c', 'copy', '-metadata', 'title=A secret')
    const shown = ['-v', 'error', '-show_entries', 'format_tags=title', '-of', 'csv=p=0']
    const titleOf = async (options: object) =>
      tool('ffprobe', ...shown, (await convertFile('video.mkv-to-mp4', tagged, { ...options })).path).trim()
    expect(await titleOf({})).toBe('A secret')
    expect(await titleOf({ metadata: { strip: true } })).toBe('')
  })

  testFull('a turned video stays turned', async () => {
    const turned = make(
      at('turned.mov'),
      '-i',
      at('source.mp4'),
      '-c',
      'copy',
      '-metadata:s:v:0',
      'rotate=90',
    )
    const copied = streamsOf((await convertFile('video.mov-to-mp4', turned)).path).video
    const rotation = streamsOf(turned).video.side_data_list![0]!.rotation!
    expect(Math.abs(rotation)).toBe(90)
    expect(copied).toMatchObject({ width: 160, side_data_list: [{ rotation }] })
    // Rewritten, it stands upright by itself.
    const upright = streamsOf((await convertFile('video.mov-to-mkv', turned)).path).video
    expect([upright.width, upright.height, upright.side_data_list]).toEqual([120, 160, undefined])
  })

  testFull('subtitles are kept in the form that the target has', async () => {
    writeFileSync(at('words.srt'), '1\n00:00:00,100 --> 00:00:01,000\nHello there\n')
    const spoken = make(
      at('spoken.mkv'),
      '-i',
      at('source.mp4'),
      '-i',
      at('words.srt'),
      '-c',
      'copy',
      '-c:s',
      'srt',
    )
    const { path } = await convertFile('video.mkv-to-mp4', spoken)
    expect(streamsOf(path).all.map(({ codec_name }) => codec_name)).toContain('mov_text')
    expect(tool('ffmpeg', '-v', 'error', '-i', path, '-f', 'srt', '-')).toContain('Hello there')
  })
})

const noisyVideo = () =>
  make(
    at('noisy.mp4'),
    ...['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=25:d=2,noise=alls=40:allf=t'],
    ...['-f', 'lavfi', '-i', 'sine=440:d=2', ...h264, '-crf', '18', '-c:a', 'aac', '-b:a', '128k'],
  )

testFull('a warning names the video tracks that are left out, whatever the video becomes', async () => {
  const two = make(
    at('two.mkv'),
    ...picture,
    ...['-map', '0', '-map', '0', '-c:v:0', 'libx264', '-c:v:1', 'mpeg4'],
  )
  const warning = expect.stringMatching(/Only the first video track.* Another one .*: 2 \(mpeg4, 160 × 120\)/)
  for (const target of ['mp4', 'gif', 'jpg']) {
    const { warnings } = await convertFile(`video.mkv-to-${target}`, two)
    expect(warnings).toEqual([warning])
  }
})

testFull(
  'a codec that is asked for is written, though the format stays the same and the file grows',
  async () => {
    const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '45', '-x265-params', 'log-level=none']
    const path = make(at('hevc.mp4'), ...picture, ...hevc)
    const { path: made, warnings } = await convertFile('video.mp4-to-mp4', path, { video: { codec: 'h264' } })
    expect(streamsOf(made).video.codec_name).toBe('h264')
    expect(warnings).toEqual([])
  },
)

describeFull('interlaced videos are understood, in whichever order their fields are', true, () => {
  const fields = ['-flags', '+ildct+ilme', '-frames:v', '6']
  it.each([
    ['coded.mkv', ...h264, '-x264opts', 'tff=1', ...fields],
    ['swapped.mov', '-c:v', 'prores_ks', ...fields, '-field_order', 'tb'],
    ['turned.mov', '-c:v', 'prores_ks', ...fields, '-field_order', 'bt'],
  ])('%s', async (name, ...options) => {
    const path = make(at(name), ...picture, '-vf', 'tinterlace=interleave_top,fieldorder=tff', ...options)
    expect((await probe(path)).picture).toMatchObject({ width: 160, height: 120, interlaced: true })
    const job = `video.${name.slice(-3)}-to-mp4`
    const { path: made } = await convertFile(job, path, { video: { quality: 90 } })
    // A frame of each field.
    expect(streamsOf(made).video).toMatchObject({
      ...{ codec_name: 'h264', width: 160, height: 120, nb_read_packets: '12', r_frame_rate: '25/1' },
    })
    expect(likeness(made, picture)).toBeGreaterThan(25)
    const deinterlace = name === 'coded.mkv' ? 'frame' : 'off'
    const asked = await convertFile(job, path, { video: { quality: 90, deinterlace } })
    expect(streamsOf(asked.path).video.nb_read_packets).toBe('6')
  })

  /** How alike two videos are, frame by frame, in decibels (PSNR). */
  const likeness = (path: string, source: readonly string[]) => {
    const frames = ['[0]setpts=N/25/TB[a]', '[1]setpts=N/25/TB[b]', '[a][b]psnr=shortest=1'].join(';')
    const { text } = judge('ffmpeg', '-i', path, ...source, '-lavfi', frames, '-f', 'null', '-')
    return Number(/average:([\d.]+)/.exec(text)?.[1])
  }

  it('a film made into television gets back its frames', async () => {
    const film = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=24000/1001:d=1']
    const path = make(
      at('telecine.mpg'),
      ...[...film, '-vf', 'telecine=pattern=23', '-c:v', 'mpeg2video', '-q:v', '2', '-flags', '+ildct+ilme'],
    )
    const video = { deinterlace: 'detelecine', quality: 90 }
    const { path: made } = await convertFile('video.mpg-to-mp4', path, { video })
    expect(streamsOf(made).video).toMatchObject({ r_frame_rate: '24000/1001', nb_read_packets: '24' })
    expect(likeness(made, film)).toBeGreaterThan(30)
  })
})

testFull('what an edit list hides stays hidden in MKV', async () => {
  const coded = make(at('groups.mp4'), ...picture, ...sound, ...h264, '-g', '50', '-c:a', 'aac')
  const cut = make(at('hidden.mp4'), '-ss', '0.8', '-i', coded, '-c', 'copy')
  expect((await probe(cut)).hidesPictures).toBe(true)
  expect((await probe(coded)).hidesPictures).toBe(false)
  const { path } = await convertFile('video.mp4-to-mkv', cut)
  expect(streamsOf(path).video.nb_read_packets).toBe(String((SECONDS - 0.8) * FPS))
  const kept = await convertFile('video.mp4-to-mov', cut)
  expect(packets(kept.path)).toBe(packets(cut))
})

describe('a size', () => {
  const sized = [
    ['video.mp4-to-mp4', 'h264'],
    ['video.mp4-to-webm', 'vp9'],
    ['video.mp4-to-mp4', 'h265'],
    ['video.mp4-to-mp4', 'av1'],
  ] as const
  it.each(onlyFull(sized))('is met: %s, %s', async (job, codec) => {
    const noisy = noisyVideo()
    const targetSize = 0.12
    expect(statSync(noisy).size).toBeGreaterThan(targetSize * 2e6)
    const { path, warnings, progress } = await convertFile(job, noisy, { video: { codec, targetSize } })
    // Most of the work is the second pass, which is seldom repeated.
    expect(progress.at(-1)!.fraction).toBeGreaterThanOrEqual(0.95)
    const { size } = statSync(path)
    expect(size).toBeLessThanOrEqual(targetSize * 1e6)
    // The encoder of AV1 stays further below a rate than the others.
    expect(size).toBeGreaterThanOrEqual(targetSize * (codec === 'av1' ? 0.7e6 : 0.9e6))
    expect(streamsOf(path).all).toHaveLength(2)
    expect(warnings).toEqual([])
  })

  it('that is too small is refused, and one larger than the file keeps it', async () => {
    await expect(
      convertFile('video.mp4-to-mp4', at('source.mp4'), { video: { targetSize: 0.001 } }),
    ).rejects.toMatchObject({ code: 'jobs.unsupported_input', detail: expect.stringContaining('at least') })
    const { path, warnings } = await convertFile('video.mp4-to-mp4', at('source.mp4'), {
      video: { targetSize: 1 },
    })
    expect(packets(path)).toBe(packets(at('source.mp4')))
    expect(warnings).toEqual([expect.stringContaining('kept as it is')])
  })

  testFull('is met with another frame rate, of which both passes see the same frames', async () => {
    const video = { codec: 'h264', targetSize: 1, frameRate: 240, longestEdge: 16 }
    const { path } = await convertFile('video.mkv-to-mp4', at('source.mkv'), { video })
    expect(streamsOf(path).video.r_frame_rate).toBe('240/1')
  })

  testFull(
    'is met by what a browser has recorded without sound and, as always there, without a length',
    async () => {
      const recorded = make(at('recorded.webm'), ...picture, ...sources.webm!.slice(0, 6), '-live', '1')
      expect(tool('ffprobe', '-v', 'error', '-show_entries', 'format=duration', recorded)).toContain('N/A')
      expect((await probe(recorded)).seconds).toBeCloseTo(SECONDS, 1)
      const { path } = await convertFile('video.webm-to-mp4', recorded, { video: { targetSize: 0.02 } })
      expect(statSync(path).size).toBeLessThanOrEqual(20_000)
      expect(streamsOf(path).seconds).toBeCloseTo(SECONDS, 1)
    },
  )

  testFull('that the encoder refuses is refused as too small', async () => {
    const video = { codec: 'h264', targetSize: 0.01, frameRate: 240 }
    const path = make(at('plain.mp4'), '-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=3', '-c:v', 'mpeg4')
    await expect(convertFile('video.mp4-to-mov', path, { video })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      detail: expect.stringContaining('at least'),
    })
  })

  testFull('that is a little below that of the file is met too', async () => {
    const noisy = noisyVideo()
    const targetSize = (statSync(noisy).size * 0.97) / 1e6
    const { path } = await convertFile('video.mp4-to-mp4', noisy, { video: { targetSize } })
    expect(statSync(path).size).toBeLessThanOrEqual(targetSize * 1e6)
  })
})

describe('what cannot be converted says why', () => {
  const unusable: [what: string, job: string, path: () => string, code: string][] = [
    ['only sound', 'video.mp4-to-webm', () => at('sound.mp4'), 'jobs.unsupported_input'],
    ['only sound, as an animation', 'video.mp4-to-gif', () => at('sound.mp4'), 'jobs.unsupported_input'],
    ['no sound for MP3', 'video.mp4-to-mp3', () => at('silent.mp4'), 'jobs.no_audio_track'],
    [
      'garbage',
      'video.mkv-to-mp4',
      () => make(at('garbage.mkv'), '-f', 'lavfi', '-i', 'anoisesrc=d=0.2', '-f', 'u8'),
      'jobs.corrupt_input',
    ],
  ]
  it.each(few(3, unusable))('%s', async (_, job, path, code) => {
    await expect(convertFile(job, path())).rejects.toMatchObject({ code })
  })

  testFull('a file that breaks off is converted as far as it goes', async () => {
    const whole = make(at('long.mkv'), '-f', 'lavfi', '-i', 'testsrc=s=64x64:d=6', ...h264)
    const cut = at('cut.mkv')
    execFileSync('sh', ['-c', `head -c ${Math.round(statSync(whole).size / 2)} '${whole}' > '${cut}'`])
    const { path, warnings } = await convertFile('video.mkv-to-mp4', cut, { video: { quality: 50 } })
    expect(streamsOf(path).seconds).toBeLessThan(5)
    expect(warnings).toEqual([expect.stringContaining('ends early')])
    // In its own format, its packets stay, and its header becomes true.
    const repaired = await convertFile('video.mkv-to-mkv', cut)
    expect((await probe(cut)).cutOff).toBe(true)
    expect((await probe(repaired.path)).cutOff).toBe(false)
    expect(packets(repaired.path)).toBe(packets(cut))
    expect(judge('mediainfo', repaired.path).text).not.toMatch(/IsTruncated/)
    expect(judge('mediainfo', cut).text).toMatch(/IsTruncated/)
  })

  testFull('what is kept for editing is not encoded for watching', async () => {
    const path = make(at('master.mov'), ...picture, '-c:v', 'prores_ks')
    const kept = await convertFile('video.mov-to-mov', path)
    expect(streamsOf(kept.path).video.codec_name).toBe('prores')
    const asked = await convertFile('video.mov-to-mov', path, { video: { quality: 50 } })
    expect(streamsOf(asked.path).video.codec_name).toBe('h264')
  })
})

testFull('a file whose tables promise more than is in it is said to end early', async () => {
  const whole = make(
    at('promise.mp4'),
    '-f',
    'lavfi',
    '-i',
    'testsrc=s=160x120:r=10:d=4',
    ...h264,
    '-movflags',
    'faststart',
  )
  const bytes = readFileSync(whole)
  const mdat = bytes.indexOf('mdat')
  const positions = tool('ffprobe', '-v', 'error', '-show_entries', 'packet=pos', '-of', 'csv=p=0', whole)
  const end = Number(positions.trim().split('\n')[5])
  bytes.writeUInt32BE(end - mdat + 4, mdat - 4)
  writeFileSync(at('promising.mp4'), bytes.subarray(0, end))
  const { warnings } = await convertFile('video.mp4-to-gif', at('promising.mp4'))
  expect(warnings).toEqual([expect.stringContaining('it should last 0:04')])
})

describeFull('a whole file is not said to end early', true, () => {
  it('if its sound is longer than its picture', async () => {
    const longer = [...['-f', 'lavfi', '-i', 'sine=440:d=3'], ...h264, '-c:a', 'aac']
    const path = make(at('longer.mp4'), ...picture, ...longer)
    const { outputs, warnings } = await convertFile('video.mp4-to-gif', path)
    expect([outputs.length, warnings]).toEqual([1, []])
    const frames = { mode: 'every', every: 0.5 }
    expect((await convertFile('video.mp4-to-jpg', path, { frames })).warnings).toEqual([])
  })

  it('if its last frame stays for long', async () => {
    const path = make(at('slides.mp4'), '-f', 'lavfi', '-i', 'testsrc=s=64x64:r=1/3:d=9', ...h264)
    expect((await convertFile('video.mp4-to-webm', path)).warnings).toEqual([])
  })
})
