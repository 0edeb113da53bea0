import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { ffprobeJson, make, mediaFolder, tool } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

beforeAll(() => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=256x122:r=15:d=1.2']
  const sound = ['-f', 'lavfi', '-i', 'sine=440:d=1.2:r=96000', '-f', 'lavfi', '-i', 'sine=880:d=1.2:r=48000']
  const codecs = ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-c:a', 'flac', '-ac:a:0', '6']
  const languages = ['-metadata:s:a:0', 'language=fre', '-metadata:s:a:1', 'language=eng']
  make(at('source.mkv'), ...picture, ...sound, '-map', '0', '-map', '1', '-map', '2', ...codecs, ...languages)
})

function probed(path: string) {
  const { streams, format } = ffprobeJson<{
    streams: Record<string, string | number>[]
    format: { format_name: string; duration: string }
  }>(path, '-count_frames')
  const picture = streams.find(({ codec_type }) => codec_type === 'video')!
  const sound = streams.filter(({ codec_type }) => codec_type === 'audio')
  return { format: format.format_name, seconds: Number(format.duration), picture, sound }
}

const targets: [
  target: string,
  format: RegExp,
  picture: string,
  rate: string,
  sound: string,
  tracks: number,
][] = [
  ['3gp', /3gp/, 'h264', '15/1', 'aac 96000 6', 2],
  ['avi', /^avi$/, 'mpeg4', '15/1', 'mp3 48000 2', 2],
  ['flv', /^flv$/, 'h264', '15/1', 'aac 96000 6', 1],
  ['mpg', /^mpeg$/, 'mpeg2video', '24000/1001', 'ac3 48000 6', 2],
  ['ogv', /^ogg$/, 'theora', '15/1', 'vorbis 48000 6', 2],
  ['ts', /^mpegts$/, 'hevc', '15/1', 'aac 96000 6', 2],
  ['wmv', /^asf$/, 'wmv2', '15/1', 'wmav2 48000 2', 2],
]
test.each(targets)('%s', async (target, format, codec, rate, sound, tracks) => {
  const { path, warnings } = await convertFile(`video.mkv-to-${target}`, at('source.mkv'))
  const found = probed(path)
  expect(found.format).toMatch(format)
  expect(found.picture).toMatchObject({ codec_name: codec, width: 256, height: 122, r_frame_rate: rate })
  expect(Math.abs(Number(found.picture.nb_read_frames) - (rate === '15/1' ? 18 : 29))).toBeLessThanOrEqual(1)
  expect(Math.abs(found.seconds - 1.2)).toBeLessThan(0.15)
  const [first] = found.sound
  expect(`${first?.codec_name} ${first?.sample_rate} ${first?.channels}`).toBe(sound)
  expect(found.sound).toHaveLength(tracks)
  expect(warnings).toHaveLength(tracks === 1 ? 1 : 0)
})

const codecs: [target: string, codec: string, name: string, profile: RegExp, pixels: string][] = [
  ['mov', 'prores', 'prores', /HQ/, 'yuv422p10le'],
  ['mov', 'prores4444', 'prores', /4444/, 'yuv444p12le'],
  ['mov', 'dnxhr', 'dnxhd', /HQX/, 'yuv422p10le'],
  ['mkv', 'ffv1', 'ffv1', /./, 'yuv420p'],
  ['mkv', 'prores', 'prores', /HQ/, 'yuv422p10le'],
  ['ts', 'mpeg2', 'mpeg2video', /Main/, 'yuv420p'],
]
test.each(codecs)('%s as %s', async (target, codec, name, profile, pixels) => {
  const { path, warnings } = await convertFile(`video.mkv-to-${target}`, at('source.mkv'), {
    video: { codec },
  })
  expect(warnings).toEqual([])
  expect(probed(path).picture).toMatchObject({ codec_name: name, pix_fmt: pixels })
  if (name !== 'ffv1') expect(probed(path).picture.profile).toMatch(profile)
})

const sizes: [target: string, megabytes: number][] = [
  ['avi', 0.05],
  // Its packs have 2 KB each, for every track.
  ['mpg', 0.1],
  ['ogv', 0.05],
  ['wmv', 0.05],
  ['flv', 0.05],
]
test.each(sizes)('a size is met by %s', async (target, targetSize) => {
  const { path } = await convertFile(`video.mkv-to-${target}`, at('source.mkv'), { video: { targetSize } })
  expect(Number(tool('stat', '-c', '%s', path))).toBeLessThanOrEqual(targetSize * 1e6)
})

test.each(['mpg', 'avi', 'wmv', 'ogv'])(
  'a size that %s cannot have is refused with one that it can',
  async target => {
    for (const targetSize of [0.005, 0.02]) {
      const made = (size: number) =>
        convertFile(`video.mkv-to-${target}`, at('source.mkv'), { video: { targetSize: size } })
      const refusal = await made(targetSize).catch(error => error)
      expect(refusal).toMatchObject({ code: 'jobs.unsupported_input', reason: { key: 'video.too_small' } })
      const named = Number(refusal.reason.parameters.megabytes)
      const { path } = await made(named)
      expect(Number(tool('stat', '-c', '%s', path))).toBeLessThanOrEqual(named * 1e6)
    }
  },
)
