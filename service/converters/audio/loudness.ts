/** Loudness normalisation after EBU R 128, in two passes: measure all of it, then change it by one gain. */
import type { Run } from '../../engines/ffmpeg/run.ts'
import { run } from '../../engines/ffmpeg/run.ts'

export interface Loudness {
  /** Integrated loudness in LUFS. */
  integrated: number
  /** Loudness range in LU. */
  range: number
  /** Highest true peak in dBTP. */
  peak: number
  /** Gate below which nothing counts, in LUFS. */
  threshold: number
}

/** True peaks stay below this, in dBTP, as EBU R 128 asks. */
const CEILING_DBTP = -1

/** Below this there is nothing to hear, and nothing to normalise: the absolute gate of ITU-R BS.1770. */
const SILENCE_LUFS = -69.9

/** Measures the loudness of what `source` reads and `filters` leave; null when it is silent or too short. */
export async function measureLoudness(
  source: Pick<Run, 'input' | 'demuxer' | 'inputOptions' | 'duration' | 'onProgress'>,
  map: string,
  filters: readonly string[],
): Promise<Loudness | null> {
  const { log } = await run({
    ...source,
    output: null,
    outputOptions: ['-map', map, '-af', [...filters, 'ebur128=peak=true:framelog=verbose'].join(',')],
    verbosity: 'info',
  })
  const summary = log.slice(log.lastIndexOf('Summary:'))
  const value = (pattern: RegExp) => Number(pattern.exec(summary)?.[1] ?? Number.NaN)
  const loudness = {
    integrated: value(/I: +(-?[\d.]+) LUFS/),
    range: value(/LRA: +(-?[\d.]+) LU/),
    peak: value(/Peak: +(-?[\d.]+) dBFS/),
    threshold: value(/Threshold: +(-?[\d.]+) LUFS/),
  }
  return Object.values(loudness).some(Number.isNaN) || loudness.integrated <= SILENCE_LUFS ? null : loudness
}

/**
 * Filters that bring sound of this loudness to `target` LUFS: one gain for all of it, which changes nothing else;
 * where the peaks would not fit, ffmpeg's loudnorm, which holds them down.
 */
export function normalise({ integrated, range, peak, threshold }: Loudness, target: number): string[] {
  const gain = target - integrated
  if (peak + gain <= CEILING_DBTP) return [`volume=${gain.toFixed(2)}dB:precision=float`]
  const measured = [
    `I=${target}:TP=${CEILING_DBTP}:LRA=20`,
    `measured_I=${integrated}:measured_LRA=${range}:measured_TP=${peak}:measured_thresh=${threshold}`,
  ]
  return [`loudnorm=${measured.join(':')}`]
}
