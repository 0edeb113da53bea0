import { readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { isFull, kinds } from '../../../../../testing/samples/full.ts'
import { make, mediaFolder, tool } from '../../../../../testing/samples/media.ts'
import { say } from '../../../../../testing/speech.ts'
import { stretchesOf } from './pauses.ts'
import { decodeSpeech, Sound, STEP_SECONDS } from './sound.ts'
import { hintSpeakers } from './speakers.ts'
import { SAMPLE_RATE } from './speech.ts'
import { voiceOf } from './voice.ts'

const folder = mediaFolder()
const at = (name: string) => `${folder}/${name}`

async function soundOf(path: string): Promise<Sound> {
  const sound = await Sound.open(path)
  onTestFinished(() => sound.close())
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
  await decodeSpeech(path, at('stereo.raw'), { track: 0, limit: 10, onProgress: () => {} })
  const sound = await soundOf(at('stereo.raw'))
  expect(sound.seconds).toBeCloseTo(3, 3)
  tool('sox', path, '-b', '16', '-r', '16000', '-c', '1', '-t', 'raw', at('sox.raw'))
  const other = new Int16Array(readFileSync(at('sox.raw')).buffer.slice(0))
  const samples = await sound.read(1, 1.5)
  expect(samples).toHaveLength(8000)
  for (let n = 0; n < 8000; n += 97) expect(Math.abs(samples[n]! - other[SAMPLE_RATE + n]!)).toBeLessThan(400)
})

test('a recording that is too long is refused before all of it is decoded', async () => {
  const path = make(at('endless.flac'), '-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '100')
  const refused = decodeSpeech(path, at('endless.raw'), { track: 0, limit: 5, onProgress: () => {} })
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

test.each(kinds([100, 140, 220, 300], hertz => hertz === 100 || hertz === 300))(
  'a voice of %i Hz has this pitch',
  hertz => {
    const buzz = Int16Array.from(
      { length: 2 * SAMPLE_RATE },
      (_, n) => 9000 * (1 - 2 * (((n * hertz) / SAMPLE_RATE) % 1)),
    )
    expect(2 ** (voiceOf(buzz)?.at(-1) ?? 0)).toBeCloseTo(hertz, -1)
  },
)

test('noise and very short sounds are not voices', () => {
  let seed = 1
  const noise = Int16Array.from({ length: SAMPLE_RATE }, () => {
    seed = (seed * 16_807) % 2_147_483_647
    return (seed % 20_000) - 10_000
  })
  expect(voiceOf(noise)).toBeNull()
  expect(voiceOf(tone(150, 0.2))).toBeNull()
  expect(voiceOf(new Int16Array(SAMPLE_RATE))).toBeNull()
})

const texts = [
  'welcome everyone today we talk about the budget of the new website',
  'the website is nearly finished and the customer will get it on friday',
  'we have spent most of the money and that is more than we had planned',
  'can you write an offer for the second language before next week',
  'the launch of the website depends on the servers in the basement',
  'it will take about three days to move them to another house',
]

const spoken = new Map<string, Buffer>()

/** Samples of a text in a voice, synthesised once however many conversations use it. */
function lineOf(text: string, voice: string): Buffer {
  const key = `${voice}: ${text}`
  const known = spoken.get(key)
  if (known) return known
  const wav = say(at('line.wav'), text, voice)
  tool('sox', wav, '-r', String(SAMPLE_RATE), '-c', '1', '-b', '16', '-t', 'raw', at('line.raw'))
  const line = readFileSync(at('line.raw'))
  spoken.set(key, line)
  return line
}

/** A conversation, line by line in the given voices. */
async function conversation(voices: string[]) {
  const utterances: { start: number; end: number; text: string }[] = []
  const parts: Buffer[] = []
  let time = 0
  for (const [nth, voice] of voices.entries()) {
    const text = texts[nth % texts.length] as string
    const line = lineOf(text, voice)
    const seconds = line.length / 2 / SAMPLE_RATE
    utterances.push({ start: time, end: time + seconds, text })
    parts.push(line, Buffer.alloc(SAMPLE_RATE))
    time += seconds + 0.5
  }
  writeFileSync(at('talk.raw'), Buffer.concat(parts))
  return { sound: await soundOf(at('talk.raw')), utterances }
}

const talks: [string[], string][] = [
  [['slt', 'slt', 'rms', 'kal16', 'rms', 'kal16'], '112323'],
  [['slt', 'rms', 'rms', 'slt', 'slt', 'rms'], '122112'],
  [['kal16', 'slt', 'kal16', 'slt', 'slt', 'kal16'], '121221'],
]

// The short suite tells voices apart in a whole transcription.
test.each(isFull ? talks : [])('%j are distinguished', async (voices, expected) => {
  const { sound, utterances } = await conversation(voices)
  const hinted = await hintSpeakers(sound, utterances)
  expect(hinted.map(({ speaker }) => speaker?.replace('Speaker ', '')).join('')).toBe(expected)
})

test.each(isFull ? ['rms', 'slt', 'kal16', 'awb'] : [])(
  '%s alone is not split into several speakers',
  async voice => {
    const { sound, utterances } = await conversation(texts.map(() => voice))
    expect(await hintSpeakers(sound, utterances)).toEqual(utterances)
  },
)

test('without utterances there are no speakers', async () => {
  const { sound } = await conversation(['rms'])
  expect(await hintSpeakers(sound, [])).toEqual([])
})
