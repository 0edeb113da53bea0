import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { bundled } from '../../../../../testing/bundle.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { ffprobe, make, makeAll, mediaFolder, samples, tool } from '../../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

const FPS = 25
const FRAMES = 30
const SECONDS = FRAMES / FPS
const video = (colour: string, size = '160x120', rate = FPS) =>
  `color=${colour}:s=${size}:r=${rate}:d=${SECONDS}`
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1']
const tone = ['-f', 'lavfi', '-i', `sine=440:d=${SECONDS}:r=44100`]

beforeAll(() => {
  const red = ['-f', 'lavfi', '-i', video('red'), ...tone]
  makeAll(red, [
    [at('1 red.mp4'), ...h264, '-c:a', 'aac'],
    [at('red.mkv'), ...h264, '-c:a', 'aac'],
  ])
  // Its sound ends before its picture.
  make(
    at('2 blue.mp4'),
    '-f',
    'lavfi',
    '-i',
    video('blue'),
    ...tone,
    ...h264,
    '-c:a',
    'aac',
    '-af',
    'atrim=end=0.9',
  )
  make(
    at('wide.webm'),
    '-f',
    'lavfi',
    '-i',
    video('lime', '320x120', 10),
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
  )
  make(at('sound.mp4'), ...tone, '-c:a', 'aac')
  writeFileSync(at('broken.mp4'), 'no video at all'.repeat(100))
})

let bundles = 0
const joinAs = async (target: string, names: readonly string[], options: object = {}) =>
  convertFile(
    `video.videos-to-${target}`,
    await bundled(at(`${bundles++}.bundle`), names.map(at)),
    options as Record<string, unknown>,
  )

/** Of each frame, its time in seconds and a hash of its pixels. */
function framesOf(path: string) {
  const list = tool(
    'ffmpeg',
    '-v',
    'error',
    '-i',
    path,
    '-map',
    '0:v',
    '-fps_mode',
    'passthrough',
    '-f',
    'framemd5',
    '-',
  )
  const [, numerator, denominator] = /^#tb 0: (\d+)\/(\d+)$/m.exec(list)!
  return list
    .split('\n')
    .filter(line => /^\d/.test(line))
    .map(line => line.split(/,\s*/))
    .map(([, , time, , , hash]) => ({ time: (Number(time) * Number(numerator)) / Number(denominator), hash }))
}

/** The colours of each frame at its middle and its upper edge, as letters. */
function coloursOf(path: string): string[] {
  const raw = ['-fps_mode', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-vf', 'scale=3:3:flags=area', ...raw])
  const letter = (at: number) => 'RGB'[[0, 1, 2].find(channel => bytes[at + channel]! > 128) ?? 3] ?? '-'
  return Array.from(
    { length: bytes.length / 27 },
    (_, frame) => letter(frame * 27 + 12) + letter(frame * 27 + 3),
  )
}

const chaptersOf = (path: string) =>
  ffprobe(path).chapters.map(({ tags, start_time }) => [tags!.title, Number(start_time)])

/** The parts of the sound, in seconds from their start, in which there is something to hear. */
function heard(path: string): number[] {
  const all = samples(path, 0, '-ar', '8000')
  const loud = Array.from({ length: Math.floor(all.length / 80) }, (_, at) =>
    all.subarray(at * 80, at * 80 + 80).some(sample => Math.abs(sample) > 0.02),
  )
  return [...loud, false].flatMap((isLoud, at) => (isLoud !== (loud[at - 1] ?? false) ? [at / 100] : []))
}

test('videos that are alike follow each other without loss, each as a chapter', async () => {
  const { path, warnings } = await joinAs('mp4', ['1 red.mp4', '2 blue.mp4'])
  expect(warnings).toEqual([])
  const [red, blue, joined] = [at('1 red.mp4'), at('2 blue.mp4'), path].map(framesOf)
  expect(joined!.map(({ hash }) => hash)).toEqual([...red!, ...blue!].map(({ hash }) => hash))
  for (const [index, { time }] of joined!.entries()) expect(time).toBeCloseTo(index / FPS, 2)
  expect(chaptersOf(path)).toEqual([
    ['1 red', 0],
    ['2 blue', SECONDS],
  ])
  expect(
    ffprobe(path)
      .streams.map(({ codec_name }) => codec_name)
      .slice(0, 2),
  ).toEqual(['h264', 'aac'])
  // The sound of the second one begins with its picture, and without the silence that encoders leave.
  const [start, end, ...others] = heard(path)
  expect([start! < 0.02, others]).toEqual([true, []])
  expect(Math.abs(end! - SECONDS - 0.9)).toBeLessThan(0.05)
})

test('others get the size of the first one and the highest frame rate', async () => {
  const { path, warnings } = await joinAs('mkv', ['1 red.mp4', 'wide.webm', 'red.mkv'])
  expect(warnings).toEqual([])
  const colours = coloursOf(path)
  expect(Math.abs(colours.length - 3 * FRAMES)).toBeLessThanOrEqual(1)
  // The wide one has black above it.
  const counts = Map.groupBy(colours, colour => colour)
  expect([...counts.keys()]).toEqual(['RR', 'G-'])
  expect(Math.abs(counts.get('G-')!.length - FRAMES)).toBeLessThanOrEqual(1)
  const { streams, format } = ffprobe(path)
  expect(streams[0]).toMatchObject({ codec_name: 'h264', width: 160, height: 120, r_frame_rate: '25/1' })
  expect(Math.abs(Number(format.duration) - 3 * SECONDS)).toBeLessThan(1 / FPS + 0.03)
  // The one between is silent.
  const [first, stop, again, end, ...more] = heard(path)
  expect([first! < 0.06, more]).toEqual([true, []])
  for (const [found, meant] of [
    [stop, SECONDS],
    [again, 2 * SECONDS],
    [end, 3 * SECONDS],
  ])
    expect(Math.abs(found! - meant!)).toBeLessThan(0.08)
})

test('the shape of the first one is that in which it is shown', async () => {
  const disc = ['-vf', 'setsar=64/45', '-c:v', 'mpeg2video', '-q:v', '2']
  make(at('disc.mpg'), '-f', 'lavfi', '-i', video('red', '90x72'), ...disc)
  const { path } = await joinAs('mp4', ['disc.mpg', 'wide.webm'])
  const entries = ['-select_streams', 'v', '-show_entries', 'stream=width,height', '-of', 'csv=p=0']
  expect(tool('ffprobe', '-v', 'error', ...entries, path).trim()).toBe('128,72')
  expect(coloursOf(path)[0]).toBe('RR')
})

test('a part, a size and a turn are those of the whole', async () => {
  const { path } = await joinAs('mp4', ['1 red.mp4', 'wide.webm'], {
    trim: { start: SECONDS - 0.4, end: SECONDS + 0.4 },
    video: { rotate: '90', longestEdge: 80 },
  })
  const colours = coloursOf(path)
  expect(Math.abs(colours.length - 0.8 * FPS)).toBeLessThanOrEqual(1)
  expect(colours.filter(colour => colour === 'RR').length).toBe(10)
  expect(ffprobe(path).streams[0]).toMatchObject({ width: 60, height: 80 })
  expect(chaptersOf(path)).toEqual([
    ['1 red', 0],
    ['wide', expect.closeTo(0.4, 2)],
  ])
})

test('what is no video is left out', async () => {
  const { path, warnings } = await joinAs('webm', ['1 red.mp4', 'broken.mp4', 'sound.mp4', '2 blue.mp4'])
  expect(warnings[0]).toBe('broken.mp4 could not be read and was left out.')
  expect(warnings[2]).toBe('sound.mp4 could not be read and was left out.')
  expect(chaptersOf(path).map(([title]) => title)).toEqual(['1 red', '2 blue'])
  expect(coloursOf(path).length).toBe(2 * FRAMES)
  await expect(joinAs('mp4', ['broken.mp4', 'broken.mp4'])).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

test('their sound is joined by itself', async () => {
  const { path } = await joinAs('flac', ['1 red.mp4', 'red.mkv'])
  expect(Math.abs(Number(ffprobe(path).format.duration) - 2 * SECONDS)).toBeLessThan(0.06)
})

test('takes all tracks of sound that all videos have, by their languages', async () => {
  const spoken = (name: string, colour: string, tracks: [language: string, hertz: number][]) =>
    make(
      at(name),
      ...['-f', 'lavfi', '-i', video(colour)],
      ...tracks.flatMap(([, hertz]) => ['-f', 'lavfi', '-i', `sine=${hertz}:d=${SECONDS}:r=44100`]),
      ...[...h264, '-c:a', 'aac', '-map', '0', ...tracks.flatMap((_, nth) => ['-map', String(nth + 1)])],
      ...tracks.flatMap(([language], nth) => [`-metadata:s:a:${nth}`, `language=${language}`]),
    )
  spoken('one.mkv', 'red', [
    ['eng', 400],
    ['fre', 1000],
  ])
  spoken('two.mkv', 'blue', [
    ['fre', 1000],
    ['eng', 400],
    ['ger', 1600],
  ])
  for (const names of [
    ['one.mkv', 'two.mkv'],
    ['one.mkv', 'one.mkv', '1 red.mp4'],
    ['one.mkv', 'one.mkv'],
  ]) {
    const { path, warnings } = await joinAs('mp4', names)
    const languages = ffprobe(path)
      .streams.filter(({ codec_type }) => codec_type === 'audio')
      .map(({ tags }) => tags?.language)
    const most = names.includes('1 red.mp4') ? 1 : 2
    expect(languages).toEqual(['eng', 'fre'].slice(0, most))
    expect(warnings.join()).toBe(
      names[0] === names.at(-1)
        ? ''
        : `${most === 2 ? '1 track was' : '2 tracks were'} left out: joining takes the sound that all videos have, and no subtitles.`,
    )
    if (most === 1) continue
    // The tone of the second track stays the same over the seam.
    const sound = samples(make(`${path}.wav`, '-i', path, '-map', '0:a:1', '-ar', '8000'))
    for (const from of [0.2, 1.6]) {
      const part = sound.subarray(from * 8000, (from + 0.5) * 8000)
      const crossings = part.filter((value, index) => index > 0 && value > 0 && part[index - 1]! <= 0)
      expect(crossings.length / 0.5).toBeCloseTo(1000, -2)
    }
  }
})
