import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeFull } from '../../../../../testing/describe-full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { seeded } from '../../../../../testing/fixtures/pixels.ts'
import { decodeFrames } from '../../../../../testing/pictures.ts'
import { chunk, header, readChunks, SIGNATURE } from '../formats/png.ts'
import type { Animation } from '../pixels.ts'
import { isApng, readApng } from './read.ts'
import { writeApng } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-apng-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'a.png')

const [width, height] = [33, 21]

/** Frames that change in a corner, in one pixel, nowhere, everywhere. */
const frames = (() => {
  const random = seeded(3)
  const noise = () => new Uint8Array(width * height * 4).map(() => random(256))
  const first = noise()
  const corner = Uint8Array.from(first)
  for (let y = 15; y < 20; y++) corner.fill(0, (y * width + 20) * 4, (y * width + 31) * 4)
  const dot = Uint8Array.from(corner)
  dot.set([1, 2, 3, 4], 0)
  return [first, corner, dot, dot, noise()]
})()
const animation: Animation = {
  width,
  height,
  frameCount: 5,
  frames,
  delays: [100, 20, 33, 70_000, 250],
  loop: 2,
}

beforeAll(() => writeApng(animation, path))

test('ffmpeg reads every pixel of every frame correctly', () => {
  const decoded = decodeFrames(path, width, height)
  expect(decoded).toHaveLength(5)
  for (const [i, frame] of decoded.entries())
    expect(Buffer.from(frame).equals(Buffer.from(frames[i]!))).toBe(true)
  expect(tool('pngcheck', path)).toContain('OK')
  expect(tool('ffprobe', '-v', 'error', '-show_streams', path)).toContain('codec_name=apng')
})

test('reading returns what was written', async () => {
  expect(await isApng(path)).toBe(true)
  const read = readApng(readFileSync(path))!
  expect({ ...read, frames: 0 }).toEqual({ ...animation, frames: 0 })
  let i = 0
  for await (const frame of read.frames)
    expect(Buffer.from(frame).equals(Buffer.from(frames[i++]!))).toBe(true)
  expect(i).toBe(5)
})

describeFull('disposal and blending', true, () => {
  /** An animation with every combination, assembled by hand; ffmpeg draws it too. */
  test("match ffmpeg's", async () => {
    const solid = (w: number, h: number, colour: number[]) => {
      const png = join(folder, 's.png')
      const hex = colour.map(value => value.toString(16).padStart(2, '0')).join('')
      tool('convert', '-size', `${w}x${h}`, `xc:#${hex}`, `PNG32:${png}`)
      return Buffer.concat(
        [...readChunks(readFileSync(png))].filter(({ type }) => type === 'IDAT').map(({ data }) => data),
      )
    }
    const steps = [
      { w: 12, h: 12, x: 0, y: 0, colour: [200, 0, 0, 255], dispose: 0, blend: 0 },
      { w: 6, h: 6, x: 2, y: 2, colour: [0, 200, 0, 128], dispose: 2, blend: 1 },
      { w: 5, h: 5, x: 6, y: 1, colour: [0, 0, 200, 255], dispose: 1, blend: 0 },
      { w: 4, h: 4, x: 5, y: 5, colour: [90, 90, 0, 60], dispose: 0, blend: 1 },
      { w: 12, h: 3, x: 0, y: 9, colour: [9, 9, 9, 0], dispose: 0, blend: 0 },
    ]
    const control = Buffer.alloc(8)
    control.writeUInt32BE(steps.length, 0)
    const parts = [
      SIGNATURE,
      chunk('IHDR', header({ width: 12, height: 12, depth: 8, colorType: 6 })),
      chunk('acTL', control),
    ]
    let sequence = 0
    for (const [i, { w, h, x, y, colour, dispose, blend }] of steps.entries()) {
      const frame = Buffer.alloc(26)
      for (const [at, value] of [sequence++, w, h, x, y].entries()) frame.writeUInt32BE(value, at * 4)
      frame.set([0, 1, 0, 10, dispose, blend], 20)
      const number = Buffer.alloc(4)
      const data = solid(w, h, colour)
      parts.push(chunk('fcTL', frame))
      if (i > 0) number.writeUInt32BE(sequence++)
      parts.push(i === 0 ? chunk('IDAT', data) : chunk('fdAT', number, data))
    }
    const file = Buffer.concat([...parts, chunk('IEND')])
    writeFileSync(join(folder, 'b.png'), file)
    const expected = decodeFrames(join(folder, 'b.png'), 12, 12)
    let i = 0
    for await (const frame of readApng(file)!.frames) {
      const reference = expected[i++]!
      const worst = frame.reduce((most, value, at) => {
        // The colour of fully transparent pixels does not matter.
        const shown = at % 4 === 3 || (frame[at | 3]! > 0 && reference[at | 3]! > 0)
        return shown ? Math.max(most, Math.abs(value - reference[at]!)) : most
      }, 0)
      expect(worst).toBeLessThanOrEqual(2)
    }
    expect(i).toBe(steps.length)
  })
})

test('a still PNG is not an animation', async () => {
  tool('convert', '-size', '9x9', 'xc:red', join(folder, 'still.png'))
  expect(await isApng(join(folder, 'still.png'))).toBe(false)
  expect(readApng(readFileSync(join(folder, 'still.png')))).toBeUndefined()
})

test('fewer frames than announced are counted as they are', async () => {
  const fewer = join(folder, 'fewer.png')
  await writeApng({ ...animation, frames: frames.slice(0, 3) }, fewer)
  expect(tool('exiftool', '-s3', '-AnimationFrames', fewer).trim()).toBe('3')
})

test('a canvas that claims to be huge is refused', () => {
  const file = readFileSync(path)
  file.writeUInt32BE(60_000, 16)
  file.writeUInt32BE(60_000, 20)
  expect(() => readApng(file)).toThrow(expect.objectContaining({ code: 'jobs.too_large' }))
})

test('an animation without frames fails', async () => {
  const empty = writeApng({ ...animation, frames: [] }, join(folder, 'none.png'))
  await expect(empty).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})
