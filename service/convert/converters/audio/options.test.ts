import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeFull } from '../../../../testing/describe-full.ts'
import { converterOf, convertFile, inputOf } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, kinds } from '../../../../testing/fixtures/full.ts'
import {
  ffprobe,
  judge,
  lively,
  make,
  mediaFolder,
  samples,
  tool,
} from '../../../../testing/fixtures/media.ts'
import { makeRecordings, RECORDED_SECONDS } from '../../../../testing/recordings.ts'
import { withDefaults } from '../../catalogue/options.ts'
import { converters } from '../index.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

beforeAll(() => makeRecordings(folder, isFull ? ['mp3', 'flac', 'm4b'] : []))

describe('trim', () => {
  it('from the start, and to the end', async () => {
    const head = await convertFile('audio.wav-to-flac', at('good.wav'), { trim: { end: 1 } })
    expect(samples(head.path)).toHaveLength(44_100)
    const tail = await convertFile('audio.wav-to-flac', at('good.wav'), {
      trim: { start: RECORDED_SECONDS - 0.5 },
    })
    expect(samples(tail.path)).toHaveLength(22_050)
  })

  // What cannot be searched is read from its beginning all the same.
  const outside: [source: string, trim: object][] = [
    ['wav', { start: 2, end: 1 }],
    ['amr', { start: 86_400 }],
  ]
  it.each(few(1, outside))('%s: %o leaves nothing, and says so', async (source, trim) => {
    const file = at(`short.${source}`)
    tool(
      'sox',
      '-n',
      '-r',
      '8000',
      '-c',
      '1',
      '-t',
      source === 'amr' ? 'amr-nb' : source,
      file,
      'synth',
      '3',
      'sine',
      '440',
    )
    const read: number[] = []
    const consumed = ({ minutes = 0 }) => read.push(minutes)
    await expect(convertFile(`audio.${source}-to-mp3`, file, { trim }, { consumed })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      detail: expect.stringContaining('Nothing is left'),
    })
    // A part that is not there was not read, and costs nothing.
    expect(read).toEqual([])
  })
})

describeFull('loudness', true, () => {
  it('silence is not changed', async () => {
    const silence = make(at('silence.wav'), '-f', 'lavfi', '-i', 'anullsrc=d=2')
    const { warnings } = await convertFile('audio.wav-to-mp3', silence, { loudness: { normalize: true } })
    expect(warnings).toEqual([expect.stringContaining('too quiet')])
  })
})

describeFull('encoding', true, () => {
  const rate = (path: string) => Number(tool('mediainfo', '--Inform=Audio;%BitRate%', path))
  const mode = (path: string) => tool('mediainfo', '--Inform=Audio;%BitRate_Mode%', path).trim()

  it('MP3 has a constant or a variable bit rate', async () => {
    const constant = await convertFile('audio.wav-to-mp3', at('good.wav'), {
      audio: { encoding: 'constant', bitrate: 128 },
    })
    expect(mode(constant.path)).toBe('CBR')
    expect(rate(constant.path)).toBe(128_000)
    const variable = await convertFile('audio.wav-to-mp3', at('good.wav'), {
      audio: { encoding: 'variable', quality: 7 },
    })
    expect(mode(variable.path)).toBe('VBR')
    for (const source of ['wav', 'mkv']) {
      const job = source === 'mkv' ? 'video.mkv-to-mp3' : 'audio.wav-to-mp3'
      const mkv = make(at('mp3.mkv'), '-i', at('good.mp3'), '-c', 'copy')
      const from = source === 'mkv' ? mkv : at('good.wav')
      // Each implies the matching encoding mode, even if the media file could be copied.
      const bitrate = await convertFile(job, from, { audio: { bitrate: 320 } })
      expect([mode(bitrate.path), rate(bitrate.path)]).toEqual(['CBR', 320_000])
      const quality = await convertFile(job, from, { audio: { quality: 9 } })
      expect(mode(quality.path)).toBe('VBR')
      expect(rate(quality.path)).toBeLessThan(120_000)
    }
    const automatic = await convertFile('audio.wav-to-mp3', at('good.wav'))
    expect(rate(automatic.path)).toBeGreaterThan(rate(variable.path))
  })

  const ranges: [job: string, low: object, high: object][] = [
    ['audio.wav-to-opus', { bitrate: 24 }, { bitrate: 200 }],
    ['audio.mp3-to-m4a', { bitrate: 48 }, { bitrate: 256 }],
    ['audio.mp3-to-aac', { bitrate: 48 }, { bitrate: 256 }],
    ['audio.mp3-to-ogg', { quality: -1 }, { quality: 9 }],
    ['audio.mp3-to-ogg', { codec: 'opus', bitrate: 24 }, { codec: 'opus', bitrate: 200 }],
  ]
  it.each(ranges)('%s is smaller with %o than with %o', async (job, low, high) => {
    const name = `good.${/\.(\w+)-/.exec(job)?.[1]}`
    const size = async (audio: object) => samplesPerByte((await convertFile(job, at(name), { audio })).path)
    expect(await size(low)).toBeGreaterThan(1.9 * (await size(high)))
  })
  const samplesPerByte = (path: string) => 1 / Number(tool('stat', '-c', '%s', path))

  it('Opus in Ogg is Opus', async () => {
    const { path } = await convertFile('audio.mp3-to-ogg', at('good.mp3'), { audio: { codec: 'opus' } })
    expect(ffprobe(path).audio.codec_name).toBe('opus')
    expect(judge('opusinfo', path).text).not.toMatch(/WARNING/)
  })

  const rates: [job: string, sampleRate: string][] = [
    ['audio.wav-to-mp3', '22050'],
    ['audio.wav-to-flac', '96000'],
    ['audio.flac-to-wav', '8000'],
    ['audio.m4b-to-m4a', '32000'],
    ['audio.m4b-to-ogg', '48000'],
  ]
  it.each(rates)('%s at %s Hz', async (job, sampleRate) => {
    const name = `good.${/\.(\w+)-/.exec(job)?.[1]}`
    const { path } = await convertFile(job, at(name), { audio: { sampleRate } })
    const { audio } = ffprobe(path)
    expect(audio.sample_rate).toBe(sampleRate)
    expect(Math.abs(samples(path).length / Number(sampleRate) - RECORDED_SECONDS)).toBeLessThan(0.05)
  })

  const refused: [from: string, to: string][] = [
    ['88200', '44100'],
    ['192000', '48000'],
    ['37800', '44100'],
    ['8000', '8000'],
  ]
  it.each(refused)('MP3 of a recording at %s Hz has %s Hz', async (from, to) => {
    const wav = make(at(`${from}.wav`), ...lively(0.5, Number(from)))
    const { path } = await convertFile('audio.wav-to-mp3', wav)
    expect(ffprobe(path).audio.sample_rate).toBe(to)
  })

  const counts: [channels: string, count: number][] = [
    ['mono', 1],
    ['stereo', 2],
  ]
  it.each(counts)('%s', async (channels, count) => {
    const { path } = await convertFile('audio.wav-to-opus', at('good.wav'), { audio: { channels } })
    expect(ffprobe(path).audio.channels).toBe(count)
  })

  it('FLAC is smaller when compressed harder, and sounds the same', async () => {
    const size = async (compression: number) => {
      const { path } = await convertFile('audio.wav-to-flac', at('good.wav'), { audio: { compression } })
      return Number(tool('stat', '-c', '%s', path))
    }
    expect(await size(8)).toBeLessThan(await size(0))
  })
})

describe('audio tracks of a video', () => {
  beforeAll(() => {
    const tones = [300, 500, 900].flatMap(hertz => ['-f', 'lavfi', '-i', `sine=f=${hertz}:d=1`])
    make(
      at('tracks.mkv'),
      ...tones,
      ...['-map', '0', '-map', '1', '-map', '2', '-c:a', 'flac'],
      ...[
        '-metadata:s:a:0',
        'language=eng',
        '-metadata:s:a:1',
        'language=ger',
        '-metadata:s:a:2',
        'language=fra',
      ],
      ...['-disposition:a:0', '0', '-disposition:a:1', 'default', '-disposition:a:2', '0'],
    )
  })

  const tracks: [track: string, hertz: number][] = [
    ['default', 500],
    ['1', 300],
    ['3', 900],
    ['en', 300],
    ['deu', 500],
    ['fr-CA', 900],
  ]
  it.each(kinds(tracks, ([track]) => track === 'deu'))('%s', async (track, hertz) => {
    const { path } = await convertFile('video.mkv-to-wav', at('tracks.mkv'), { audio: { track } })
    const rough = /Rough\s+frequency:\s+(\d+)/.exec(judge('sox', path, '-n', 'stat').text)
    expect(Math.abs(Number(rough?.[1]) - hertz)).toBeLessThan(10)
  })

  it.each(['4', 'ja'])('%s does not exist', async track => {
    await expect(
      convertFile('video.mkv-to-mp3', at('tracks.mkv'), { audio: { track } }),
    ).rejects.toMatchObject({
      code: 'jobs.no_audio_track',
      detail: expect.stringContaining('1 eng, 2 ger, 3 fr'),
    })
  })
})

describe('schemas', () => {
  const audio = converters.filter(({ engine, options }) => engine === 'ffmpeg' && 'audio' in options)

  it('keep tags by default, and offer only what the target supports', () => {
    for (const { options, job, source } of audio.filter(({ source }) => source !== 'audio')) {
      const groups = Object.fromEntries(
        Object.entries(options).map(([key, value]) => [key, 'properties' in value ? value.properties : {}]),
      )
      expect(groups.metadata?.strip, job).toMatchObject({ default: false })
      expect('split' in (groups.chapters ?? {}), job).toBe(source === 'm4b')
      expect('bitDepth' in (groups.audio ?? {}), job).toBe(/-to-(wav|flac|aiff|caf)$/.test(job))
      expect('bitrate' in (groups.audio ?? {}), job).toBe(!/-to-(wav|flac|aiff|caf)$/.test(job))
      // Of several videos each has tracks of its own.
      expect('track' in (groups.audio ?? {}), job).toBe(job.startsWith('video.') && source !== 'videos')
    }
  })
})

it('an excerpt is of the track in the chosen language, under any of its codes', async () => {
  const tones = [
    '-f',
    'lavfi',
    '-i',
    'anullsrc=d=0.5',
    '-f',
    'lavfi',
    '-i',
    'sine=440:d=0.5',
    '-map',
    '0',
    '-map',
    '1',
  ]
  const two = make(
    at('two.mkv'),
    ...tones,
    '-metadata:s:a:0',
    'language=ger',
    '-metadata:s:a:1',
    'language=eng',
  )
  const { part, options } = converterOf('video.mkv-to-mp3')
  const excerpt = await (await part!()).partOf(
    await inputOf(two, 'mkv'),
    withDefaults(options, { audio: { track: 'en' } }),
  )
  await excerpt.sound!(at('heard.wav'))
  expect(Math.max(...samples(at('heard.wav')))).toBeGreaterThan(0.1)
})
