import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { isFull, kinds } from '../../../../testing/fixtures/full.ts'
import { make, makeAll, mediaFolder, samples } from '../../../../testing/fixtures/media.ts'
import { makeRecordings, recordingJobs } from '../../../../testing/recordings.ts'
import { JobFailure, jobFailureCodes } from '../../../shared/errors.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const silent = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=1']

beforeAll(() => makeRecordings(folder, isFull ? undefined : ['aac', 'mp3', 'mp4', 'm4a', 'wma']))

/** How a conversion ends: `converted`, or the code of a failure meant for people; everything else is a defect. */
async function endOf(job: string, path: string): Promise<string> {
  try {
    await convertFile(job, path)
    return 'converted'
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error
    expect(jobFailureCodes).toContain(error.code)
    expect(error.code).not.toBe('jobs.engine_crashed')
    expect(error.detail).not.toContain(folder)
    return error.code
  }
}

/** Formats that are read in different ways; the full suite tries all of them. */
const formats = kinds(Object.keys(recordingJobs), format => /^(aac|wav|mp4)$/.test(format))

/** How the conversion of each format ends. */
async function endsOf(name: (format: string) => string): Promise<Record<string, string>> {
  const ends: Record<string, string> = {}
  for (const format of formats) ends[format] = await endOf(recordingJobs[format]!, at(name(format)))
  return ends
}

const allCorrupt = Object.fromEntries(formats.map(format => [format, 'jobs.corrupt_input']))

describe('files without audio', () => {
  testFull('silent videos', async () => {
    const videos = ['mp4', 'mov', 'mkv', 'avi', 'webm']
    makeAll(
      silent,
      videos.map(format => [at(`silent.${format}`), ...(format === 'webm' ? [] : ['-c:v', 'mpeg4'])]),
    )
    for (const format of videos) {
      const end = await endOf(`video.${format}-to-mp3`, at(`silent.${format}`))
      expect(end, format).toBe('jobs.no_audio_track')
    }
  })

  testFull('text under the name of a recording', async () => {
    const text = 'This is a letter, and not a recording.\n'.repeat(100)
    for (const format of formats) writeFileSync(at(`text.${format}`), text)
    expect(await endsOf(format => `text.${format}`)).toEqual(allCorrupt)
  })

  it('empty files', async () => {
    for (const format of formats) writeFileSync(at(`empty.${format}`), '')
    expect(await endsOf(format => `empty.${format}`)).toEqual(allCorrupt)
  })

  testFull('a WAV file without samples', async () => {
    const path = make(at('nothing.wav'), '-i', at('good.wav'), '-af', 'atrim=end_sample=0')
    expect(await endOf('audio.wav-to-mp3', path)).toBe('jobs.corrupt_input')
  })
})

describe('protected recordings', () => {
  it.each(['enca', 'drms', 'aavd'])('MP4 with %s', async entry => {
    const bytes = readFileSync(at('good.m4a'))
    bytes.write(entry, bytes.indexOf('mp4a'), 'latin1')
    writeFileSync(at(`${entry}.m4b`), bytes)
    await expect(convertFile('audio.m4b-to-mp3', at(`${entry}.m4b`))).rejects.toMatchObject({
      code: 'jobs.encrypted_input',
    })
  })

  it('an encrypted MP4 made by a packager', async () => {
    const key = '00112233445566778899aabbccddeeff'
    const path = make(
      at('cenc.mp4'),
      ...['-i', at('good.m4a'), '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr'],
      ...['-encryption_key', key, '-encryption_kid', key],
    )
    expect(await endOf('video.mp4-to-mp3', path)).toBe('jobs.encrypted_input')
  })

  it('ASF with a content encryption object', async () => {
    const bytes = readFileSync(at('good.wma'))
    // The padding in the header is replaced by the object that declares the encryption.
    const object = Buffer.alloc(34)
    Buffer.from('fbb3112223bdd211b4b700a0c955fc6e', 'hex').copy(object)
    object.writeBigUInt64LE(34n, 16)
    const headerSize = Number(bytes.readBigUInt64LE(16))
    const merged = Buffer.concat([bytes.subarray(0, headerSize), object, bytes.subarray(headerSize)])
    merged.writeBigUInt64LE(BigInt(headerSize + 34), 16)
    merged.writeUInt32LE(bytes.readUInt32LE(24) + 1, 24)
    writeFileSync(at('drm.wma'), merged)
    expect(await endOf('audio.wma-to-mp3', at('drm.wma'))).toBe('jobs.encrypted_input')
  })
})

describe('files that point elsewhere', () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(readFileSync(at('good.mp3')))
  })
  let url: string

  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    copyFileSync(at('good.mp3'), at('secret.mp3'))
    copyFileSync(at('good.aac'), at('secret.ts'))
  })
  afterAll(() => new Promise(resolve => server.close(resolve)))

  const playlist = (...targets: string[]) =>
    [
      '#EXTM3U',
      '#EXT-X-TARGETDURATION:10',
      ...targets.flatMap(target => ['#EXTINF:1,', target]),
      '#EXT-X-ENDLIST',
      '',
    ].join('\n')
  const disguises = (): Record<string, string> => ({
    'hls of a file': playlist(at('secret.mp3')),
    'hls of a file beside it': playlist('secret.ts'),
    'hls of an address': playlist(`${url}/hls.ts`),
    'concat of a file': `ffconcat version 1.0\nfile secret.mp3\n`,
    'concat of an address': `ffconcat version 1.0\nfile ${url}/concat.mp3\n`,
    sdp: `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n`,
    dash: `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}/dash.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  })

  it('would be followed by an unprotected ffmpeg', () => {
    // Otherwise the next tests would prove nothing.
    writeFileSync(at('bait.m3u8'), playlist('secret.ts'))
    make(at('followed.wav'), '-i', at('bait.m3u8'))
    expect(readFileSync(at('followed.wav')).length).toBeGreaterThan(10_000)
  })

  it.each(kinds(Object.keys(disguises()), name => /^(hls of an address|concat of a file)$/.test(name)))(
    '%s',
    async name => {
      // ffmpeg goes by the content, whatever the name.
      for (const format of kinds(['mp4', 'mp3', 'm4a'], format => format === 'mp4')) {
        const path = at(`${name.replaceAll(' ', '-')}.${format}`)
        writeFileSync(path, disguises()[name] as string)
        // ffmpeg has no reader of DASH, and so finds nothing in it.
        const code = name === 'dash' ? 'jobs.corrupt_input' : 'jobs.unsupported_input'
        expect(await endOf(recordingJobs[format]!, path)).toBe(code)
      }
      await sleep(20)
      expect(asked).toEqual([])
    },
  )

  testFull('a video whose track is in another file', async () => {
    // A data reference (dref) that names a file instead of the one it is in.
    const bytes = readFileSync(at('good.mov'))
    const reference = bytes.indexOf('dref')
    bytes.writeUInt32BE(0, reference + 20)
    writeFileSync(at('dref.mov'), bytes)
    expect(await endOf('video.mov-to-wav', at('dref.mov'))).toBe('converted')
    expect(asked).toEqual([])
  })
})

describeFull('damaged files', true, () => {
  it('a missing end is reported', async () => {
    const bytes = readFileSync(at('good.m4a'))
    writeFileSync(at('half.m4a'), bytes.subarray(0, bytes.length * 0.6))
    const { warnings } = await convertFile('audio.m4a-to-mp3', at('half.m4a'))
    expect(warnings.join()).toMatch(/ends early|damaged packets/)
  })

  it('the warning gives a plausible length of what is left', async () => {
    const sine = ['-f', 'lavfi', '-i', 'sine=d=60:r=22050']
    const long = readFileSync(make(at('long.mp3'), ...sine, '-b:a', '64k'))
    writeFileSync(at('stub.mp3'), long.subarray(0, 4000))
    const { path, warnings } = await convertFile('audio.mp3-to-wav', at('stub.mp3'))
    expect(warnings).toEqual([
      'The recording ends early: it should last 1:00, but less than a second could be read.',
    ])
    expect(samples(path).length / 22_050).toBeLessThan(1)
    writeFileSync(at('third.mp3'), long.subarray(0, long.length / 4))
    expect((await convertFile('audio.mp3-to-wav', at('third.mp3'))).warnings).toEqual([
      expect.stringMatching(/should last 1:00, but only 0:(14|15) could be read/),
    ])
  })

  it('failures leave no output', async () => {
    const path = at('noise.mp3')
    writeFileSync(path, Buffer.alloc(5000, 7))
    const before = readdirSync(folder).length
    expect(await endOf('audio.mp3-to-wav', path)).toBe('jobs.corrupt_input')
    expect(readdirSync(folder)).toHaveLength(before)
  })
})
