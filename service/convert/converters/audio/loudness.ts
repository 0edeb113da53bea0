/**
 * Loudness normalisation according to EBU R 128: the whole media file is measured and changed by one gain. If its peaks
 * would exceed the ceiling, a limiter holds them down, and the result is measured again until the loudness is right.
 */
import { dirname } from 'node:path'
import { concatenated } from '../../engines/media/ffmpeg/concatenated.ts'
import type { Run } from '../../engines/media/ffmpeg/run.ts'
import { run } from '../../engines/media/ffmpeg/run.ts'

export interface Level {
  /** Integrated loudness in LUFS. */
  integrated: number
  /** Highest true peak in dBTP. */
  peak: number
}

export interface Gain {
  /** In dB. */
  gain: number
  /** True peak limit in dBTP; null without a limiter. */
  limit: number | null
  /** What comes out of it. */
  level: Level
}

/** Maximum true peak in dBTP, as in EBU R 128. */
export const CEILING_DBTP = -1

/** Largest deviation that is not reported, in LU. */
export const TOLERANCE_LU = 0.3

/** Below this there is nothing to hear or normalise: the absolute gate of ITU-R BS.1770. */
const SILENCE_LUFS = -69.9

/** Initial margin of the limiter below the ceiling, in dB: resampling after it raises peaks slightly. */
const FIRST_MARGIN_DB = 0.2

/** A deviation that another attempt would hardly reduce, in LU. */
const GOOD_LU = 0.1

/**
 * Largest additional gain with a limiter, in dB over the gain needed without it; above that only the limiter's own
 * effect would be left.
 */
const MAX_EXTRA_DB = 20

/** The lookahead of the limiter, and its release time. */
const ATTACK_MS = 5
const RELEASE_MS = 60

/** Peaks between samples are detected at this rate, four times that of most media files. */
const TRUE_PEAK_RATE = 192_000

/** Measures the loudness of `source` after `filters`; null if it is silent or too short. */
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

/** Loudness and peak of files of one folder that are played one after the other; null if they are silent or too short. */
export async function measureFiles(paths: readonly string[]): Promise<Level | null> {
  const [first = ''] = paths
  const input = paths.length === 1 ? { input: first } : await concatenated(dirname(first), paths)
  return measureLevel(input, '0:a:0', [])
}

/** The filters for a gain; the audio keeps its length and timing. */
export function gainFilters({ gain, limit }: Pick<Gain, 'gain' | 'limit'>, sampleRate: number): string[] {
  const volume = `volume=${gain.toFixed(2)}dB:precision=float`
  if (limit === null) return [volume]
  const delay = (TRUE_PEAK_RATE * ATTACK_MS) / 1000
  const level = (10 ** (limit / 20)).toFixed(6)
  return [
    volume,
    `aresample=${TRUE_PEAK_RATE}`,
    // The limiter delays the audio by its look-ahead.
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

/** Deviation of a level from the goal; peaks over the ceiling count most. */
const missOf = ({ integrated, peak }: Level, { target, ceiling }: Goal) =>
  Math.abs(integrated - target) + Math.max(0, peak - ceiling) * 10

/**
 * The gain that brings audio of this level to a loudness, with a limiter if the peaks would exceed the ceiling.
 * @param attempts how often the effect of a limiter is measured at most
 * @param measure returns the level after the filters of a gain
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
    next.gain = Math.min(next.gain, plain + MAX_EXTRA_DB)
    if (Math.abs(next.gain - tried.gain) < 0.02 && next.limit === tried.limit) break
    before = tried
  }
  return best ?? { ...next, level: source }
}

/** The next gain to try: a limiter removes part of the added loudness, as the last two attempts show. */
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
