/** AIFF and ringtones, and the formats of phones, discs and the web that are only read. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertFile, measureFile } from '../../../../testing/fixtures/convert.ts'
import {
  correlation,
  ffprobe,
  judge,
  lagOf,
  lively,
  make,
  mediaFolder,
  samples,
  soundHash,
  tool,
} from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const SECONDS = 3

beforeAll(() => {
  make(at('deep.wav'), ...lively(SECONDS), '-c:a', 'pcm_s24le', '-metadata', 'title=A song')
  // Packets of 12.2 kbit/s (RFC 4867, section 5.3) of any content sound like something; no free program writes them.
  const packets = Array.from({ length: SECONDS * 50 }, (_, packet) =>
    Buffer.from(
      Array.from({ length: 32 }, (_, byte) => (byte === 0 ? 0x3c : (packet * 7 + byte * 31) % 256)),
    ),
  )
  writeFileSync(at('narrow.amr'), Buffer.concat([Buffer.from('#!AMR\n'), ...packets]))
  make(at('narrow.wav'), '-i', at('narrow.amr'))
  make(at('deep.ac3'), '-i', at('deep.wav'), '-b:a', '256k')
})

describe('AIFF', () => {
  it('keeps every sample and the tags', async () => {
    const { path, warnings } = await convertFile('audio.wav-to-aiff', at('deep.wav'))
    expect(warnings).toEqual([])
    expect(ffprobe(path).audio).toMatchObject({ codec_name: 'pcm_s24be', sample_rate: '44100' })
    expect(tool('sndfile-info', path)).toContain('AIFF')
    expect(soundHash(path)).toBe(soundHash(at('deep.wav')))
    expect(tool('mediainfo', '--Inform=General;%Title%', path).trim()).toBe('A song')
    const back = await convertFile('audio.aiff-to-flac', path)
    expect(soundHash(back.path)).toBe(soundHash(at('deep.wav')))
    expect(ffprobe(back.path).tags).toMatchObject({ title: 'A song' })
  })

  it('of 16 bits is dithered, and of floating point has whole numbers', async () => {
    const shallow = await convertFile('audio.wav-to-aiff', at('deep.wav'), { audio: { bitDepth: '16' } })
    expect(ffprobe(shallow.path).audio.codec_name).toBe('pcm_s16be')
    const float = make(at('float.wav'), '-i', at('deep.wav'), '-c:a', 'pcm_f32le')
    const { path } = await convertFile('audio.wav-to-aiff', float)
    expect(soundHash(path)).toBe(soundHash(at('deep.wav')))
  })
})

describe('a ringtone', () => {
  it('is an M4A that iPhones know, and keeps the sound of one', async () => {
    const song = make(at('song.m4a'), '-i', at('deep.wav'), '-b:a', '128k')
    const { path, warnings } = await convertFile('audio.m4a-to-m4r', song)
    expect(warnings).toEqual([])
    expect(readFileSync(path).toString('latin1', 4, 12)).toBe('ftypM4A ')
    expect(ffprobe(path).tags).toMatchObject({ title: 'A song' })
    expect(soundHash(path)).toBe(soundHash(song))
  })

  it('that is too long is reported', async () => {
    const long = make(at('long.mp3'), '-f', 'lavfi', '-i', 'sine=440:d=41:r=8000', '-b:a', '8k')
    const { warnings } = await convertFile('audio.mp3-to-m4r', long)
    expect(warnings).toEqual([expect.stringContaining('at most 40 seconds')])
    const part = await convertFile('audio.mp3-to-m4r', long, { trim: { end: 40 } })
    expect(part.warnings).toEqual([])
  })
})

describe('recordings without times', () => {
  it.each([
    ['amr', 'narrow', 8000, 0.02],
    ['ac3', 'deep', 44_100, 0.032],
  ] as const)('%s: length and parts', async (format, name, rate, packet) => {
    const path = at(`${name}.${format}`)
    const original = samples(at(`${name}.wav`))
    expect(
      Math.abs((await measureFile(`audio.${format}-to-wav`, path)).minutes! * 60 - SECONDS),
    ).toBeLessThan(0.1)
    const whole = await convertFile(`audio.${format}-to-wav`, path)
    expect(whole.warnings).toEqual([])
    expect(judge('ffprobe', '-v', 'error', whole.path)).toEqual({ status: 0, text: '' })
    const sound = samples(whole.path)
    expect(Math.abs(sound.length / rate - SECONDS)).toBeLessThan(packet * 2)
    const lag = lagOf(original, sound, Math.round(packet * 2 * rate))
    expect(correlation(original, sound, lag)).toBeGreaterThan(0.9)
    const part = await convertFile(`audio.${format}-to-wav`, path, { trim: { start: 1.5, end: 2.5 } })
    expect(samples(part.path)).toEqual(sound.subarray(1.5 * rate, 2.5 * rate))
  })

  it('that are damaged or something else say so', async () => {
    const cut = at('not.amr')
    tool('sh', '-c', `printf '#!AMR\\n' > ${cut}`)
    await expect(convertFile('audio.amr-to-mp3', cut)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })
})

describe('sound of enthusiasts', () => {
  it.each(['wv', 'tta'])('%s keeps every sample and its title', async format => {
    const song = make(
      at(`deep.${format}`),
      '-i',
      at('deep.wav'),
      '-sample_fmt',
      format === 'wv' ? 's16p' : 's32',
      '-metadata',
      'title=A song',
    )
    const { path, warnings } = await convertFile(`audio.${format}-to-flac`, song)
    expect(warnings).toEqual([])
    expect(soundHash(path)).toBe(soundHash(song))
    if (format === 'wv') expect(ffprobe(path).tags).toMatchObject({ title: 'A song' })
    await expect(convertFile(`audio.${format}-to-flac`, cutTo(song, 40))).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })

  it('DSF of one bit becomes the tone that it is', async () => {
    const path = at('tone.dsf')
    writeFileSync(path, dsfOf(440, 1))
    const { path: wav, warnings } = await convertFile('audio.dsf-to-wav', path, {
      audio: { sampleRate: '48000' },
    })
    expect(warnings).toEqual([])
    const sound = samples(wav)
    expect(Math.abs(sound.length / 48_000 - 1)).toBeLessThan(0.01)
    const rises = sound.filter((value, n) => n > 0 && value >= 0 && sound[n - 1]! < 0).length
    expect(Math.abs(rises - 440)).toBeLessThan(3)
  })
})

const cutTo = (path: string, bytes: number) => {
  const short = at(`short-${basename(path)}`)
  writeFileSync(short, readFileSync(path).subarray(0, bytes))
  return short
}

/** A tone of half the loudness in one channel at 2.8 MHz, by a modulator of the first order (DSF File Format Specification 1.01). */
function dsfOf(hertz: number, seconds: number): Buffer {
  const [rate, block] = [2_822_400, 4096]
  const bits = rate * seconds
  const data = Buffer.alloc(Math.ceil(bits / 8 / block) * block)
  for (let n = 0, error = 0; n < bits; n++) {
    error += Math.sin((2 * Math.PI * hertz * n) / rate) / 2
    const one = error >= 0
    error -= one ? 1 : -1
    if (one) data[n >> 3]! |= 1 << (n & 7)
  }
  const head = Buffer.alloc(92)
  head.write('DSD ')
  head.writeUInt32LE(28, 4)
  head.writeUInt32LE(92 + data.length, 12)
  head.write('fmt ', 28)
  for (const [at, value] of [
    [32, 52],
    [40, 1],
    [48, 1],
    [52, 1],
    [56, rate],
    [60, 1],
    [64, bits],
    [72, block],
  ] as const)
    head.writeUInt32LE(value, at)
  head.write('data', 80)
  head.writeUInt32LE(12 + data.length, 84)
  return Buffer.concat([head, data])
}
