/**
 * Loudness normalisation after EBU R 128: all of a recording is measured and changed by one gain. Where its peaks would not
 * fit below the ceiling then, a limiter holds them down, and what comes out is measured again until the loudness is right.
 */
import type { Run } from '../../engines/ffmpeg/run.ts'
import { run } from '../../engines/ffmpeg/run.ts'

export interface Level {
  /** Integrated loudness in LUFS. */
  integrated: number
  /** Highest true peak in dBTP. */
  peak: number
}

export interface Gain {
  /** In dB. */
  gain: number
  /** True peak that the limiter holds the sound below, in dBTP; null without one. */
  limit: number | null
  /** What comes out of it. */
  level: Level
}

/** True peaks stay below this, in dBTP, as EBU R 128 asks. */
export const CEILING_DBTP = -1

/** Largest miss that is not worth a word, in LU. */
export const TOLERANCE_LU = 0.3

/** Below this there is nothing to hear, and nothing to normalise: the absolute gate of ITU-R BS.1770. */
const SILENCE_LUFS = -69.9

/** Room below the ceiling that the limiter is given at first, in dB: resampling behind it lifts peaks a little. */
const FIRST_MARGIN_DB = 0.2

/** A miss that another attempt would hardly make smaller, in LU. */
const GOOD_LU = 0.1

/** Gain beyond which a limiter would leave nothing but its own sound, in dB over the one that was needed without it. */
const MOST_EXTRA_DB = 20

/** How long the limiter looks ahead, and lets go. */
const ATTACK_MS = 5
const RELEASE_MS = 60

/** Peaks between samples are seen at this rate, four times that of most recordings. */
const TRUE_PEAK_RATE = 192_000

/** Measures the loudness of what `source` reads and `filters` leave; null when it is silent or too short. */
export async function measureLevel(
  source: Pick<Run, 'input' | 'demuxer' | 'inputOptions' | 'duration' | 'onProgress'>,
  map: string,
  filters: readonly string[],
): Promise<Level | null> {
  const { log } = await run({
    ...source,
    output: null,
    outputOptions: ['-map', map, '-af', [...filters, 'ebur128=peak=true:framelog=verbose'].join(',')],
    verbosity: 'info',
  })
  const summary = log.slice(log.lastIndexOf('Summary:'))
  const value = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? Number.NaN)
  const level = { integrated: value(/I: +(-?[\d.]+) LUFS/), peak: value(/Peak: +(-?[\d.]+) dBFS/) }
  return Object.values(level).some(Number.isNaN) || level.integrated <= SILENCE_LUFS ? null : level
}

/** Filters of a gain; the sound keeps its length and place. */
export function gainFilters({ gain, limit }: Pick<Gain, 'gain' | 'limit'>, sampleRate: number): string[] {
  const volume = `volume=${gain.toFixed(2)}dB:precision=float`
  if (limit === null) return [volume]
  const delay = (TRUE_PEAK_RATE * ATTACK_MS) / 1000
  const level = (10 ** (limit / 20)).toFixed(6)
  return [
    volume,
    `aresample=${TRUE_PEAK_RATE}`,
    // The limiter gives the sound back later by what it looks ahead.
    `apad=pad_len=${delay}`,
    `alimiter=limit=${level}:attack=${ATTACK_MS}:release=${RELEASE_MS}:level=disabled`,
    `atrim=start_sample=${delay}`,
    'asetpts=N/SR/TB',
    `aresample=${sampleRate}`,
  ]
}

export interface Goal {
  /** Integrated loudness in LUFS. */
  target: number
  /** Highest true peak in dBTP. */
  ceiling: number
}

/** How far a level is from what is wanted, peaks over the ceiling being worst. */
const missOf = ({ integrated, peak }: Level, { target, ceiling }: Goal) =>
  Math.abs(integrated - target) + Math.max(0, peak - ceiling) * 10

/**
 * The gain that brings sound of this level to a loudness, with a limiter where the peaks would not fit.
 * @param attempts most times that what a limiter does is measured
 * @param measure tells the level that the filters of a gain leave
 */
export async function findGain(
  source: Level,
  goal: Goal,
  attempts: number,
  measure: (gain: Pick<Gain, 'gain' | 'limit'>) => Promise<Level | null>,
): Promise<Gain> {
  const plain = goal.target - source.integrated
  if (source.peak + plain <= goal.ceiling)
    return { gain: plain, limit: null, level: { integrated: goal.target, peak: source.peak + plain } }
  let next = { gain: plain, limit: goal.ceiling - FIRST_MARGIN_DB }
  let best: Gain | null = null
  let before: Gain | null = null
  for (let attempt = 0; attempt < attempts; attempt++) {
    const level = await measure(next)
    if (!level) break
    const tried: Gain = { ...next, level }
    if (!best || missOf(level, goal) < missOf(best.level, goal)) best = tried
    if (Math.abs(level.integrated - goal.target) <= GOOD_LU && level.peak <= goal.ceiling) break
    next = corrected(tried, before, goal)
    next.gain = Math.min(next.gain, plain + MOST_EXTRA_DB)
    if (Math.abs(next.gain - tried.gain) < 0.02 && next.limit === tried.limit) break
    before = tried
  }
  return best ?? { ...next, level: source }
}

/** The next gain to try: a limiter takes away part of what is added, which the last two attempts tell. */
function corrected(
  tried: Gain,
  before: Gain | null,
  { target, ceiling }: Goal,
): { gain: number; limit: number } {
  const { gain, level } = tried
  const step = before ? gain - before.gain : 0
  const slope = before && step !== 0 ? (level.integrated - before.level.integrated) / step : 1
  const over = Math.max(0, level.peak - ceiling)
  return {
    gain: gain + (target - level.integrated) / Math.min(1, Math.max(0.15, slope)),
    limit: (tried.limit ?? ceiling) - (over > 0 ? over + 0.05 : 0),
  }
}
