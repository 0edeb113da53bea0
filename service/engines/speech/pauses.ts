/** Finds where a recording has sound, and where it can be cut without hurting a word. */
import { STEP } from './sound.ts'

export interface Stretch {
  /** Seconds. */
  start: number
  end: number
}

/** Below this loudness, in dB of full scale, nothing is speech. */
const SILENCE = -60

/** Seconds of quiet that part two stretches; shorter pauses belong to the speech around them. */
const PAUSE = 8

/** Seconds kept before and after a stretch, for soft beginnings and ends. */
const MARGIN = 0.3

/** Longest stretch in seconds: what an engine is given at a time, 10 MB of samples. */
const LONGEST = 300

/** Seconds at the end of a stretch that is too long in which the best place for a cut is looked for. */
const SEARCH = 60

/** Steps over which quietness is judged for a cut: about the length of a pause between words. */
const GAP = 10

/**
 * Stretches of a recording that are worth listening to, none longer than five minutes. Long quiet parts are left out:
 * engines hear words in noise that nobody spoke. A stretch that is too long is cut where it is quietest.
 * @param levels loudness of each `STEP` in dB
 */
export function stretchesOf(levels: Float32Array): Stretch[] {
  const threshold = thresholdOf(levels)
  const pause = PAUSE / STEP
  const stretches: { from: number; to: number }[] = []
  for (const [step, level] of levels.entries()) {
    if (level <= threshold) continue
    const last = stretches.at(-1)
    if (last && step - last.to <= pause) last.to = step + 1
    else stretches.push({ from: step, to: step + 1 })
  }
  const margin = MARGIN / STEP
  return stretches
    .map(({ from, to }) => ({ from: Math.max(0, from - margin), to: Math.min(levels.length, to + margin) }))
    .flatMap(stretch => parts(stretch, levels))
    .map(({ from, to }) => ({ start: from * STEP, end: to * STEP }))
}

/** Loudness above which there may be speech: a little over the noise, and always far below the loud parts. */
function thresholdOf(levels: Float32Array): number {
  const sorted = levels.filter(level => level > SILENCE).toSorted()
  if (sorted.length === 0) return SILENCE
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as number
  return Math.max(SILENCE, Math.min(quantile(0.1) + 6, quantile(0.95) - 30))
}

function parts(
  { from, to }: { from: number; to: number },
  levels: Float32Array,
): { from: number; to: number }[] {
  const result: { from: number; to: number }[] = []
  const longest = LONGEST / STEP
  let start = from
  while (to - start > longest) {
    const cut = quietest(levels, start + longest - SEARCH / STEP, start + longest)
    result.push({ from: start, to: cut })
    start = cut
  }
  return [...result, { from: start, to }]
}

/** The middle of the quietest gap between two steps. */
function quietest(levels: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let step = from; step < from + GAP; step++) sum += levels[step] as number
  let best = { sum, at: from }
  for (let step = from + GAP; step < to; step++) {
    sum += (levels[step] as number) - (levels[step - GAP] as number)
    if (sum < best.sum) best = { sum, at: step - GAP + 1 }
  }
  return best.at + GAP / 2
}
