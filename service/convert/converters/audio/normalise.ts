/** Brings the output to the requested loudness. */
import { message } from '../../../shared/messages/message.ts'
import { warningOnce } from '../../catalogue/warn-once.ts'
import { type Encoding, encode, passOver } from './encode.ts'
import {
  CEILING_DBTP,
  findGain,
  type Gain,
  type Goal,
  gainFilters,
  type Level,
  measureFiles,
  measureLevel,
  TOLERANCE_LU,
} from './loudness.ts'
import type { TimeRange } from './span.ts'

/** Shares of the work before encoding: measuring the media file, and measuring the effect of a limiter. */
const MEASURED_SHARE = 0.25
const FOUND_SHARE = 0.5

/** Additional margin below the ceiling after a codec has raised peaks above it, in dB. */
const CODEC_MARGIN_DB = 0.1

/**
 * How often the effect of a limiter is measured, and how often a media file is encoded, at most, since codecs raise peaks
 * that were below the ceiling. Each measurement of an hour takes about 40 seconds.
 */
const EFFORT = { attempts: 6, encodings: 4 }
const EFFORT_FOR_LONG = { attempts: 3, encodings: 2 }
const LONG_SECONDS = 3600

/** A deviation that another encoding would hardly reduce, in LU. */
const GOOD_LU = 0.2

/** Brings a part of a media file to a loudness. */
export interface Normaliser {
  target: number
  gain: Gain
  /** Finds the gain for another loudness, or for peaks below another ceiling. */
  find(goal: Goal): Promise<Gain>
}

/**
 * Measures a part of a media file and finds the gain for it; null, with a warning, if it is silent or too short to
 * measure.
 * @param progress gets fractions of the whole work
 */
export async function normaliserFor(
  encoding: Encoding,
  span: TimeRange,
  target: number,
  progress: (fraction: number) => void,
): Promise<Normaliser | null> {
  const { plan, task } = encoding
  const measure = (filters: readonly string[], onProgress: (fraction: number) => void) => {
    const pass = passOver(encoding, span, onProgress)
    const map = `0:a:${plan.track.position}`
    return measureLevel(pass.reading, map, [...pass.filters, ...plan.filters, ...filters])
  }
  const level = await measure([], fraction => progress(fraction * MEASURED_SHARE))
  if (!level) {
    task.warn(message('recording.loudness_not_measured'))
    return null
  }
  // The number of further measurements is unknown in advance: each gets half of the remaining progress.
  let done = MEASURED_SHARE
  const find = (goal: Goal) =>
    findGain(level, goal, effortFor(encoding, span).attempts, async gain => {
      const share = (FOUND_SHARE - done) / 2
      const from = done
      done += share
      return measure(gainFilters(gain, plan.sampleRate), fraction => progress(from + fraction * share))
    })
  return { target, gain: await find({ target, ceiling: CEILING_DBTP }), find }
}

function effortFor({ source }: Encoding, { start, end }: TimeRange) {
  const length = (end ?? source.media.seconds ?? 0) - start
  return length > LONG_SECONDS ? EFFORT_FOR_LONG : EFFORT
}

/** A file to write, and the part of the media file it gets. */
export interface Piece {
  path: string
  span: TimeRange
}

/** Encodes consecutive parts, each to its file. */
export async function encodeAll(
  encoding: Encoding,
  pieces: readonly Piece[],
  gain: readonly string[],
  progress: (fraction: number) => void,
): Promise<void> {
  for (const [index, { path, span }] of pieces.entries()) {
    const share = (fraction: number) => progress((index + fraction) / pieces.length)
    await encode(encoding, path, span, gain, share)
  }
}

/**
 * Encodes the parts of a span with one gain, measures the result, and encodes them again if that is not the requested loudness:
 * a codec may have changed it, or chapters leave out something of the media file.
 */
export async function encodeNormalised(
  encoding: Encoding,
  pieces: readonly Piece[],
  span: TimeRange,
  { target, gain: first, find }: Normaliser,
  progress: (fraction: number) => void,
): Promise<void> {
  const { plan } = encoding
  // Encoding again loses the same again.
  const once = { ...encoding, task: warningOnce(encoding.task) }
  const share = (fraction: number) => progress(FOUND_SHARE + fraction * (1 - FOUND_SHARE))
  const goal = { target, ceiling: CEILING_DBTP }
  let gain = first
  for (let encodings = 1; ; encodings++) {
    await encodeAll(once, pieces, gainFilters(gain, plan.sampleRate), share)
    // A codec raises peaks, and with few bits or samples a second it also narrows the band, which takes loudness away.
    const isChanged = plan.lossy || plan.sampleRate !== plan.track.sampleRate || pieces.length > 1
    const level = isChanged ? await measureFiles(pieces.map(({ path }) => path)) : gain.level
    if (!level) return
    const over = level.peak - CEILING_DBTP
    const isGood = over <= 0 && Math.abs(level.integrated - target) <= GOOD_LU
    if (!isChanged || isGood || encodings === effortFor(encoding, span).encodings)
      return warnOfDeviation(encoding, level, target)
    // The encoder's input compensates for its effect.
    if (over > 0) goal.ceiling = Math.min(goal.ceiling, gain.level.peak) - over - CODEC_MARGIN_DB
    goal.target += target - level.integrated
    gain = await find(goal)
  }
}

/** Reports the loudness that was reached, if it is not the requested one. */
function warnOfDeviation(
  { task }: Pick<Encoding, 'task'>,
  { integrated, peak }: Level,
  target: number,
): void {
  const figures = { reached: integrated.toFixed(1), target: String(target), ceiling: String(CEILING_DBTP) }
  if (Math.abs(integrated - target) > TOLERANCE_LU) task.warn(message('recording.loudness_missed', figures))
  if (peak > CEILING_DBTP + 0.05)
    task.warn(message('recording.peaks_over', { peak: peak.toFixed(1), ceiling: figures.ceiling }))
}
