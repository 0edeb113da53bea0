/** Finds where a media file has sound, and where it can be cut between words. */
import { STEP_SECONDS } from './sound.ts'

export interface Stretch {
  /** Seconds. */
  start: number
  end: number
}

/** Loudness below which there is no speech, in dB of full scale. */
const SILENCE_DB = -60

/** Silence that separates two stretches; shorter pauses belong to the speech around them. */
const PAUSE_SECONDS = 8

/** Kept before and after a stretch, for soft beginnings and ends. */
const MARGIN_SECONDS = 0.3

/** Longest stretch that an engine gets in one piece: 10 MB of samples. */
const LONGEST_SECONDS = 300

/** The best cut is searched in this last part of a stretch that is too long. */
const CUT_SEARCH_SECONDS = 60

/** Number of steps over which loudness is averaged for a cut: about the length of a pause between words. */
const GAP_STEPS = 10

/**
 * Stretches of a media file that are worth transcribing, none longer than five minutes. Long quiet parts are skipped,
 * since engines invent words in noise. A stretch that is too long is cut where it is quietest.
 * @param levels loudness of each `STEP_SECONDS` in dB
 */
export function stretchesOf(levels: Float32Array): Stretch[] {
  const threshold = thresholdOf(levels)
  const pause = PAUSE_SECONDS / STEP_SECONDS
  const stretches: { from: number; to: number }[] = []
  for (const [step, level] of levels.entries()) {
    if (level <= threshold) continue
    const last = stretches.at(-1)
    if (last && step - last.to <= pause) last.to = step + 1
    else stretches.push({ from: step, to: step + 1 })
  }
  const margin = MARGIN_SECONDS / STEP_SECONDS
  return stretches
    .map(({ from, to }) => ({ from: Math.max(0, from - margin), to: Math.min(levels.length, to + margin) }))
    .flatMap(stretch => parts(stretch, levels))
    .map(({ from, to }) => ({ start: from * STEP_SECONDS, end: to * STEP_SECONDS }))
}

/** Loudness above which there may be speech: slightly above the noise, and always far below the loud parts. */
function thresholdOf(levels: Float32Array): number {
  const sorted = levels.filter(level => level > SILENCE_DB).toSorted()
  if (sorted.length === 0) return SILENCE_DB
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as number
  return Math.max(SILENCE_DB, Math.min(quantile(0.1) + 6, quantile(0.95) - 30))
}

function parts(
  { from, to }: { from: number; to: number },
  levels: Float32Array,
): { from: number; to: number }[] {
  const result: { from: number; to: number }[] = []
  const longest = LONGEST_SECONDS / STEP_SECONDS
  let start = from
  while (to - start > longest) {
    const cut = quietest(levels, start + longest - CUT_SEARCH_SECONDS / STEP_SECONDS, start + longest)
    result.push({ from: start, to: cut })
    start = cut
  }
  return [...result, { from: start, to }]
}

/** The middle of the quietest gap between two steps. */
function quietest(levels: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let step = from; step < from + GAP_STEPS; step++) sum += levels[step] as number
  let best = { sum, at: from }
  for (let step = from + GAP_STEPS; step < to; step++) {
    sum += (levels[step] as number) - (levels[step - GAP_STEPS] as number)
    if (sum < best.sum) best = { sum, at: step - GAP_STEPS + 1 }
  }
  return best.at + GAP_STEPS / 2
}
