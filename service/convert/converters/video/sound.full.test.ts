import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { make, mediaFolder, samples, tool } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** 440 Hz on the left and 880 on the right in French, 220 on both sides in English; the first is quiet after half a second. */
beforeAll(() => {
  const picture = ['-f', 'lavfi', '-i', 'color=red:s=64x64:r=25:d=2']
  const graph = `
    sine=440:d=2:r=48000,volume=0.5[l];sine=880:d=2:r=48000,volume=0.5[r];
    [l][r]join=inputs=2:channel_layout=stereo[one];sine=220:d=2:r=48000,pan=stereo|c0=c0|c1=c0[two]`
  const maps = ['-map', '0:v', '-map', '[one]', '-map', '[two]']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  const languages = ['-metadata:s:a:0', 'language=fre', '-metadata:s:a:1', 'language=eng']
  make(at('source.mkv'), ...picture, '-filter_complex', graph, ...maps, ...codecs, ...languages)
})

const soundOf = (path: string) =>
  (
    JSON.parse(
      tool('ffprobe', '-v', 'error', '-select_streams', 'a', '-show_streams', '-of', 'json', path),
    ) as {
      streams: { codec_name: string; channels: number; bit_rate?: string; tags?: { language?: string } }[]
    }
  ).streams

/** Pitch of a channel in Hz, by the signs of its samples. */
function pitchOf(path: string): number {
  const all = samples(path, 0, '-ac', '1', '-ar', '48000').subarray(12_000, 84_000)
  const changes = all.reduce(
    (sum, value, index) => sum + Number(index > 0 && value >= 0 !== all[index - 1]! >= 0),
    0,
  )
  return Math.round(changes / 2 / (all.length / 48_000) / 10) * 10
}

test.each([
  ['all', ['fre', 'eng']],
  ['en', ['eng']],
  ['2, fr', ['eng', 'fre']],
])('tracks: %s', async (tracks, languages) => {
  const { path, warnings } = await convertFile('video.mkv-to-mp4', at('source.mkv'), { audio: { tracks } })
  expect(warnings).toEqual([])
  expect(soundOf(path).map(({ tags }) => tags?.language)).toEqual(languages)
  expect(pitchOf(path)).toBe(languages[0] === 'eng' ? 220 : pitchOf(at('source.mkv')))
})

test('a track that is not there is refused, and those that are there are named', async () => {
  await expect(
    convertFile('video.mkv-to-mp4', at('source.mkv'), { audio: { tracks: 'en, 7' } }),
  ).rejects.toMatchObject({
    code: 'jobs.no_audio_track',
    reason: { parameters: { wanted: '7', tracks: '1 fre, 2 eng' } },
  })
})

test('codec, bit rate and one side are those that were asked for, and the picture is kept', async () => {
  const audio = { codec: 'ac3', bitrate: 128, channels: 'right', tracks: '1' }
  const { path, warnings } = await convertFile('video.mkv-to-mp4', at('source.mkv'), { audio })
  expect(warnings).toEqual([])
  expect(soundOf(path)).toMatchObject([{ codec_name: 'ac3', channels: 1, bit_rate: '128000' }])
  expect(pitchOf(path)).toBe(880)
  const hash = (file: string) => tool('ffmpeg', '-v', 'error', '-i', file, '-map', '0:v', '-f', 'md5', '-')
  expect(hash(path)).toBe(hash(at('source.mkv')))
})

test.each([300, -300])('a delay of %i ms', async delay => {
  const { path } = await convertFile('video.mkv-to-mkv', at('source.mkv'), {
    audio: { delay, codec: 'flac', tracks: '2' },
  })
  const all = samples(path, 0, '-ac', '1', '-ar', '48000')
  const first = all.findIndex(value => Math.abs(value) > 0.02) / 48_000
  expect(Math.abs(first - Math.max(0, delay / 1000))).toBeLessThan(0.03)
  expect(Math.abs(all.length / 48_000 - (2 + delay / 1000))).toBeLessThan(0.05)
})

test('each track gets the loudness that was asked for', async () => {
  const loudness = { normalize: true, target: -16 }
  const { path } = await convertFile('video.mkv-to-mov', at('source.mkv'), { loudness })
  for (const track of [0, 1]) {
    const log = tool('sh', '-c', `ffmpeg -i "${path}" -map 0:a:${track} -af ebur128 -f null - 2>&1`)
    expect(Math.abs(Number(/I: +(-?[\d.]+) LUFS\s+Threshold/.exec(log)?.[1]) + 16)).toBeLessThan(0.6)
  }
})
