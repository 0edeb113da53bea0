import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, onlyFull } from '../../../../testing/fixtures/full.ts'
import {
  channelsOf,
  correlation,
  ffprobe,
  judge,
  lively,
  make,
  makeAll,
  mediaFolder,
  samples,
  soundHash,
  tool,
} from '../../../../testing/fixtures/media.ts'
import { codecOf } from './codecs.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** Samples of each channel according to SoX. */
const soxSamples = (path: string) => Number(tool('soxi', '-s', path))
const soxBits = (path: string) => Number(tool('soxi', '-b', path))

// An odd number of samples, so that no block of any codec fits.
const COUNT = 70_003
const GAP_COUNT = 80_000

beforeAll(() => {
  const cut = (...filters: string[]) => ['-af', [...filters, `atrim=end_sample=${COUNT}`].join(',')]
  const further: [path: string, ...args: string[]][] = [
    [at('16.wav'), ...cut(), '-c:a', 'pcm_s16le'],
    [at('8.wav'), ...cut(), '-c:a', 'pcm_u8'],
    [at('float.wav'), ...cut('volume=1.5'), '-c:a', 'pcm_f32le'],
    [at('loud.wav'), '-af', 'volume=6dB,volume=1.5', '-c:a', 'pcm_f32le'],
    [at('copy.wav')],
    [at('rf64.wav'), '-t', '1', '-rf64', 'always'],
  ]
  makeAll(lively(2), [
    [at('24.wav'), ...cut('volume=0.9'), '-c:a', 'pcm_s24le'],
    [at('32.wav'), ...cut('volume=0.9'), '-c:a', 'pcm_s32le'],
    [at('gap.wav'), '-af', `atrim=end_sample=${GAP_COUNT}`],
    ...(isFull ? further : []),
  ])
})

describe('nothing is lost in lossless formats', () => {
  beforeAll(() => {
    if (!isFull) return
    const bits = ['-sample_fmt', 's32', '-bits_per_raw_sample', '24']
    makeAll(
      ['-i', at('16.wav'), '-i', at('24.wav')],
      [
        [at('16.flac'), '-map', '0'],
        [at('24.flac'), '-map', '1', ...bits],
        [at('alac24.m4b'), '-map', '1', '-c:a', 'alac', '-sample_fmt', 's32p', '-f', 'mp4'],
        ...['s16be', 's24le', 'f32le'].map((depth): [string, ...string[]] => [
          at(`${depth}.mov`),
          '-map',
          '1',
          '-c:a',
          `pcm_${depth}`,
        ]),
      ],
    )
  })

  const kept: [job: string, name: string, bits: number][] = [
    ['audio.wav-to-flac', '24.wav', 24],
    ['audio.wav-to-flac', '8.wav', 16],
    ['audio.flac-to-wav', '16.flac', 16],
    ['audio.m4b-to-wav', 'alac24.m4b', 24],
    ['audio.wav-to-flac', '16.wav', 16],
    ['audio.flac-to-wav', '24.flac', 24],
    ['video.mov-to-wav', 's16be.mov', 16],
    ['video.mov-to-wav', 's24le.mov', 24],
  ]

  it.each(few(1, kept))('%s keeps every sample of %s, in %i bits', async (job, name, bits) => {
    const { path, warnings } = await convertFile(job, at(name))
    expect(warnings).toEqual([])
    expect(soxSamples(path)).toBe(COUNT)
    expect(soxBits(path)).toBe(bits)
    expect(soundHash(path)).toBe(soundHash(at(name)))
    if (path.endsWith('.flac')) expect(judge('flac', '-t', '-s', path)).toEqual({ status: 0, text: '' })
  })

  testFull('floating point stays floating point in WAV, even beyond full scale', async () => {
    const { path } = await convertFile('video.mov-to-wav', at('f32le.mov'))
    expect(ffprobe(path).audio.codec_name).toBe('pcm_f32le')
    expect(soundHash(path)).toBe(soundHash(at('f32le.mov')))
  })

  testFull('floating point becomes 24 bits in FLAC', async () => {
    const { path, warnings } = await convertFile('audio.wav-to-flac', at('float.wav'))
    expect(warnings).toEqual([])
    expect(soxBits(path)).toBe(24)
    expect(soxSamples(path)).toBe(COUNT)
    expect(correlation(samples(at('float.wav')), samples(path))).toBeGreaterThan(0.999)
  })

  const clipping: [job: string, audio: object][] = [
    ['audio.wav-to-flac', {}],
    ['audio.wav-to-mp3', {}],
    ['audio.wav-to-flac', { bitDepth: '16' }],
  ]
  it.each(onlyFull(clipping))('%s reports by how much floating point is clipped', async (job, audio) => {
    const loud = at('loud.wav')
    const peak =
      20 *
      Math.log10(
        Math.max(
          ...[0, 1].flatMap(channel =>
            samples(loud, channel)
              .map(Math.abs)
              .reduce((a, b) => Math.max(a, b), 0),
          ),
        ),
      )
    const { warnings } = await convertFile(job, loud, { audio })
    expect(warnings).toEqual([expect.stringContaining(`${peak.toFixed(1)} dB over full scale`)])
  })

  testFull('floating point is not clipped if its loudness is normalised', async () => {
    const options = { loudness: { normalize: true, target: -20 } }
    const { path, warnings } = await convertFile('audio.wav-to-flac', at('loud.wav'), options)
    expect(warnings).toEqual([])
    expect(correlation(samples(at('loud.wav')), samples(path))).toBeGreaterThan(0.9999)
  })

  it('32 bits become 24 in FLAC', async () => {
    const { path, warnings } = await convertFile('audio.wav-to-flac', at('32.wav'))
    expect(warnings).toEqual([expect.stringContaining('32 bits a sample, and the new file 24')])
    expect(soxBits(path)).toBe(24)
    expect(soxSamples(path)).toBe(COUNT)
  })

  const depths: [bitDepth: string, bits: number, codec: string][] = [
    ['16', 16, 'pcm_s16le'],
    ['24', 24, 'pcm_s24le'],
    ['32', 32, 'pcm_s32le'],
    ['float', 32, 'pcm_f32le'],
  ]
  it.each(onlyFull(depths))('WAV can be asked for %s', async (bitDepth, bits, codec) => {
    const { path } = await convertFile('audio.flac-to-wav', at('24.flac'), { audio: { bitDepth } })
    expect(ffprobe(path).audio.codec_name).toBe(codec)
    expect(soxBits(path)).toBe(bits)
    expect(soxSamples(path)).toBe(COUNT)
  })

  testFull('fewer bits are dithered', async () => {
    // A tone of half a 16-bit step: rounding silences it, dither keeps it.
    make(
      at('faint.flac'),
      '-f',
      'lavfi',
      '-i',
      `aevalsrc=0.45/32768*sin(2*PI*441*t):d=2`,
      '-sample_fmt',
      's32',
    )
    const { path } = await convertFile('audio.flac-to-wav', at('faint.flac'), { audio: { bitDepth: '16' } })
    expect(soxBits(path)).toBe(16)
    expect(correlation(samples(at('faint.flac')), samples(path))).toBeGreaterThan(0.3)
  })
})

describe('encoder delay and padding are removed', () => {
  const further: [path: string, ...args: string[]][] = [
    [at('gap.mp3'), '-b:a', '192k'],
    [at('gap.ogg'), '-q:a', '6'],
    [at('gap.opus'), '-b:a', '192k'],
    [at('itunes.m4b'), '-b:a', '192k', '-use_editlist', '0', '-f', 'mp4'],
  ]
  beforeAll(() => {
    makeAll(['-i', at('gap.wav')], [[at('gap.m4b'), '-b:a', '192k', '-f', 'mp4'], ...(isFull ? further : [])])
  })

  it.each(
    few(1, [
      ['audio.m4b-to-ogg', 'gap.m4b'],
      ['audio.mp3-to-wav', 'gap.mp3'],
      ['audio.ogg-to-mp3', 'gap.ogg'],
      ['audio.m4b-to-wav', 'gap.m4b'],
      ['audio.mp3-to-ogg', 'gap.mp3'],
      ['audio.m4b-to-mp3', 'gap.m4b'],
      ['audio.wav-to-mp3', 'gap.wav'],
    ]),
  )('%s', async (job, name) => {
    const { path } = await convertFile(job, at(name))
    const sound = samples(path)
    // The header of an MP4 file has millisecond resolution.
    expect(Math.abs(sound.length - GAP_COUNT)).toBeLessThanOrEqual(name.endsWith('m4b') ? 44 : 0)
    expect(correlation(samples(at('gap.wav')), sound)).toBeGreaterThan(0.98)
  })

  it.each(
    onlyFull([
      ['audio.mp3-to-opus', 'gap.mp3'],
      ['audio.opus-to-wav', 'gap.opus'],
      ['audio.wav-to-opus', 'gap.wav'],
      ['audio.opus-to-flac', 'gap.opus'],
    ]),
  )('%s, at 48 kHz', async (job, name) => {
    const { path } = await convertFile(job, at(name))
    const expected = Math.round((GAP_COUNT * 48_000) / 44_100)
    expect(Math.abs(samples(path).length - expected)).toBeLessThanOrEqual(32)
    expect(correlation(samples(at('gap.wav'), 0, '-ar', '48000'), samples(path))).toBeGreaterThan(0.98)
  })

  testFull("the length in iTunes' own tag is used", async () => {
    // Without an edit list, only the tag has it: 1024 samples of delay, then 80 000, then 896 of padding.
    const tag = ' 00000000 00000400 00000380 0000000000013880 00000000 00000000'
    const path = at('itunes.m4b')
    const { TagLib } = await import('taglib-wasm')
    const library = await TagLib.initialize()
    await library.edit(path, file => file.setMP4Item('----:com.apple.iTunes:iTunSMPB', tag))
    const { path: result } = await convertFile('audio.m4b-to-wav', path)
    expect(soxSamples(result)).toBe(GAP_COUNT)
  })
})

describe('channels', () => {
  /** A media file whose channels are tones of different pitch. */
  const layout = (path: string, name: string, count: number, ...args: string[]) => {
    const tones = Array.from({ length: count }, (_, index) => `0.2*sin(2*PI*${200 + 100 * index}*t)`)
    return make(path, '-f', 'lavfi', '-i', `aevalsrc=${tones.join('|')}:s=48000:d=1:c=${name}`, ...args)
  }
  /** Pitch of a channel, by counting zero crossings. */
  const pitch = (whole: Float32Array) => {
    const sound = whole.subarray(4800, 43_200)
    let crossings = 0
    for (let i = 1; i < sound.length; i++) {
      if ((sound[i - 1] as number) < 0 !== (sound[i] as number) < 0) crossings++
    }
    return Math.round((crossings / 2 / sound.length) * 48_000)
  }

  const level = (sound: Float32Array) =>
    Math.sqrt(sound.reduce((sum, sample) => sum + sample ** 2, 0) / sound.length)

  const layouts = [
    ['3.0', 3, '3.0', [0, 1, 2]],
    ['quad', 4, 'quad', [0, 1, 2, 3]],
    ['5.0', 5, '5.1', [0, 1, 2, null, 3, 4]],
    ['5.1', 6, '5.1', [0, 1, 2, null, 4, 5]],
    ['5.1(side)', 6, '5.1', [0, 1, 2, null, 4, 5]],
    ['6.1', 7, '7.1', [0, 1, 2, null, 4, 4, 5, 6]],
    ['7.1', 8, '7.1', [0, 1, 2, null, 4, 5, 6, 7]],
    ['3.1', 4, '5.1', [0, 1, 2, null, null, null]],
    ['4.0', 4, '5.1', [0, 1, 2, null, 3, 3]],
    ['hexagonal', 6, '7.1', [0, 1, 2, null, 3, 4, 5, 5]],
    ['7.1(wide)', 8, '7.1', [0, 1, 2, null, 4, 5, 6, 7]],
  ] as const

  it.each(onlyFull(layouts))(
    '%s goes from WAV to FLAC and Opus in order, at its level',
    async (name, count, opusName, order) => {
      const wav = layout(at(`${count}${name.length}.wav`), name, count)
      // FLAC has as many channels, however they are called.
      const flac = await convertFile('audio.wav-to-flac', wav)
      expect(ffprobe(flac.path).audio.channels).toBe(count)
      expect(soundHash(flac.path)).toBe(soundHash(wav))
      const opus = await convertFile('audio.wav-to-opus', wav)
      expect(judge('opusinfo', opus.path).text).toMatch(new RegExp(`Channels: ${order.length}\\b`))
      expect(ffprobe(opus.path).audio.channel_layout).toBe(opusName)
      const [before, after] = [channelsOf(wav), channelsOf(opus.path)]
      // Opus keeps only the bass of the low-frequency channel, so it is not compared.
      for (const [channel, from] of order.entries()) {
        if (from === null) continue
        expect(Math.abs(pitch(after[channel]!) - (200 + 100 * from))).toBeLessThan(12)
        // Two speakers that share a channel have half of its power each.
        const speakers = order.filter(other => other === from).length
        expect(level(after[channel]!)).toBeCloseTo(level(before[from]!) / Math.sqrt(speakers), 2)
      }
    },
  )

  testFull('5.1 AC-3 from a video becomes 5.1 WAV, and stereo MP3', async () => {
    const mkv = layout(at('surround.mkv'), '5.1(side)', 6, '-c:a', 'ac3')
    expect(ffprobe((await convertFile('video.mkv-to-wav', mkv)).path).audio.channels).toBe(6)
    const mp3 = await convertFile('video.mkv-to-mp3', mkv)
    expect(ffprobe(mp3.path).audio.channels).toBe(2)
    expect(Math.max(...samples(mp3.path))).toBeGreaterThan(0.05)
  })

  testFull('5.1 Opus becomes 5.1 AAC and M4A', async () => {
    const opus = layout(at('surround.opus'), '5.1', 6)
    for (const target of ['aac', 'm4a']) {
      const { path } = await convertFile(`audio.opus-to-${target}`, opus)
      expect(ffprobe(path).audio).toMatchObject({ channels: 6, channel_layout: '5.1' })
      expect(Math.abs(pitch(samples(path, 4)) - 600)).toBeLessThan(12)
    }
  })

  it('more channels than a format has are refused with a reason', async () => {
    const many = make(at('12.wav'), '-f', 'lavfi', '-i', `aevalsrc=${Array(12).fill('0').join('|')}:d=0.2`)
    await expect(convertFile('audio.wav-to-flac', many)).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      detail: expect.stringContaining('12 channels'),
    })
  })
})

describe('large WAV files', () => {
  it('switch to RF64 beyond 4 GB', () => {
    expect(
      codecOf('wav', { bitDepth: 'auto', sampleRate: 'auto', channels: 'auto' }).container.join(' '),
    ).toContain('-rf64 auto')
  })

  testFull('in RF64 are read', async () => {
    const path = at('rf64.wav')
    expect(execFileSync('head', ['-c4', path]).toString()).toBe('RF64')
    const { path: flac } = await convertFile('audio.wav-to-flac', path)
    expect(soundHash(flac)).toBe(soundHash(path))
  })
})

describeFull('copies', true, () => {
  beforeAll(() => {
    makeAll(
      ['-i', at('copy.wav')],
      [
        [at('copy.m4b'), '-f', 'mp4'],
        [at('copy.opus')],
        [at('copy.avi'), '-c:a', 'mp3', '-b:a', '128k'],
        [at('alac.m4b'), '-c:a', 'alac', '-f', 'mp4'],
      ],
    )
    makeAll(
      ['-i', at('copy.opus'), '-i', at('copy.avi')],
      [
        [at('opus-inside.ogg'), '-map', '0', '-c', 'copy', '-f', 'ogg'],
        [at('mp3-inside.mkv'), '-map', '1', '-c', 'copy'],
      ],
    )
  })
  /** Whether two files have the same packets. */
  const samePackets = (one: string, other: string) => {
    const maps = ['-map', '0:a:0', '-map', '1:a:0', '-c', 'copy', '-f', 'streamhash', '-hash', 'md5', '-']
    const reported = tool('ffmpeg', '-v', 'error', '-i', one, '-i', other, ...maps)
    const [first, second, ...more] = [...reported.matchAll(/MD5=(\w{32})/g)].map(([, hash]) => hash)
    expect([first, second, more]).toEqual([expect.any(String), expect.any(String), []])
    return first === second
  }

  const copied: [job: string, name: string, options: Record<string, unknown>][] = [
    ['audio.m4b-to-m4a', 'copy.m4b', {}],
    ['audio.m4b-to-m4a', 'alac.m4b', {}],
    ['audio.opus-to-ogg', 'copy.opus', { audio: { codec: 'opus' } }],
    ['audio.ogg-to-opus', 'opus-inside.ogg', {}],
    ['video.avi-to-mp3', 'copy.avi', {}],
    ['video.mkv-to-mp3', 'mp3-inside.mkv', {}],
  ]
  it.each(copied)('%s copies the packets of %s', async (job, name, options) => {
    const { path } = await convertFile(job, at(name), options)
    expect(samePackets(path, at(name))).toBe(true)
    expect(statSync(path).size).toBeGreaterThan(1000)
    // It plays without the encoder's silence.
    if (name === 'copy.m4b') expect(correlation(samples(at('copy.wav')), samples(path))).toBeGreaterThan(0.98)
  })

  const encodedAgain: [job: string, name: string, options: { audio?: object; loudness?: object }][] = [
    ['audio.m4b-to-m4a', 'copy.m4b', { audio: { bitrate: 96 } }],
    ['audio.m4b-to-m4a', 'copy.m4b', { audio: { channels: 'mono' } }],
    ['audio.m4b-to-m4a', 'copy.m4b', { loudness: { normalize: true } }],
    ['video.avi-to-mp3', 'copy.avi', { audio: { encoding: 'constant', bitrate: 96 } }],
    ['audio.opus-to-ogg', 'copy.opus', {}],
  ]
  it.each(encodedAgain)('%s re-encodes if options require it', async (job, name, options) => {
    const { path } = await convertFile(job, at(name), options)
    expect(samePackets(path, at(name))).toBe(false)
  })
})
