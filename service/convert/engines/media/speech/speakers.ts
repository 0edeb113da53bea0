/**
 * Guesses who speaks by clustering utterances by voice. It distinguishes clearly different voices in a good media file,
 * but no more than that.
 */
import { median } from '../../common/median.ts'
import type { Sound } from './sound.ts'
import { SAMPLE_RATE } from './speech.ts'
import { voiceOf } from './voice.ts'

interface Timed {
  start: number
  end: number
}

/** How much of an utterance is analysed. */
const SAMPLE_SECONDS = 8

/** How many utterances are compared with each other; the others are assigned to the nearest voice. */
const COMPARED_LIMIT = 300

/** Maximum number of speakers. */
const SPEAKER_LIMIT = 8

/** Largest distance between utterances of one speaker, in units of a single voice's variation. */
const SAME_VOICE_DISTANCE = 2.4

interface DescribedVoice {
  /** Index of the utterance. */
  nth: number
  seconds: number
  voice: Float64Array
}

/**
 * Adds a `speaker` to each utterance if there is more than one voice: `Speaker 1` is the first to speak.
 * @returns the utterances, unchanged if there is one voice or too little data
 */
export async function hintSpeakers<T extends Timed>(
  sound: Sound,
  utterances: readonly T[],
): Promise<(T & { speaker?: string })[]> {
  const described: DescribedVoice[] = []
  const halves: [Float64Array, Float64Array][] = []
  for (const [nth, { start, end }] of utterances.entries()) {
    const samples = await sound.read(start, Math.min(end, start + SAMPLE_SECONDS))
    const voice = voiceOf(samples)
    if (!voice) continue
    described.push({ nth, seconds: samples.length / SAMPLE_RATE, voice })
    const middle = samples.length >> 1
    const [first, second] = [voiceOf(samples.subarray(0, middle)), voiceOf(samples.subarray(middle))]
    if (first && second) halves.push([first, second])
  }
  if (halves.length < 2) return [...utterances]
  const spread = spreadOf(halves)
  const speakers = speakersOf(described, spread)
  if (speakers.length < 2) return [...utterances]
  const nearest = new Map<number, Float64Array>(
    described.map(({ nth, voice }) => [nth, closest(voice, speakers, spread)]),
  )
  return named(utterances, nearest)
}

/** How much each feature varies within one voice, estimated from the two halves of each utterance. */
function spreadOf(halves: readonly [Float64Array, Float64Array][]): Float64Array {
  const [[{ length }]] = halves as [[Float64Array, Float64Array]]
  return Float64Array.from({ length }, (_, k) => {
    const difference = median(halves.map(([a, b]) => Math.abs(a[k]! - b[k]!)))
    // For a normal distribution, 1.05 times the median difference is the standard deviation.
    return Math.max(1e-3, 1.05 * difference!)
  })
}

const distance = (a: Float64Array, b: Float64Array, spread: Float64Array) =>
  Math.sqrt(a.reduce((sum, value, k) => sum + ((value - b[k]!) / spread[k]!) ** 2, 0) / a.length)

const closest = (voice: Float64Array, speakers: readonly Float64Array[], spread: Float64Array) =>
  speakers.reduce((best, candidate) =>
    distance(voice, candidate, spread) < distance(voice, best, spread) ? candidate : best,
  )

/** The speakers' voices: the two most similar groups are merged until all are distinct. */
function speakersOf(described: readonly DescribedVoice[], spread: Float64Array): Float64Array[] {
  const groups = described
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, COMPARED_LIMIT)
    .map(({ voice, seconds }) => ({ voice: voice.slice(), seconds }))
  for (;;) {
    let best = { apart: Number.POSITIVE_INFINITY, a: 0, b: 0 }
    for (const [b, group] of groups.entries()) {
      for (let a = 0; a < b; a++) {
        const apart = distance(groups[a]!.voice, group.voice, spread)
        if (apart < best.apart) best = { apart, a, b }
      }
    }
    if (groups.length < 2 || (best.apart > SAME_VOICE_DISTANCE && groups.length <= SPEAKER_LIMIT))
      return groups.map(({ voice }) => voice)
    const [into, from] = [groups[best.a]!, groups[best.b]!]
    const share = from.seconds / (into.seconds + from.seconds)
    into.voice = into.voice.map((value, k) => value * (1 - share) + from.voice[k]! * share)
    into.seconds += from.seconds
    groups.splice(best.b, 1)
  }
}

/** Numbers voices in the order they are first heard; an utterance that is too short gets the previous speaker. */
function named<T extends Timed>(
  utterances: readonly T[],
  nearest: ReadonlyMap<number, Float64Array>,
): (T & { speaker?: string })[] {
  const names = new Map<Float64Array, string>()
  let last = [...nearest.values()][0]
  return utterances.map((utterance, nth) => {
    last = nearest.get(nth) ?? last
    if (!last) return utterance
    const speaker = names.get(last) ?? `Speaker ${names.size + 1}`
    names.set(last, speaker)
    return { ...utterance, speaker }
  })
}
