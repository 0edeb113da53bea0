import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { onlyFull } from '../../../../../testing/fixtures/full.ts'
import type { Animation } from '../pixels.ts'
import { report } from './report.ts'
import { encodeWebm } from './webm.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-webm-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Single-colour frames whose right half is transparent. */
const animation = (width: number, height: number, colors: number[][]): Animation => ({
  width,
  height,
  frameCount: colors.length,
  frames: colors.map(color => {
    const frame = new Uint8Array(width * height * 4)
    for (let at = 0; at < width * height; at++) if (at % width < width / 2) frame.set([...color, 255], at * 4)
    return frame
  }),
  delays: colors.map(() => 100),
  loop: 0,
})

const colors = [
  [220, 30, 40],
  [30, 200, 60],
  [20, 60, 230],
]

test.each(
  onlyFull([
    { lossless: false, tolerance: 12 },
    { lossless: true, tolerance: 3 },
  ]),
)('colours, transparency and rate are preserved with lossless $lossless', async ({ lossless, tolerance }) => {
  const output = join(folder, `${lossless}.webm`)
  await encodeWebm(animation(64, 48, colors), { output, fps: 29.97, quality: 70, lossless })
  const probe = [
    '-v',
    'error',
    '-count_frames',
    '-show_entries',
    'stream=nb_read_frames,r_frame_rate',
    '-of',
    'csv=p=0',
  ]
  expect(execFileSync('ffprobe', [...probe, output], { encoding: 'utf8' }).trim()).toBe('2997/100,3')
  const decode = [
    '-v',
    'error',
    '-c:v',
    'libvpx-vp9',
    '-i',
    output,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgba',
    '-',
  ]
  const frames = execFileSync('ffmpeg', decode)
  expect(frames.length).toBe(3 * 64 * 48 * 4)
  for (const [index, color] of colors.entries()) {
    const left = frames.subarray((index * 48 * 64 + 24 * 64 + 10) * 4)
    for (let c = 0; c < 3; c++) expect(Math.abs(left[c]! - color[c]!)).toBeLessThan(tolerance)
    expect(left[3]).toBeGreaterThan(251)
    expect(frames[(index * 48 * 64 + 24 * 64 + 54) * 4 + 3]).toBeLessThan(4)
  }
})

test('the report says whether ffmpeg has the encoders', async () => {
  expect(await report()).toMatchObject({ available: true, hint: null })
})
