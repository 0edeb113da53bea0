import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { isFull, onlyFull } from '../../../../testing/fixtures/full.ts'
import {
  correlation,
  judge,
  lively,
  make,
  mediaFolder,
  once,
  samples,
} from '../../../../testing/fixtures/media.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

/** Loudness and true peak of a file, measured by ffmpeg. */
const loudness = (path: string) =>
  once(path, 'loudness', () => {
    const { text } = judge('ffmpeg', '-nostdin', '-i', path, '-af', 'ebur128=peak=true', '-f', 'null', '-')
    const summary = text.slice(text.lastIndexOf('Summary:'))
    return {
      integrated: Number(/I: +(\S+) LUFS/.exec(summary)?.[1]),
      peak: Number(/Peak: +(\S+) dBFS/.exec(summary)?.[1]),
      range: Number(/LRA: +(\S+) LU/.exec(summary)?.[1]),
    }
  })

const noise = (seconds: number, amplitude: number, envelope: string) => [
  ...['-f', 'lavfi', '-i', `anoisesrc=c=pink:a=${amplitude}:d=${seconds}:seed=3:r=44100`],
  ...['-af', `volume='${envelope}':eval=frame`],
]

/** Recordings whose peaks exceed the ceiling at the requested loudness. */
const media: Record<string, string[]> = {
  // Loud and quiet by turns.
  dynamic: noise(12, 0.9, '0.03+0.9*gt(mod(t,6),3)'),
  // Similar to speech: syllables of a fifth of a second.
  syllables: noise(6, 0.9, '0.05+0.9*gt(sin(2*PI*2.5*t),0)'),
  short: noise(2.5, 0.8, '0.1+0.8*gt(sin(2*PI*1.5*t),0.3)'),
  clicks: [
    ...['-f', 'lavfi', '-i'],
    'aevalsrc=0.05*sin(2*PI*300*t)+0.9*gt(sin(2*PI*0.9*t)\\,0.9999)*sin(2*PI*900*t):d=8',
  ],
}

/** One recording without a codec's changes; all in the full suite. */
const tried = Object.keys(media)
  .flatMap(name => ['flac', 'mp3', 'opus'].map(target => [name, target] as const))
  .filter(([name, target]) => isFull || `${name} ${target}` === 'dynamic flac')

describe('at -16 LUFS, below the ceiling', () => {
  it.each(tried)('%s as %s', async (name, target) => {
    const goal = -16
    const path = make(at(`${name}.wav`), ...(media[name] as string[]))
    const {
      path: result,
      warnings,
      progress,
    } = await convertFile(`audio.wav-to-${target}`, path, {
      loudness: { normalize: true, target: goal },
    })
    const { integrated, peak } = loudness(result)
    expect(Math.abs(integrated - goal)).toBeLessThanOrEqual(0.3)
    expect(peak).toBeLessThanOrEqual(-0.9)
    expect(warnings).toEqual([])
    const fractions = progress.map(({ fraction }) => fraction)
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
    if (target === 'opus') return
    expect(samples(result)).toHaveLength(samples(path).length)
    if (name !== 'dynamic' || target !== 'flac') return
    // A limiter leaves the other dynamics and all timing unchanged.
    expect(Math.abs(loudness(result).range - loudness(path).range)).toBeLessThan(2)
    expect(correlation(samples(path), samples(result))).toBeGreaterThan(0.97)
  })
})

testFull('what a codec changes is corrected by encoding again, or reported', async () => {
  const path = make(at('hard.wav'), ...(media.short as string[]))
  const { path: result, warnings } = await convertFile('audio.wav-to-opus', path, {
    loudness: { normalize: true, target: -14 },
  })
  const { integrated, peak } = loudness(result)
  const notices = warnings.join(' ')
  if (Math.abs(integrated + 14) > 0.3)
    expect(notices).toContain(`${integrated.toFixed(1)} LUFS instead of -14`)
  if (peak > -0.9) expect(notices).toContain(`${peak.toFixed(1)} dBTP`)
})

testFull('chapters as files have the loudness together, and keep their differences', async () => {
  writeFileSync(
    at('chapters.txt'),
    `;FFMETADATA1\n${[0, 4]
      .map(start => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${start + 4}\ntitle=From ${start}\n`)
      .join('')}`,
  )
  const path = make(
    at('chapters.m4a'),
    ...['-f', 'lavfi', '-i', 'anoisesrc=c=white:a=0.6:d=8:seed=3:r=44100', '-i', at('chapters.txt')],
    ...['-af', "volume='if(lt(t,4),0.3,0.2)':eval=frame", '-map_metadata', '1', '-b:a', '192k'],
  )
  const { outputs, warnings } = await convertFile('audio.m4a-to-mp3', path, {
    audio: { bitrate: 32 },
    chapters: { split: true },
    loudness: { normalize: true, target: -20 },
  })
  expect(outputs).toHaveLength(2)
  writeFileSync(at('list.txt'), outputs.map(({ path }) => `file '${path}'`).join('\n'))
  make(at('together.wav'), '-f', 'concat', '-safe', '0', '-i', at('list.txt'))
  expect(Math.abs(loudness(at('together.wav')).integrated + 20)).toBeLessThanOrEqual(0.3)
  const [first, second] = outputs.map(output => loudness(output.path).integrated)
  expect(first! - second!).toBeCloseTo(20 * Math.log10(0.3 / 0.2), 0)
  expect(warnings).toEqual([])
})

const narrow: [job: string, name: string, audio: object][] = [
  ['audio.flac-to-wav', 'broad.flac', { sampleRate: '8000' }],
  ['audio.wav-to-mp3', 'broad.wav', { bitrate: 32 }],
]
it.each(onlyFull(narrow))('what a narrow band takes away is given back: %s', async (job, name, audio) => {
  const white = 'anoisesrc=c=white:a=0.05:d=3:seed=5:r=44100,aformat=channel_layouts=stereo'
  const path = make(at(name), '-f', 'lavfi', '-i', white)
  const target = -18.5
  const { path: result, warnings } = await convertFile(job, path, {
    audio,
    loudness: { normalize: true, target },
  })
  expect(warnings).toEqual([])
  expect(Math.abs(loudness(result).integrated - target)).toBeLessThanOrEqual(0.3)
})

testFull('an unreachable loudness is reported with the value that was reached', async () => {
  const path = make(
    at('clicks-alone.wav'),
    ...['-f', 'lavfi', '-i'],
    'aevalsrc=0.9*gt(mod(t\\,0.9)\\,0.895)*sin(2*PI*900*t):d=3',
  )
  const { path: result, warnings } = await convertFile('audio.wav-to-flac', path, {
    loudness: { normalize: true, target: -10 },
  })
  const { integrated, peak } = loudness(result)
  expect(peak).toBeLessThanOrEqual(-0.9)
  expect(integrated).toBeLessThan(-10.3)
  const figure = `${integrated.toFixed(1)} LUFS instead of -10`
  expect(warnings).toEqual([expect.stringContaining(figure)])
})

it.each(onlyFull([-23, -16]))('a single gain is enough where the peaks allow it: %d LUFS', async target => {
  const path = make(at('lively.wav'), ...lively(3))
  const { path: result } = await convertFile('audio.wav-to-flac', path, {
    loudness: { normalize: true, target },
  })
  expect(Math.abs(loudness(result).integrated - target)).toBeLessThanOrEqual(0.2)
  expect(correlation(samples(path), samples(result))).toBeGreaterThan(0.9999)
})
