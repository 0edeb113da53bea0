import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { convertFile, measureFile } from '../../../../../testing/fixtures/convert.ts'
import { corpusFile, hasCorpus } from '../../../../../testing/fixtures/media.ts'
import { output } from '../../../../../testing/fixtures/programs.ts'
import { movingSquare } from '../../../../../testing/lottie.ts'
import { processorSeconds } from '../../../../../testing/processor-time.ts'
import { readLottie } from '../../../engines/pictures/skottie/document.ts'
import { openPlayer } from '../../../engines/pictures/skottie/player.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-lottie-'))
const made: string[] = [folder]
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const square = file('square.json', JSON.stringify(movingSquare()))

async function convert(
  target: string,
  path: string,
  options: Record<string, unknown> = {},
  source = 'lottie',
) {
  const converted = await convertFile(`image.${source}-to-${target}`, path, options)
  made.push(converted.folder)
  return converted
}

const printed = (command: string, ...args: string[]) => output(command, args)

/** RGBA frames as decoded by ffmpeg. */
const decoded = (path: string, ...decoder: string[]) =>
  printed('ffmpeg', '-v', 'error', ...decoder, '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-')

/** Delays in milliseconds and frame sizes, from ImageMagick. */
const gifFrames = (path: string) =>
  printed('identify', '-format', '%T %W %H\n', path).toString().trim().split('\n')

const webpDelays = (path: string) =>
  [
    ...printed('webpinfo', path)
      .toString()
      .matchAll(/Duration: (\d+)/g),
  ].map(match => Number(match[1]))

const pixel = (frame: Uint8Array, x: number, y: number, width = 100) => [
  ...frame.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
]

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

describe('apng', () => {
  test('every frame is exactly the one that was drawn', async () => {
    const { path } = await convert('apng', square)
    const player = openPlayer((await readLottie(readFileSync(square)))[0]!, 100, 80)
    const expected = Buffer.concat(Array.from({ length: 30 }, (_, index) => player.frame(index)))
    expect(decoded(path, '-f', 'apng').equals(expected)).toBe(true)
    const data = readFileSync(path)
    expect(data.readUInt32BE(data.indexOf('acTL') + 8)).toBe(0)
  })

  testFull('size, frame rate, background and repeats follow the options', async () => {
    const options = {
      resize: { enabled: true, preset: 'custom', value: 50 },
      fps: 10,
      background: '#00ff00',
      loop: 3,
    }
    const { path } = await convert('apng', square, options)
    const frames = decoded(path, '-f', 'apng')
    expect(frames.length).toBe(10 * 50 * 40 * 4)
    // Frame 5 of ten is half a second in: the square's left edge is at 30, in half the size at 15.
    const frame = frames.subarray(5 * 50 * 40 * 4)
    expect([pixel(frame, 14, 20, 50), pixel(frame, 15, 20, 50)]).toEqual([
      [0, 255, 0, 255],
      [128, 191, 0, 255],
    ])
    const data = readFileSync(path)
    expect(data.readUInt32BE(data.indexOf('acTL') + 8)).toBe(3)
  })
})

describe('gif', () => {
  test('the duration is kept, whatever the frame rate', async () => {
    const fast = file('fast.json', JSON.stringify(movingSquare({ fr: 60 })))
    for (const [path, count, total] of [
      [square, 30, 100],
      [fast, 25, 50],
    ] as const) {
      const frames = gifFrames((await convert('gif', path)).path)
      expect(frames.length).toBe(count)
      expect(sum(frames.map(line => Number(line.split(' ')[0])))).toBe(total)
      expect(frames.every(line => line.endsWith(' 100 80'))).toBe(true)
    }
  })
})

describe('webp', () => {
  test('frames, times and transparency are kept', async () => {
    const { path } = await convert('webp', square)
    const delays = webpDelays(path)
    expect(delays.length).toBe(30)
    expect(sum(delays)).toBe(1000)
    const frame = printed('convert', path, '-coalesce', '-depth', '8', 'rgba:-').subarray(15 * 100 * 80 * 4)
    const [red, green, blue, alpha] = pixel(frame, 40, 40)
    expect(Math.abs(red! - 255) + Math.abs(green! - 128) + blue!).toBeLessThan(30)
    expect(Math.abs(alpha! - 128)).toBeLessThan(4)
    expect(pixel(frame, 5, 5)[3]).toBe(0)
  })
})

describeFull('webm', true, () => {
  test('is VP9 with alpha, in time with the animation', async () => {
    const { path, progress } = await convert('webm', square, { quality: 90 })
    const probe = ['-v', 'error', '-count_frames', '-show_streams', '-show_format', '-of', 'json', path]
    const { streams, format } = JSON.parse(printed('ffprobe', ...probe).toString())
    expect(streams).toMatchObject([
      {
        codec_name: 'vp9',
        width: 100,
        height: 80,
        nb_read_frames: '30',
        r_frame_rate: '30/1',
        color_space: 'bt709',
      },
    ])
    expect(streams[0].tags.alpha_mode ?? streams[0].tags.ALPHA_MODE).toBe('1')
    expect(Number(format.duration)).toBeCloseTo(1, 2)
    const frame = decoded(path, '-c:v', 'libvpx-vp9').subarray(15 * 100 * 80 * 4)
    expect(Math.abs(pixel(frame, 40, 40)[3]! - 128)).toBeLessThan(4)
    expect([pixel(frame, 5, 5)[3], pixel(frame, 60, 40)[3]].every(alpha => alpha! < 4)).toBe(true)
    expect(progress.at(-1)?.fraction).toBeGreaterThan(0.5)
  })

  test('an odd size and a background make it opaque in that colour', async () => {
    const odd = file('odd.json', JSON.stringify(movingSquare({ w: 99, h: 81 })))
    const { path } = await convert('webm', odd, { background: '#2060a0', fps: 5, quality: 90 })
    const frames = decoded(path)
    expect(frames.length).toBe(5 * 99 * 81 * 4)
    const [red, green, blue, alpha] = pixel(frames, 98, 80, 99)
    expect(Math.abs(red! - 0x20) + Math.abs(green! - 0x60) + Math.abs(blue! - 0xa0)).toBeLessThan(12)
    expect(alpha).toBe(255)
    expect(printed('ffprobe', '-v', 'error', '-show_streams', path).toString()).not.toMatch(/alpha_mode=1/i)
  })
})

describe('stills', () => {
  const late = (() => {
    const animation = movingSquare() as { layers: { ip: number }[] }
    animation.layers[0]!.ip = 10
    return file('late.json', JSON.stringify(animation))
  })()
  const leftEdge = (path: string) => {
    const frame = printed('convert', path, '-depth', '8', 'rgba:-')
    for (let x = 0; x < 100; x++) if (pixel(frame, x, 40)[3] === 128) return x
    return -1
  }

  test.each([
    [{}, 20],
    [{ frame: 'first' }, -1],
    [{ frame: 'middle' }, 30],
    [{ frame: 'last' }, 58],
    [{ frame: '13' }, 24],
    [{ frame: '30' }, 58],
  ])('png of %o begins at %i', async (options, edge) => {
    expect(leftEdge((await convert('png', late, options)).path)).toBe(edge)
  })

  test('a frame beyond the last is refused, with their number', async () => {
    await expect(convert('png', late, { frame: '31' })).rejects.toThrow('the file has 30 frames')
  })

  test('a very long empty one is searched quickly', async () => {
    const animation = movingSquare({ op: 1e6 }) as { layers: { ip: number }[] }
    animation.layers[0]!.ip = 500_000
    const path = file('patient.json', JSON.stringify(animation))
    const seconds = await processorSeconds(async () => {
      expect(leftEdge((await convert('png', path)).path)).toBe(60)
    })
    expect(seconds).toBeLessThan(2)
  })

  test('jpg has a white background or the requested one, in the requested size', async () => {
    const plain = printed('convert', (await convert('jpg', square)).path, '-depth', '8', 'rgba:-')
    expect(pixel(plain, 90, 70)).toEqual([255, 255, 255, 255])
    expect(Math.abs(pixel(plain, 10, 40)[2]! - 127)).toBeLessThan(6)
    const options = {
      background: '#000080',
      resize: { enabled: true, mode: 'percentage', preset: 'custom', value: 300 },
    }
    const { path } = await convert('jpg', square, options)
    expect(printed('identify', '-format', '%wx%h', path).toString()).toBe('300x240')
    expect(
      Math.abs(pixel(printed('convert', path, '-depth', '8', 'rgba:-'), 290, 230, 300)[2]! - 128),
    ).toBeLessThan(6)
  })
})

describe('files', () => {
  test('every animation of a package becomes an output', async () => {
    const animation = (change: object) => strToU8(JSON.stringify(movingSquare(change)))
    const manifest = strToU8(JSON.stringify({ animations: [{ id: 'wide' }, { id: 'tall' }] }))
    const path = file(
      'two.lottie',
      zipSync({
        'manifest.json': manifest,
        'a/wide.json': animation({ w: 120 }),
        'a/tall.json': animation({ h: 90 }),
      }),
    )
    expect(await measureFile('image.lottie-to-gif', path)).toEqual({ pages: 60 })
    const { outputs } = await convert('png', path)
    const sizes = outputs.map(({ path }) => printed('identify', '-format', '%wx%h', path).toString())
    expect(sizes).toEqual(['120x80', '100x90'])
  })

  test('a sticker is recognised by its content', async () => {
    const path = file('sticker.tgs', gzipSync(JSON.stringify(movingSquare({ tgs: 1 }))))
    expect(await measureFile('image.tgs-to-gif', path)).toEqual({ pages: 30 })
    const { path: webp } = await convert('webp', path, {}, 'tgs')
    expect(webpDelays(webp).length).toBe(30)
  })

  test('endless animations are refused', async () => {
    const long = file('long.json', JSON.stringify(movingSquare({ op: 1e9 })))
    expect(await measureFile('image.lottie-to-gif', long)).toEqual({ pages: 1e9 })
    const slow = file('slow.json', JSON.stringify(movingSquare({ fr: 0.001 })))
    const large = file('large.json', JSON.stringify(movingSquare({ w: 1e5, h: 1e5 })))
    for (const [path, code] of [
      [long, 'jobs.too_many_pages'],
      [slow, 'jobs.too_many_pages'],
      [large, 'jobs.too_large'],
    ] as const) {
      await expect(convert('webp', path, { fps: 60 })).rejects.toMatchObject({ code })
    }
  })

  test('frames that are too large in total are refused before the first is drawn', async () => {
    const large = file('tall.json', JSON.stringify(movingSquare({ w: 1440, h: 2560, op: 600 })))
    const seconds = await processorSeconds(async () => {
      for (const target of ['gif', 'webp']) {
        await expect(convert(target, large)).rejects.toMatchObject({ code: 'jobs.too_large' })
      }
    })
    // Drawing them takes half a minute and more.
    expect(seconds).toBeLessThan(2)
  })
})

/** Frames and size of files of the corpus, read from their JSON by hand. */
const known = [
  ['lottie/1st.lottie', 180, 60, 500, 500],
  ['lottie/r_F_Masks_All_02_1920x1080.json', 41, 30, 1920, 1080],
  ['lottie/r_imprint.json', 72, 24, 320, 320],
  ['lottie/r_mughead.json', 6, 12, 800, 600],
  ['lottie/r_ondas.json', 175, 25, 600, 200],
  ['lottie/r_windmill.json', 90, 30, 128, 128],
  ['tgs/02.tgs', 180, 60, 512, 448],
  ['tgs/04.tgs', 180, 60, 512, 512],
] as const

describeFull('corpus', hasCorpus, () => {
  test.each(known)('%s has %i frames at %i fps', async (name, frames, fps, width, height) => {
    const path = corpusFile(name)
    const source = name.startsWith('tgs') ? 'tgs' : 'lottie'
    expect(await measureFile(`image.${source}-to-webp`, path)).toEqual({ pages: frames })
    const small = { resize: { enabled: true, preset: 'custom', value: 96 } }
    const delays = webpDelays((await convert('webp', path, small, source)).path)
    // Players merge equal consecutive frames, and encoders may too.
    expect(sum(delays)).toBe(Math.round((frames * 1000) / fps))
    expect(delays.length).toBeLessThanOrEqual(frames)
    expect(delays.length).toBeGreaterThan(frames / 8)
    const { path: png } = await convert('png', path, {}, source)
    expect(printed('identify', '-format', '%wx%h', png).toString()).toBe(`${width}x${height}`)
    // Something is drawn: the picture is neither empty nor of one colour.
    expect(Number(printed('convert', png, '-format', '%k', 'info:').toString())).toBeGreaterThan(8)
  })
})
