import { readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { make, mediaFolder, tool } from '../../../../../testing/fixtures/media.ts'
import { stretchesOf } from './pauses.ts'
import { decodeSpeech, Sound, STEP_SECONDS } from './sound.ts'
import { SAMPLE_RATE } from './speech.ts'

const folder = mediaFolder()
const at = (name: string) => `${folder}/${name}`

async function soundOf(path: string): Promise<Sound> {
  const sound = await Sound.open(path)
  onTestFinished(() => sound[Symbol.asyncDispose]())
  return sound
}

/** A tone as samples. */
const tone = (hertz: number, seconds: number, amplitude = 8000) =>
  Int16Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, n) => amplitude * Math.sin((2 * Math.PI * hertz * n) / SAMPLE_RATE),
  )

/** A loudness curve of parts, each `[dB, seconds]`. */
const curve = (...parts: [level: number, seconds: number][]) =>
  Float32Array.from(
    parts.flatMap(([level, seconds]) => Array<number>(Math.round(seconds / STEP_SECONDS)).fill(level)),
  )

const rounded = (stretches: { start: number; end: number }[]) =>
  stretches.map(({ start, end }) => [Math.round(start * 10) / 10, Math.round(end * 10) / 10])

test('a track is decoded to the same samples as by another decoder', async () => {
  const path = make(at('stereo.flac'), '-f', 'lavfi', '-i', 'aevalsrc=sin(2000*t)|sin(3000*t):s=44100:d=3')
  await decodeSpeech({ input: path }, at('stereo.raw'), { track: 0, limit: 10, onProgress: () => {} })
  const sound = await soundOf(at('stereo.raw'))
  expect(sound.seconds).toBeCloseTo(3, 3)
  tool('sox', path, '-b', '16', '-r', '16000', '-c', '1', '-t', 'raw', at('sox.raw'))
  const other = new Int16Array(readFileSync(at('sox.raw')).buffer.slice(0))
  const samples = await sound.read(1, 1.5)
  expect(samples).toHaveLength(8000)
  for (let n = 0; n < 8000; n += 97) expect(Math.abs(samples[n]! - other[SAMPLE_RATE + n]!)).toBeLessThan(400)
})

testFull('a recording that is too long is refused before all of it is decoded', async () => {
  const path = make(at('endless.flac'), '-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '100')
  const refused = decodeSpeech({ input: path }, at('endless.raw'), {
    track: 0,
    limit: 5,
    onProgress: () => {},
  })
  await expect(refused).rejects.toMatchObject({ code: 'jobs.too_long' })
  expect(readFileSync(at('endless.raw')).length).toBeLessThan(7 * SAMPLE_RATE * 2)
})

test('levels are those of the samples, in dB of full scale', async () => {
  writeFileSync(
    at('levels.raw'),
    Buffer.concat(
      [tone(500, 1, 32_767), new Int16Array(SAMPLE_RATE), tone(500, 1, 328)].map(part =>
        Buffer.from(part.buffer),
      ),
    ),
  )
  const levels = await (await soundOf(at('levels.raw'))).levels()
  expect(levels).toHaveLength(150)
  expect(levels[10]).toBeCloseTo(-3, 0)
  expect(levels[75]).toBe(-100)
  expect(levels[120]).toBeCloseTo(-43, 0)
})

test('silence has no stretches', () => {
  expect(stretchesOf(curve([-100, 60]))).toEqual([])
  expect(stretchesOf(curve([-75, 60]))).toEqual([])
  expect(stretchesOf(new Float32Array())).toEqual([])
})

test('long quiet parts are left out, pauses are kept', () => {
  const found = stretchesOf(curve([-80, 20], [-20, 5], [-70, 4], [-25, 5], [-80, 20], [-30, 2]))
  expect(rounded(found)).toEqual([
    [19.7, 34.3],
    [53.7, 56],
  ])
})

test('soft speech beside loud speech is kept, and so is speech in steady noise', () => {
  expect(rounded(stretchesOf(curve([-15, 30], [-80, 20], [-44, 30])))).toEqual([
    [0, 30.3],
    [49.7, 80],
  ])
  expect(rounded(stretchesOf(curve([-20, 90])))).toEqual([[0, 90]])
  expect(rounded(stretchesOf(curve([-45, 30], [-20, 10], [-45, 30], [-22, 10])))).toEqual([[0, 80]])
})

test('a long stretch is cut in its pauses, and nothing is lost', () => {
  const found = stretchesOf(curve([-20, 270], [-40, 1], [-20, 280], [-40, 1], [-20, 100]))
  expect(rounded(found)).toEqual([
    [0, expect.closeTo(270.5, 0)],
    [expect.closeTo(270.5, 0), expect.closeTo(551.5, 0)],
    [expect.closeTo(551.5, 0), 652],
  ])
  for (const [nth, { start, end }] of found.entries()) {
    expect(end - start).toBeLessThanOrEqual(300)
    if (nth > 0) expect(start).toBe(found[nth - 1]?.end)
  }
})
