import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { isFull, kinds } from '../../../../../testing/fixtures/full.ts'
import { JobFailure } from '../../../../shared/errors.ts'
import { box, u32 } from '../../common/iso-boxes.ts'
import type { Animation } from '../pixels.ts'
import { stageFrames } from '../sharp/animation.ts'
import { readAvifAnimation } from './read.ts'
import { writeAvifAnimation } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-avif-'))
afterAll(() => rmSync(folder, { recursive: true }))

const delays = [100, 40, 40, 250, 40, 40, 40, 333]

/** A soft disc moving over a gradient, or over nothing. */
function scene(width: number, height: number, opaque: boolean): Uint8Array[] {
  return delays.map((_, index) => {
    const frame = new Uint8Array(width * height * 4)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const distance = Math.hypot(x - 20 - index * 5, y - height / 2)
        const alpha = Math.max(0, Math.min(255, (25 - distance) * 60))
        const color = [(x * 255) / width, (y * 255) / height, 100 + index * 10].map(Math.round)
        if (opaque) frame.set([...color, 255], (y * width + x) * 4)
        else if (alpha > 0) frame.set([...color, alpha], (y * width + x) * 4)
      }
    }
    return frame
  })
}

async function write(
  name: string,
  [width, height]: [number, number],
  frames: Uint8Array[],
  settings: { quality?: number; lossless?: boolean; loop?: number } = {},
): Promise<string> {
  const animation: Animation = { width, height, frameCount: frames.length, frames, delays, loop: 0 }
  const path = join(folder, `${name}.avif`)
  const staged = await stageFrames(animation, `${path}.tiff`)
  await writeAvifAnimation(staged, path, { quality: 60, lossless: false, loop: 0, delays, ...settings })
  return path
}

const info = (path: string) => execFileSync('avifdec', ['--info', path], { encoding: 'utf8' })

async function allFrames(animation: Animation | undefined): Promise<Uint8Array[]> {
  return animation ? Array.fromAsync(animation.frames) : []
}

/** Root mean square of colour differences where the original is opaque, and the largest alpha difference. */
function difference(frames: Uint8Array[], originals: Uint8Array[]) {
  let squares = 0
  let count = 0
  let alpha = 0
  for (const [index, frame] of frames.entries()) {
    const original = originals[index]!
    for (let at = 0; at < frame.length; at += 4) {
      alpha = Math.max(alpha, Math.abs(frame[at + 3]! - original[at + 3]!))
      if (original[at + 3] !== 255) continue
      count += 3
      for (let c = at; c < at + 3; c++) squares += (frame[c]! - original[c]!) ** 2
    }
  }
  return { color: Math.sqrt(squares / count), alpha }
}

describe('written sequences', () => {
  test('libavif finds the frames, their exact delays and the repeats', async () => {
    const path = await write('delays', [96, 64], scene(96, 64, false), { loop: 3 })
    const text = info(path)
    expect(
      [...text.matchAll(/\[duration [\d.]+ \((\d+) timescales\)\]/g)].map(match => Number(match[1])),
    ).toEqual(delays)
    expect(text).toMatch(/Alpha\s*: (?!Absent)/)
    const once = await write('once', [96, 64], scene(96, 64, false), { loop: 1 })
    const forever = await write('forever', [96, 64], scene(96, 64, true))
    expect(info(forever)).toMatch(/Alpha\s*: Absent/)
    const loops = [path, once, forever].map(async file => (await readAvifAnimation(file))?.loop)
    expect(await Promise.all(loops)).toEqual([3, 1, 0])
  })

  testFull('libavif decodes the first frame in the original colours, including odd sizes', async () => {
    const sizes: [number, number][] = [
      [101, 75],
      [33, 40],
    ]
    for (const size of kinds(sizes, ([width]) => width === 33)) {
      const frames = scene(...size, true)
      const path = await write(`first-${size}`, size, frames, { quality: 85 })
      execFileSync('avifdec', [path, `${path}.png`])
      const pixels = execFileSync('convert', [`${path}.png`, '-depth', '8', 'rgba:-'])
      expect(pixels.length).toBe(frames[0]!.length)
      expect(difference([pixels], frames).color).toBeLessThan(4.5)
    }
  })

  testFull('a single pixel can be animated', async () => {
    const path = await write('pixel', [1, 1], scene(1, 1, true), { lossless: true })
    expect(await allFrames(await readAvifAnimation(path))).toEqual(scene(1, 1, true))
  })

  testFull('ffprobe finds a colour track and an alpha track', async () => {
    const path = await write('tracks', [96, 64], scene(96, 64, false))
    const probe = ['-v', 'error', '-show_entries', 'stream=nb_frames,duration,pix_fmt', '-of', 'json', path]
    const { streams } = JSON.parse(execFileSync('ffprobe', probe, { encoding: 'utf8' }))
    const duration = (delays.reduce((sum, delay) => sum + delay) / 1000).toFixed(6)
    expect(streams).toEqual([
      { pix_fmt: 'yuv420p', nb_frames: '8', duration },
      { pix_fmt: 'gray', nb_frames: '8', duration },
    ])
  })

  testFull('lossless keeps every pixel', async () => {
    const frames = scene(45, 31, false)
    const path = await write('lossless', [45, 31], frames, { lossless: true, loop: 2 })
    expect(await allFrames(await readAvifAnimation(path))).toEqual(frames)
  })
})

describe('read sequences', () => {
  testFull('frames keep their pixels, timing and transparency', async () => {
    const frames = scene(96, 64, false)
    const animation = await readAvifAnimation(await write('back', [96, 64], frames, { quality: 80 }))
    expect(animation).toMatchObject({ width: 96, height: 64, frameCount: 8, delays, loop: 0 })
    const { color, alpha } = difference(await allFrames(animation), frames)
    expect(color).toBeLessThan(3)
    expect(alpha).toBeLessThan(12)
  })

  test('a file made by ffmpeg can be read too', async () => {
    const path = join(folder, 'ffmpeg.avif')
    const source = ['-f', 'lavfi', '-i', 'color=0x3070c0:s=80x60:r=10:d=0.5']
    execFileSync('ffmpeg', [
      '-v',
      'error',
      ...source,
      '-c:v',
      'libaom-av1',
      '-cpu-used',
      '8',
      '-crf',
      '20',
      path,
    ])
    const animation = await readAvifAnimation(path)
    expect(animation).toMatchObject({ width: 80, height: 60, delays: [100, 100, 100, 100, 100] })
    const frames = await allFrames(animation)
    expect(frames.length).toBe(5)
    for (const [c, value] of [0x30, 0x70, 0xc0, 255].entries())
      expect(Math.abs(frames[4]![c]! - value)).toBeLessThan(4)
  })

  testFull('the range in the colour box counts, even if it says nothing else', async () => {
    const path = join(folder, 'ranged.avif')
    execFileSync('convert', ['-size', '40x30', 'xc:rgb(45,54,63)', `${path}.png`])
    const options = ['-s', '10', '--cicp', '2/2/2', '-r', 'limited']
    execFileSync('avifenc', [...options, `${path}.png`, `${path}.png`, path])
    const file = readFileSync(path, 'latin1')
    const full = file.replaceAll('colrnclx\0\x02\0\x02\0\x02\0', 'colrnclx\0\x02\0\x02\0\x02\x80')
    writeFileSync(path, full, 'latin1')
    execFileSync('avifdec', [path, `${path}.png`])
    const wanted = execFileSync('convert', [`${path}.png[1x1+9+9]`, '-depth', '8', 'rgba:-'])
    for (const frame of await allFrames(await readAvifAnimation(path)))
      for (const [index, value] of wanted.entries()) expect(Math.abs(frame[index]! - value)).toBeLessThan(3)
  })

  test('a still picture is not an animation', async () => {
    const path = join(folder, 'still.avif')
    execFileSync('convert', ['-size', '20x20', 'xc:red', `${path}.png`])
    execFileSync('avifenc', ['-s', '10', `${path}.png`, path])
    expect(await readAvifAnimation(path)).toBeUndefined()
  })

  test('a huge list of frames is refused', async () => {
    const path = join(folder, 'huge.avif')
    writeFileSync(path, Buffer.concat([box('ftyp', Buffer.from('avis')), u32(40e6), Buffer.from('moov')]))
    truncateSync(path, 50e6)
    await expect(readAvifAnimation(path)).rejects.toMatchObject({ code: 'jobs.too_large' })
  })

  testFull('damaged files fail with an error code', async () => {
    const whole = readFileSync(await write('whole', [48, 32], scene(48, 32, false)))
    const damaged = join(folder, 'damaged.avif')
    const attempt = async (bytes: Buffer) => {
      writeFileSync(damaged, bytes)
      try {
        await allFrames(await readAvifAnimation(damaged))
      } catch (error) {
        expect(error).toBeInstanceOf(JobFailure)
        return (error as JobFailure).code
      }
      return 'read'
    }
    for (const share of [0.2, 0.9]) {
      expect(await attempt(whole.subarray(0, Math.floor(whole.length * share)))).toBe('jobs.corrupt_input')
    }
    const seeds = isFull ? 32 : 4
    for (let seed = 1; seed <= seeds; seed++) {
      const bytes = Buffer.from(whole)
      const at = (seed * 2654435761) % bytes.length
      bytes[at] = bytes[at]! ^ (1 + (seed % 255))
      await attempt(bytes)
    }
    expect(statSync(damaged).size).toBe(whole.length)
  })
})
