/** Subtitles drawn into the picture or left out, and videos at another speed with all that belongs to them. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeFull, testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { make, mediaFolder, samples, tool } from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)
const FPS = 25

beforeAll(() => {
  writeFileSync(at('words.srt'), '1\n00:00:00,800 --> 00:00:01,600\nMMMM\n')
  writeFileSync(
    at('chapters.txt'),
    ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/10\nSTART=0\nEND=10\ntitle=One = 1\n[CHAPTER]\nTIMEBASE=1/10\nSTART=10\nEND=24\ntitle=Two\n',
  )
  const picture = ['-f', 'lavfi', '-i', `color=black:s=320x240:r=${FPS}:d=2.4`]
  const words = ['-i', at('words.srt'), '-i', at('chapters.txt')]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'flac', '-c:s', 'srt']
  make(
    at("it's [a], video.mkv"),
    ...[...picture, '-f', 'lavfi', '-i', 'sine=440:d=2.4', ...words, '-map', '0', '-map', '1', '-map', '2'],
    ...['-map_chapters', '3', ...codecs],
  )
  make(at('mute.mp4'), ...picture, '-c:v', 'libx264', '-preset', 'ultrafast')
})

const video = () => at("it's [a], video.mkv")

/** Numbers of the frames on which something is drawn. */
function drawnFrames(path: string): number[] {
  const size = 320 * 240
  const bytes = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-map', '0:v', '-vsync', '0', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
    { maxBuffer: 64 << 20 },
  )
  const frames = Array.from({ length: bytes.length / size }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  )
  return frames.flatMap((frame, number) => (frame.some(value => value > 150) ? [number] : []))
}

const kindsOf = (path: string) =>
  tool('ffprobe', '-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', path)
    .trim()
    .split('\n')
    // Names of chapters in MP4.
    .filter(kind => kind !== 'data')

const from = (first: number, end: number) => Array.from({ length: end - first }, (_, index) => first + index)

describe('subtitles', () => {
  it('are drawn at their times', async () => {
    const { path, warnings } = await convertFile('video.mkv-to-mp4', video(), { subtitles: { mode: 'burn' } })
    expect(drawnFrames(path)).toEqual(from(0.8 * FPS, 1.6 * FPS))
    expect(kindsOf(path)).toEqual(['video', 'audio'])
    expect(warnings).toEqual([])
  })

  testFull('are drawn at their times in a part that is faster, within a size', async () => {
    const { path } = await convertFile('video.mkv-to-webm', video(), {
      subtitles: { mode: 'burn' },
      trim: { start: 0.4, end: 2 },
      video: { speed: 2, frameRate: FPS, targetSize: 0.2 },
    })
    expect(drawnFrames(path)).toEqual(from(0.2 * FPS, 0.6 * FPS))
  })

  testFull('are left out', async () => {
    const { path, warnings } = await convertFile('video.mkv-to-mkv', video(), {
      subtitles: { mode: 'drop' },
    })
    expect(kindsOf(path)).toEqual(['video', 'audio'])
    expect(drawnFrames(path)).toEqual([])
    expect(warnings).toEqual([])
  })

  it.each([
    [() => video(), 'one track of subtitles. There is no track 2', { track: 2 }],
    [() => at('mute.mp4'), 'no subtitles', {}],
  ])('that do not exist are refused', async (path, detail, track) => {
    const subtitles = { mode: 'burn', ...track }
    await expect(convertFile('video.mkv-to-mp4', path(), { subtitles })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
      detail: expect.stringContaining(detail),
    })
  })
})

describeFull('a part', true, () => {
  it.each(['mkv', 'mp4'])(
    'of %s: picture, sound, subtitles and chapters begin and end with it',
    async target => {
      const { path } = await convertFile(`video.mkv-to-${target}`, video(), {
        trim: { start: 1.2, end: 2.2 },
      })
      const entries =
        'format=duration:stream=codec_type,start_time:chapter=start_time,end_time:chapter_tags=title'
      const shown = JSON.parse(
        tool('ffprobe', '-v', 'error', '-of', 'json', '-show_entries', entries, path),
      ) as {
        format: { duration: string }
        chapters: { start_time: string; end_time: string }[]
        streams: { codec_type: string; start_time: string }[]
      }
      // Packets of copied sound are up to 0.1 s long.
      expect(Math.abs(Number(shown.format.duration) - 1)).toBeLessThan(0.15)
      for (const { codec_type, start_time } of shown.streams)
        if (/video|audio/.test(codec_type)) expect(Number(start_time)).toBeLessThan(0.11)
      expect(shown.chapters.map(chapter => [Number(chapter.start_time), Number(chapter.end_time)])).toEqual([
        [0, 1],
      ])
      const words = tool('ffmpeg', '-v', 'error', '-i', path, '-map', '0:s', '-f', 'srt', '-')
      const [, start, end] = /00:00:(\S+) --> 00:00:(\S+)/
        .exec(words)!
        .map(time => Number(time.replace(',', '.')))
      expect([start, end]).toEqual([expect.closeTo(0, 1), expect.closeTo(0.4, 1)])
    },
  )

  it.each(['mkv', 'mp4', 'webm'])('of %s in which nobody speaks is made', async target => {
    const { path, warnings } = await convertFile(`video.mkv-to-${target}`, video(), { trim: { end: 0.6 } })
    expect(warnings).toEqual([])
    expect(tool('ffmpeg', '-v', 'error', '-i', path, '-map', '0:s?', '-f', 'srt', '-')).not.toContain('MMMM')
    expect(drawnFrames(path)).toEqual([])
  })
})

describeFull('speed', true, () => {
  const speeds: [target: string, speed: number, rate: number][] = [
    ['mkv', 2, FPS],
    ['mp4', 2, FPS],
    ['webm', 0.5, FPS / 2],
    ['mkv', 4, FPS],
  ]
  it.each(speeds)('%s at %s: picture, sound, subtitles and chapters', async (target, speed, rate) => {
    const { path, warnings } = await convertFile(`video.mkv-to-${target}`, video(), { video: { speed } })
    expect(warnings).toEqual([])
    const length = 2.4 / speed
    const shown = JSON.parse(
      tool(
        'ffprobe',
        '-v',
        'error',
        '-of',
        'json',
        '-show_format',
        '-show_chapters',
        '-count_packets',
        '-show_streams',
        path,
      ),
    ) as {
      format: { duration: string }
      chapters: { start_time: string; tags: { title: string } }[]
      streams: { nb_read_packets: string }[]
    }
    expect(Math.abs(Number(shown.format.duration) - length)).toBeLessThan(0.1)
    expect(Math.abs(Number(shown.streams[0]!.nb_read_packets) - length * rate)).toBeLessThanOrEqual(1)
    expect(shown.chapters.map(({ start_time, tags }) => [Number(start_time), tags.title])).toEqual([
      [0, 'One = 1'],
      [1 / speed, 'Two'],
    ])
    const sound = samples(path, 0, '-ar', '8000')
    expect(Math.abs(sound.length / 8000 - length)).toBeLessThan(0.1)
    const middle = sound.subarray(sound.length * 0.2, sound.length * 0.8)
    const crossings = middle.reduce(
      (sum, value, n) => sum + (n > 0 && value > 0 && middle[n - 1]! <= 0 ? 1 : 0),
      0,
    )
    // A tempo changed step by step may break a wave.
    expect(Math.abs(crossings / (middle.length / 8000) - 440)).toBeLessThan(15)
    // Encoders of sound add up to 23 ms before it, by which Matroska shifts everything.
    const words = tool('ffmpeg', '-v', 'error', '-i', path, '-f', 'srt', '-')
    const [, start, end] = /00:00:(\S+) --> 00:00:(\S+)/
      .exec(words)!
      .map(time => Number(time.replace(',', '.')))
    expect(Math.abs(start! - 0.8 / speed)).toBeLessThan(0.03)
    expect(Math.abs(end! - 1.6 / speed)).toBeLessThan(0.03)
  })

  it('of an animation', async () => {
    const { path } = await convertFile('video.mp4-to-gif', at('mute.mp4'), { speed: 2, frameRate: 10 })
    const shown = tool('ffprobe', '-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path)
    expect(Math.abs(Number(shown) - 1.2)).toBeLessThan(0.15)
  })
})
