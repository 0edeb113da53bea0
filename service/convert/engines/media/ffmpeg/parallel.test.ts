import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { isFull, onlyFull } from '../../../../../testing/fixtures/full.ts'
import {
  correlation,
  ffprobe,
  judge,
  make,
  makeAll,
  mediaFolder,
  samples,
  signalToNoise,
  tool,
} from '../../../../../testing/fixtures/media.ts'
import { recordingOf } from './description.ts'
import { parseMetadata } from './ffmetadata.ts'
import { encodeInParallel, type ParallelEncoding, partsFor } from './parallel.ts'
import { probe } from './probe.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const SECONDS = 6.7

/** Noise and tones that never repeat, so that lost or duplicated parts are noticed. */
const source = (path: string, rate: number, channels = 2) =>
  make(
    path,
    ...['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:c=pink:a=0.2:seed=7:r=${rate}`],
    ...['-f', 'lavfi', '-i', `aevalsrc=0.3*sin(2*PI*(200+7*t)*t):s=${rate}:d=${SECONDS}`],
    ...['-filter_complex', 'amerge=inputs=2', '-ac', String(channels)],
  )

beforeAll(() => {
  source(at('44.wav'), 44_100)
  if (!isFull) return
  source(at('48.wav'), 48_000)
  source(at('22.wav'), 22_050, 1)
  // Without the noise that each decoder generates itself, so that decoded audio can be compared.
  const aac = ['-c:a', 'aac', '-aac_pns', '0', '-b:a', '160k']
  const picture = ['-f', 'lavfi', '-i', `testsrc=s=64x64:d=${SECONDS}:r=10`]
  const codec = ['-c:v', 'mpeg4', '-g', '300']
  const sound = ['-map', '0']
  makeAll(
    ['-i', at('44.wav'), '-i', at('48.wav'), ...picture],
    [
      [at('44.flac'), ...sound],
      [at('44.m4a'), ...sound, ...aac],
      [at('a.mp3'), ...sound],
      [at('a.ogg'), ...sound],
      [at('ima.wav'), ...sound, '-c:a', 'adpcm_ms'],
      [at('48.m4b'), '-map', '1', ...aac, '-f', 'mp4', '-use_editlist', '0'],
      [at('video.mp4'), ...sound, '-map', '2', ...codec, ...aac],
      [at('bare.aac'), ...sound, ...aac],
      [at('lossless.m4a'), ...sound, '-c:a', 'alac'],
    ],
  )
  // Its edit list, in milliseconds, extends slightly beyond the last packet.
  make(at('rounded.m4a'), '-i', at('bare.aac'), '-c', 'copy')
  make(
    at('late.mp4'),
    '-itsoffset',
    '0.1',
    '-i',
    at('44.wav'),
    ...picture,
    '-map',
    '0',
    '-map',
    '1',
    ...codec,
    ...aac,
  )
})

const encodings = {
  'mp3, variable': ['-c:a', 'libmp3lame', '-q:a', '2', '-id3v2_version', '0', '-f', 'mp3'],
  'mp3, constant': ['-c:a', 'libmp3lame', '-b:a', '128k', '-id3v2_version', '0', '-f', 'mp3'],
  opus: ['-c:a', 'libopus', '-b:a', '96k', '-ar', '48000', '-f', 'opus'],
}

describe('parts encoded at the same time', () => {
  const joins = [
    ['mp3, variable', '44.wav', 44_100, 2],
    ['mp3, variable', '22.wav', 22_050, 2],
    ['opus', '48.wav', 48_000, 2],
    ['opus', '44.wav', 44_100, 2],
    ['mp3, variable', '44.flac', 44_100, 2],
    ['mp3, variable', '44.m4a', 44_100, 3],
    ['opus', '44.m4a', 44_100, 2],
    ['mp3, constant', '48.m4b', 48_000, 2],
    ['mp3, variable', 'video.mp4', 44_100, 2],
    ['mp3, variable', 'lossless.m4a', 44_100, 2],
    ['mp3, variable', 'rounded.m4a', 44_100, 2],
  ] as const

  it.each(onlyFull(joins))('%s of %s', async (name, file, sampleRate, parts) => {
    const target = name === 'opus' ? 'opus' : 'mp3'
    const args = encodings[name]
    // Also without a bit reservoir, so that the join is the only difference.
    const alone = target === 'mp3' ? ['-reservoir', '0'] : []
    const { soundEnd, seekable, seconds: length } = await probe(at(file))
    expect(seekable).toBe(true)
    const end = soundEnd === null ? null : Math.round(soundEnd * sampleRate)
    const until = soundEnd === null ? [] : ['-t', String(soundEnd)]
    const single = make(at(`single.${target}`), '-i', at(file), '-vn', ...until, ...args, ...alone)
    const joined = at(`joined.${target}`)
    const seen: number[] = []
    const finished = await encodeInParallel({
      ...{ input: at(file), output: joined, target, sampleRate, parts, end },
      ...{ outputOptions: ['-vn', ...args], seconds: soundEnd ?? length ?? 0 },
      onProgress: ({ fraction }) => seen.push(fraction ?? -1),
    })
    expect(Math.abs((finished?.time ?? 0) - SECONDS)).toBeLessThan(0.1)
    const whole = samples(single)
    const sound = samples(joined)
    expect(sound.length).toBe(whole.length)
    const original = samples(at(file), 0, ...until, ...(target === 'opus' ? ['-ar', '48000'] : []))
    expect(Math.abs(sound.length - original.length)).toBeLessThanOrEqual(target === 'opus' ? 16 : 0)
    expect(correlation(original, sound)).toBeGreaterThan(correlation(original, whole) - 0.002)

    // Around the join, each hundredth of a second is as good as when encoded in one run.
    const rate = Number(ffprobe(joined).audio.sample_rate)
    const meeting = Math.round((SECONDS / parts) * rate)
    const step = Math.round(rate / 100)
    for (let from = meeting - 20 * step; from < meeting + 20 * step; from += step) {
      const [a, b] = [
        signalToNoise(original, whole, from, from + step),
        signalToNoise(original, sound, from, from + step),
      ]
      expect(b).toBeGreaterThan(a - 3)
    }
    expect(seen.at(-1)).toBeGreaterThan(0.95)
    expect(readdirSync(folder).filter(file => file.includes('.part'))).toEqual([])

    if (target === 'opus') {
      const { text } = judge('opusinfo', joined)
      expect(text).not.toMatch(/WARNING|ERROR/i)
      tool('opusdec', '--quiet', joined, at('decoded.wav'))
    } else {
      expect(tool('mediainfo', '--Inform=Audio;%BitRate_Mode%', joined).trim()).toBe(
        name.endsWith('constant') ? 'CBR' : 'VBR',
      )
      const { text } = judge('lame', '--quiet', '--decode', joined, at('decoded.wav'))
      expect(text).not.toMatch(/error/i)
      expect(Number(tool('soxi', '-s', at('decoded.wav')))).toBe(original.length)
    }
    // If its end is not stored, AAC has up to two additional frames of silence.
    const more = /^(48\.m4b|rounded\.m4a)$/.test(file) ? 0.05 : 0.001
    expect(Math.abs(Number(tool('soxi', '-D', at('decoded.wav'))) - SECONDS)).toBeLessThan(more)
  })

  testFull('all stop when one fails', async () => {
    const output = at('failed.opus')
    const options: ParallelEncoding = {
      ...{ input: at('44.wav'), output, target: 'opus', sampleRate: 44_100, seconds: SECONDS, parts: 2 },
      outputOptions: ['-c:a', 'libopus', '-ar', '44100', '-f', 'opus'],
    }
    // The encoder refuses this rate: an argument of ours, which says nothing about the file.
    await expect(encodeInParallel(options)).rejects.toMatchObject({ code: 'jobs.engine_crashed' })
    expect(readdirSync(folder).filter(file => file.startsWith('failed'))).toEqual([])
  })

  it('are only used for long recordings, at rates that can be split', () => {
    const usual = { target: 'opus', sampleRate: 44_100, seconds: 3600, cores: 2 } as const
    expect(partsFor(usual)).toBe(2)
    expect(partsFor({ ...usual, cores: 100 })).toBe(12)
    expect(partsFor({ ...usual, seconds: 590 })).toBe(1)
    expect(partsFor({ ...usual, seconds: 40 })).toBe(1)
    expect(partsFor({ ...usual, seconds: 86_400 })).toBe(2)
    expect(partsFor({ ...usual, cores: 1 })).toBe(1)
    expect(partsFor({ ...usual, sampleRate: 11_025 })).toBe(1)
    expect(partsFor({ ...usual, sampleRate: 11_025, target: 'mp3' })).toBe(2)
  })

  testFull(
    'are not used if the recording is shorter than its header says, has gaps, or begins late',
    async () => {
      const wav = readFileSync(at('44.wav'))
      writeFileSync(at('short.wav'), wav.subarray(0, Math.floor(wav.length * 0.4)))
      const flac = readFileSync(at('44.flac'))
      const hole = Math.floor(flac.length * 0.2)
      flac.fill(0x55, hole, hole + 50_000)
      writeFileSync(at('gap.flac'), flac)
      for (const name of ['short.wav', 'gap.flac', 'late.mp4']) {
        const given = encodeInParallel({
          ...{ input: at(name), output: at('given-up.opus'), target: 'opus', sampleRate: 44_100, parts: 2 },
          ...{ seconds: SECONDS, outputOptions: ['-vn', ...encodings.opus] },
        })
        expect(await given).toBeNull()
        expect(readdirSync(folder).filter(file => file.startsWith('given-up'))).toEqual([])
      }
    },
  )

  testFull('are only made of recordings that can be read from any sample on', async () => {
    expect(await probe(at('a.mp3'))).toMatchObject({ seekable: false })
    expect(await probe(at('a.ogg'))).toMatchObject({ seekable: false })
    expect(await probe(at('ima.wav'))).toMatchObject({
      seekable: false,
    })
    // A clock with milliseconds cannot resolve samples at 44,100 Hz.
    const bytes = readFileSync(at('44.m4a'))
    bytes.writeUInt32BE(1000, bytes.indexOf('mdhd') + 16)
    writeFileSync(at('milliseconds.m4a'), bytes)
    expect(await probe(at('milliseconds.m4a'))).toMatchObject({ seekable: false })
    // Two concatenated media files: the first has silence at its end, the second at its start.
    writeFileSync(at('list.txt'), `file '${at('44.m4a')}'\n`.repeat(2))
    const glued = make(at('glued.m4a'), '-f', 'concat', '-safe', '0', '-i', at('list.txt'), '-c', 'copy')
    expect(await probe(glued)).toMatchObject({ seekable: false })
    const efficient =
      'Input #0, mov,mp4, from x:\n  Stream #0:0[0x1](und): Audio: aac (HE-AAC) (mp4a / 0x6134706D), 44100 Hz, stereo, fltp\nStream mapping:'
    const { tracks } = recordingOf(efficient, parseMetadata('[STREAM]\n'))
    expect(tracks).toMatchObject([{ codec: 'aac', profile: 'HE-AAC', sampleRate: 44_100 }])
  })

  it('produce a file with a correct header', async () => {
    const output = at('header.mp3')
    await encodeInParallel({
      ...{ input: at('44.wav'), output, target: 'mp3', sampleRate: 44_100, seconds: SECONDS, parts: 2 },
      outputOptions: encodings['mp3, variable'],
    })
    const bytes = readFileSync(output)
    const tag = bytes.indexOf('Xing')
    expect(bytes.readUInt32BE(tag + 12)).toBe(bytes.length)
    const frames = bytes.readUInt32BE(tag + 8)
    expect(frames).toBe(Number(tool('mediainfo', '--Inform=Audio;%FrameCount%', output)))
    expect(Math.abs((frames * 1152) / 44_100 - SECONDS)).toBeLessThan(0.1)
  })
})
