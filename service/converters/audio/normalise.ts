/** Brings what is written to the loudness that was asked for. */
import { message } from '../../messages/message.ts'
import { encode, type Job, passOver, type Told } from './encode.ts'
import {
  CEILING_DBTP,
  findGain,
  type Gain,
  type Goal,
  gainFilters,
  type Level,
  measureLevel,
  TOLERANCE_LU,
} from './loudness.ts'
import type { Span } from './plan.ts'

/** Shares of the work: measuring the recording, and measuring what a limiter does, before it is encoded. */
const MEASURED_SHARE = 0.25
const FOUND_SHARE = 0.5

/** Room below the ceiling in which a lossy codec may lift peaks over it, in dB. */
const CODEC_ROOM_DB = 2

/** Further room below the ceiling, once a codec has lifted peaks over it, in dB. */
const CODEC_MARGIN_DB = 0.1

/**
 * Most times that what a limiter does is measured, and that a recording is encoded, since codecs lift peaks that were below
 * the ceiling. Each measuring of an hour takes about 40 seconds.
 */
const EFFORT = { attempts: 6, encodings: 4 }
const EFFORT_FOR_LONG = { attempts: 3, encodings: 2 }
const LONG_SECONDS = 3600

/** A miss that another encoding would hardly make smaller, in LU. */
const GOOD_LU = 0.2

/** How a span is brought to a loudness. */
export interface Normaliser {
  target: number
  gain: Gain
  /** Finds the gain that brings it to another loudness, or peaks below another ceiling. */
  find(goal: Goal): Promise<Gain>
}

/**
 * Measures a span of a recording, and finds the gain for it; null when it is silent or too short to be measured, which it
 * then says.
 * @param progress gets shares of all the work
 */
export async function normaliserFor(
  job: Job,
  span: Span,
  target: number,
  progress: (fraction: number) => void,
): Promise<Normaliser | null> {
  const { plan, task } = job
  const measure = (filters: readonly string[], onProgress: (fraction: number) => void) => {
    const pass = passOver(job, span, onProgress)
    const map = `0:a:${plan.track.position}`
    return measureLevel(pass.reading, map, [...pass.filters, ...plan.filters, ...filters])
  }
  const level = await measure([], fraction => progress(fraction * MEASURED_SHARE))
  if (!level) {
    task.warn(message('recording.loudness_not_measured'))
    return null
  }
  // How often it is measured again shows on the way: each time gets half of what is left.
  let done = MEASURED_SHARE
  const find = (goal: Goal) =>
    findGain(level, goal, effortFor(job, span).attempts, async gain => {
      const share = (FOUND_SHARE - done) / 2
      const from = done
      done += share
      return measure(gainFilters(gain, plan.sampleRate), fraction => progress(from + fraction * share))
    })
  return { target, gain: await find({ target, ceiling: CEILING_DBTP }), find }
}

function effortFor({ source }: Job, { start, end }: Span) {
  const length = (end ?? source.recording.seconds ?? 0) - start
  return length > LONG_SECONDS ? EFFORT_FOR_LONG : EFFORT
}

/** Encodes a span with its gain, measures what became of it, and encodes it again where a codec has spoilt it. */
export async function encodeNormalised(
  job: Job,
  path: string,
  span: Span,
  { target, gain: first, find }: Normaliser,
  progress: (fraction: number) => void,
): Promise<void> {
  const { plan } = job
  const told: Told = new Set()
  const share = (fraction: number) => progress(FOUND_SHARE + fraction * (1 - FOUND_SHARE))
  const goal = { target, ceiling: CEILING_DBTP }
  let gain = first
  for (let encodings = 1; ; encodings++) {
    await encode(job, path, span, gainFilters(gain, plan.sampleRate), share, told)
    const risky = plan.lossy && gain.level.peak > CEILING_DBTP - CODEC_ROOM_DB
    const level = risky ? await measureLevel({ input: path, inputOptions: [] }, '0:a:0', []) : gain.level
    if (!level) return
    const over = level.peak - CEILING_DBTP
    const isGood = over <= 0 && Math.abs(level.integrated - target) <= GOOD_LU
    if (!risky || isGood || encodings === effortFor(job, span).encodings) return tellMiss(job, level, target)
    // What goes into the encoder makes up for what it does.
    if (over > 0) goal.ceiling = Math.min(goal.ceiling, gain.level.peak) - over - CODEC_MARGIN_DB
    goal.target += target - level.integrated
    gain = await find(goal)
  }
}

/** Says what loudness was reached, where it is not the one that was asked for. */
export function tellMiss({ task }: Pick<Job, 'task'>, { integrated, peak }: Level, target: number): void {
  const figures = { reached: integrated.toFixed(1), target: String(target), ceiling: String(CEILING_DBTP) }
  if (Math.abs(integrated - target) > TOLERANCE_LU) task.warn(message('recording.loudness_missed', figures))
  if (peak > CEILING_DBTP + 0.05)
    task.warn(message('recording.peaks_over', { peak: peak.toFixed(1), ceiling: figures.ceiling }))
}
