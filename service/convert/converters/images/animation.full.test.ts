import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { psnr } from '../../../../testing/fixtures/pixels.ts'
import {
  bytesOf,
  decode,
  decodeFrames,
  decodeWebpFrames,
  onWhite,
  writePam,
} from '../../../../testing/pictures.ts'
import { render } from '../../../shared/messages/render.ts'
import { DAMAGED } from './write/damage.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-animation-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

const [width, height, count] = [60, 40, 6]
const delays = [100, 50, 50, 200, 150, 400]

/** A solid square that moves over nothing: the area it leaves must become transparent again. */
const frames = Array.from({ length: count }, (_, k) => {
  const data = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    if (x >= k * 8 && x < k * 8 + 16 && y >= 10 && y < 30) data.set([40 * k, 200 - 30 * k, 90, 255], i * 4)
  }
  return data
})

beforeAll(() => {
  const paths = frames.map((data, k) => writePam({ width, height, data }, file(`${k}.pam`)))
  const timed = paths.flatMap((path, k) => [
    '-delay',
    String(delays[k]! / 10),
    '-dispose',
    'background',
    path,
  ])
  tool('convert', '-loop', '3', ...timed, file('a.gif'))
  const stills = paths.map((path, k) => {
    tool('convert', path, `${path}.png`)
    return ['-d', String(delays[k]), `${path}.png`]
  })
  tool('img2webp', '-loop', '3', '-lossless', ...stills.flat(), '-o', file('a.webp'))
  const apng = ['-vsync', '0', '-plays', '3', '-final_delay', '0.4', '-f', 'apng']
  tool('ffmpeg', '-v', 'error', '-i', file('a.gif'), ...apng, file('a.png'))
})

const alike = (actual: Uint8Array[], floor: number) => {
  expect(actual).toHaveLength(count)
  actual.forEach((data, k) => {
    const size = { width, height }
    expect(psnr(onWhite({ ...size, data: frames[k]! }), onWhite({ ...size, data }))).toBeGreaterThan(floor)
  })
}

const lossless = { smartCompression: { enabled: true, mode: 'lossless' } }

describe('to webp', () => {
  test.each(['gif', 'png'])('from %s: every frame, delay and the repeat count', async source => {
    const { path } = await convertFile(`image.${source}-to-webp`, file(`a.${source}`), lossless)
    alike(decodeWebpFrames(path, width, height), 60)
    const info = tool('webpinfo', path)
    expect([...info.matchAll(/Duration: (\d+)/g)].map(match => Number(match[1]))).toEqual(delays)
    expect(info).toMatch(/Loop count\s*: 3/)
  })
})

test('very long frames and infinite repeats are limited to what the format supports', async () => {
  tool('convert', '-delay', '20000', file('0.pam'), '-delay', '10', file('1.pam'), file('slow.gif'))
  const slow = await convertFile('image.gif-to-webp', file('slow.gif'))
  const shown = [...tool('webpinfo', slow.path).matchAll(/Duration: (\d+)/g)].map(match => Number(match[1]))
  expect(shown).toEqual([65_535, 100])
  const apng = bytesOf(file('a.png'))
  const control = apng.indexOf('acTL')
  apng.writeUInt32BE(1e6, control + 8)
  apng.writeUInt32BE(crc32(apng.subarray(control, control + 12)), control + 12)
  writeFileSync(file('often.png'), apng)
  const often = await convertFile('image.png-to-webp', file('often.png'))
  expect(tool('webpinfo', often.path)).toMatch(/Loop count\s*: 65535/)
})

test.each(['gif', 'png'])(
  'a truncated file gives the frames before that point, with a warning: %s',
  async source => {
    const whole = bytesOf(file(`a.${source}`))
    writeFileSync(file(`cut.${source}`), whole.subarray(0, whole.length * 0.6))
    const { path, warnings } = await convertFile(`image.${source}-to-webp`, file(`cut.${source}`), lossless)
    expect(warnings).toContain(render(DAMAGED))
    const drawn = decodeWebpFrames(path, width, height)
    expect(drawn.length).toBeGreaterThan(1)
    expect(drawn.length).toBeLessThan(count)
    expect(
      psnr(onWhite({ width, height, data: frames[0]! }), onWhite({ width, height, data: drawn[0]! })),
    ).toBeGreaterThan(60)
  },
)

describe('to gif', () => {
  test('from webp: every frame, delay and the repeat count', async () => {
    const { path } = await convertFile('image.webp-to-gif', file('a.webp'))
    alike(decodeFrames(path, width, height), 35)
    const listed = tool('identify', '-format', '%T %[loop]|', path)
    expect(
      listed
        .split('|')
        .filter(Boolean)
        .map(line => Number(line.split(' ')[0]) * 10),
    ).toEqual(delays)
  })
})

describe('to avif', () => {
  test.each(['gif', 'webp', 'png'])('from %s: every frame and delay, with transparency', async source => {
    const { path } = await convertFile(`image.${source}-to-avif`, file(`a.${source}`), { quality: 90 })
    const info = tool('avifdec', '--info', path)
    const shown = [...info.matchAll(/\[duration ([\d.]+)/g)].map(
      match => Math.round(Number(match[1]) * 100) * 10,
    )
    expect(shown).toEqual(delays)
    expect(info).toContain(`${width}x${height}`)
    alike(
      frames.map((_, k) => decode(path, k).data),
      28,
    )
  })
})

describe('from avif', () => {
  let avif = ''
  beforeAll(async () => {
    avif = (await convertFile('image.gif-to-avif', file('a.gif'), { quality: 95 })).path
  })

  test.each(['gif', 'webp'])('to %s and back again', async target => {
    const { path } = await convertFile(`image.avif-to-${target}`, avif, target === 'webp' ? lossless : {})
    alike((target === 'gif' ? decodeFrames : decodeWebpFrames)(path, width, height), 24)
    const ticks = tool('identify', '-format', '%T ', path).trim().split(' ').map(Number)
    expect(ticks.map(tick => tick * 10)).toEqual(delays)
  })
})

describe('to a still picture', () => {
  const chosen = [
    [undefined, 0],
    [1, 0],
    [4, 3],
    [6, 5],
  ] as const
  test.each(chosen)('frame %s', async (frame, index) => {
    for (const source of ['gif', 'webp']) {
      const options = frame === undefined ? {} : { frame }
      const { path, outputs } = await convertFile(`image.${source}-to-png`, file(`a.${source}`), options)
      expect(outputs).toHaveLength(1)
      const { data } = decode(path)
      expect(
        psnr(onWhite({ width, height, data: frames[index]! }), onWhite({ width, height, data })),
      ).toBeGreaterThan(60)
    }
  })

  test.each(['gif', 'webp', 'png'])(
    'a frame beyond the last of a %s is refused, with their number',
    async source => {
      const convert = (name: string, frame: number) =>
        convertFile(`image.${source}-to-jpg`, file(name), { frame }).catch(error => render(error.reason))
      expect(await convert(`a.${source}`, 7)).toBe('There is no frame 7: the file has 6 frames.')
      tool('convert', `${file(`a.${source}`)}[0]`, file(`still.${source}`))
      expect(await convert(`still.${source}`, 2)).toBe('There is no frame 2: the file has 1 frame.')
    },
  )

  test('from an animated PNG to jpg', async () => {
    const { path } = await convertFile('image.png-to-jpg', file('a.png'), { frame: 3 })
    expect(psnr(onWhite({ width, height, data: frames[2]! }), onWhite(decode(path)))).toBeGreaterThan(28)
  })
})

test('each frame is scaled separately', async () => {
  const resize = { enabled: true, preset: 'custom', value: 30 }
  const { path } = await convertFile('image.gif-to-webp', file('a.gif'), { resize, ...lossless })
  const drawn = decodeWebpFrames(path, 30, 20)
  expect(drawn).toHaveLength(count)
  drawn.forEach((data, k) => {
    expect(data.length).toBe(30 * 20 * 4)
    // Rows 5 to 15 contain the square, and the filter extends 3 rows further; nothing of the neighbouring frames may be visible
    // above or below.
    expect(data.subarray(0, 30 * 2 * 4).every((value, i) => i % 4 !== 3 || value === 0)).toBe(true)
    expect(data[(10 * 30 + k * 4 + 4) * 4 + 3]).toBe(255)
  })
})
