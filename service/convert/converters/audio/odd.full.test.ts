/** Legal files that ffmpeg misreads, and those whose codec it lacks. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertFile, measureFile } from '../../../../testing/fixtures/convert.ts'
import {
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
import { identify } from '../../../work/intake/identify.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

beforeAll(() => {
  make(at('a.wav'), ...lively(3))
  makeAll(
    ['-i', at('a.wav')],
    [
      [at('a.flac')],
      [at('a.mp3'), '-b:a', '128k', '-write_xing', '0', '-id3v2_version', '0'],
      [at('a.aac')],
      [at('a.m4a')],
      [at('a.mkv'), '-c:a', 'ac3'],
      [at('loas.latm'), '-c:a', 'aac'],
      [at('vbr.mp3'), '-q:a', '2'],
      [at('low.mp3'), '-ar', '8000', '-q:a', '9'],
      [at('layer2.mp4'), '-c:a', 'mp2'],
    ],
  )
})

it('FLAC behind an ID3 tag is recognised and converted sample by sample', async () => {
  const path = at('tagged.flac')
  const tag = [Buffer.from('ID3\u0003\0\0\0\0\u0007\u0074', 'latin1'), Buffer.alloc(1012)]
  writeFileSync(path, Buffer.concat([...tag, readFileSync(at('a.flac'))]))
  expect(await identify(path, 'a.flac')).toBe('flac')
  expect((await measureFile('audio.flac-to-wav', path)).minutes).toBeCloseTo(3 / 60, 4)
  const { path: wav, warnings } = await convertFile('audio.flac-to-wav', path)
  expect(warnings).toEqual([])
  expect(soundHash(wav)).toBe(soundHash(at('a.wav')))
})

describe('bare frames', () => {
  it.each([
    ['audio.mp3-to-wav', 'a.mp3', 4000],
    ['audio.aac-to-mp3', 'a.aac', 4000],
  ] as const)('%s of %s after garbage', async (job, name, count) => {
    const path = at(`junk-${name}`)
    writeFileSync(path, Buffer.concat([Buffer.alloc(count, 0x20), readFileSync(at(name))]))
    const { path: result } = await convertFile(job, path)
    expect(samples(result).length / 44_100).toBeCloseTo(3, 0)
  })
})

it('AAC in the multiplex of broadcasting is converted', async () => {
  const path = at('broadcast.aac')
  copyFileSync(at('loas.latm'), path)
  expect(await identify(path, 'recording')).toBe('aac')
  const { path: mp3, warnings } = await convertFile('audio.aac-to-mp3', path)
  expect(warnings).toEqual([])
  expect(samples(mp3).length / 44_100).toBeCloseTo(3, 1)
})

const chained: [format: string, codec: string, job: string][] = [
  ['ogg', 'libvorbis', 'audio.ogg-to-mp3'],
  ['opus', 'libopus', 'audio.opus-to-ogg'],
]

it.each(chained)(
  'a chain of %s recordings is measured, converted and cut as a whole',
  async (format, codec, job) => {
    const [first, second] = [lively(2), ['-f', 'lavfi', '-i', 'sine=700:d=3', '-ac', '2']].map(
      (input, index) =>
        readFileSync(
          make(at(`link-${index}.${format}`), ...input, '-c:a', codec, '-serial_offset', String(index)),
        ),
    )
    const path = at(`chain.${format}`)
    writeFileSync(path, Buffer.concat([first!, second!]))
    const { minutes, probe } = await measureFile(job, path)
    expect(minutes).toBeCloseTo(5 / 60, 2)
    const options = job.endsWith('ogg') ? { audio: { codec: 'opus' } } : {}
    const whole = await convertFile(job, path, options, { probe })
    expect(whole.warnings).toEqual([])
    expect(Number(ffprobe(whole.path).format.duration)).toBeCloseTo(5, 1)
    const part = await convertFile(job, path, { ...options, trim: { start: 3, end: 4 } }, { probe })
    expect(Number(ffprobe(part.path).format.duration)).toBeCloseTo(1, 1)
  },
)

it('an AVI file written to a pipe, without its length, is measured by its content', async () => {
  const path = at('piped.avi')
  const picture = '-f lavfi -i testsrc=s=64x64:r=25:d=3 -c:v mpeg4 -c:a libmp3lame'
  tool('sh', '-c', `ffmpeg -nostdin -v error -i ${at('a.wav')} ${picture} -f avi - > ${path}`)
  expect(Number(ffprobe(path).format.duration)).toBeGreaterThan(100)
  expect((await measureFile('video.avi-to-wav', path)).minutes).toBeCloseTo(3 / 60, 2)
  expect((await convertFile('video.avi-to-wav', path)).warnings).toEqual([])
})

it('an MP3 file that claims an hour for its three seconds costs what is there, with a warning', async () => {
  const bytes = readFileSync(at('vbr.mp3'))
  bytes.writeUInt32BE(137_813, bytes.indexOf('Xing') + 8)
  writeFileSync(at('overstated.mp3'), bytes)
  const { minutes, probe } = await measureFile('audio.mp3-to-wav', at('overstated.mp3'))
  expect(minutes).toBeCloseTo(3 / 60, 2)
  const { warnings } = await convertFile('audio.mp3-to-wav', at('overstated.mp3'), {}, { probe })
  expect(warnings).toEqual([expect.stringContaining('it should last 60:00')])
})

it('the padding of an encoder is not missing at low sample rates', async () => {
  const path = at('low.mp3')
  expect((await convertFile('audio.mp3-to-wav', path)).warnings).toEqual([])
})

it('Layer II in MP4, which has the name of MP3 there, is encoded as MP3', async () => {
  const path = at('layer2.mp4')
  expect(ffprobe(path).audio.codec_name).toBe('mp3')
  const { path: mp3 } = await convertFile('video.mp4-to-mp3', path)
  expect(tool('mediainfo', '--Inform=Audio;%Format_Profile%', mp3).trim()).toBe('Layer 3')
  expect(samples(mp3).length / 44_100).toBeCloseTo(3, 1)
})

it('a video whose audio ends before its picture gives no warning', async () => {
  const path = make(at('silent-end.mkv'), '-i', at('a.wav'), '-f', 'lavfi', '-i', 'testsrc=s=64x64:r=5:d=9')
  expect((await convertFile('video.mkv-to-mp3', path)).warnings).toEqual([])
  await expect(convertFile('video.mkv-to-mp3', path, { trim: { start: 5, end: 8 } })).rejects.toMatchObject({
    code: 'jobs.unsupported_input',
  })
})

describe('a codec that ffmpeg lacks', () => {
  it('such as xHE-AAC is named, and the file is not called damaged', async () => {
    const bytes = readFileSync(at('a.m4a'))
    // The audio object type of USAC is 42: an escape of five ones, then ten; 44.1 kHz, stereo.
    const config = bytes.indexOf(Buffer.from('058080800512105', 'hex'))
    Buffer.from('f948400000', 'hex').copy(bytes, config + 5)
    writeFileSync(at('usac.m4a'), bytes)
    for (const job of ['audio.m4a-to-mp3', 'audio.audio-to-txt']) {
      await expect(convertFile(job, at('usac.m4a'))).rejects.toMatchObject({
        code: 'jobs.unsupported_input',
        detail: expect.stringContaining('codec that cannot be decoded'),
      })
    }
  })

  it('such as MP3 of free format, or AAC with an ADIF header', async () => {
    tool('lame', '--quiet', '--freeformat', '-b', '400', at('a.wav'), at('free.mp3'))
    writeFileSync(at('adif.aac'), Buffer.concat([Buffer.from('ADIF'), Buffer.alloc(2000, 0x21)]))
    for (const job of ['audio.mp3-to-wav', 'audio.aac-to-mp3']) {
      const path = at(job.includes('mp3-') ? 'free.mp3' : 'adif.aac')
      await expect(convertFile(job, path)).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
    }
  })

  it('such as an unknown one in Matroska', async () => {
    const bytes = readFileSync(at('a.mkv'))
    bytes.write('A_XXX', bytes.indexOf('A_AC3'), 'latin1')
    writeFileSync(at('unknown.mkv'), bytes)
    await expect(convertFile('video.mkv-to-mp3', at('unknown.mkv'))).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
    expect(judge('ffmpeg', '-nostdin', '-i', at('unknown.mkv'), '-f', 'null', '-').status).not.toBe(0)
  })
})

it.each(['mp3', 'm4a'])('sound from all around is heard from its side: %s', async target => {
  const left = 'aevalsrc=0.4*sin(880*PI*t)|0.4*sin(880*PI*t)|0|0:d=0.5:c=4.0'
  const around = ['-af', 'channelmap=map=0|1|2|3:channel_layout=ambisonic 1', '-mapping_family', '2']
  const file = make(at('around.opus'), '-f', 'lavfi', '-i', left, ...around, '-c:a', 'libopus')
  const { path, warnings } = await convertFile(`audio.opus-to-${target}`, file)
  expect(warnings).toEqual([])
  const [heard, silent] = [0, 1].map(channel => Math.max(...samples(path, channel)))
  expect(heard).toBeGreaterThan(0.3)
  expect(silent).toBeLessThan(0.05)
})
