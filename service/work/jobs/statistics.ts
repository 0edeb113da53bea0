import type { JobFailureCode } from '../../shared/errors.ts'
import type { Job } from '../../store/interfaces/jobs.ts'

/** Upper bounds of the classes of durations, in seconds. */
export const DURATION_BOUNDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

/** How long the conversions of one pair of formats took. */
export interface Durations {
  /** Jobs up to each bound, which includes those up to the bounds before. */
  upTo: number[]
  count: number
  seconds: number
}

/** What became of the jobs that this process ran, since it started. */
export class JobStatistics {
  /** By source and target, joined by a blank. */
  readonly durations = new Map<string, Durations>()
  readonly failures = new Map<JobFailureCode, number>()

  /** @param failure why it failed; undefined if it succeeded, and only then its duration counts */
  count(
    { inputFormat, targetKey }: Pick<Job, 'inputFormat' | 'targetKey'>,
    seconds: number,
    failure: JobFailureCode | undefined,
  ): void {
    if (failure) return void this.failures.set(failure, (this.failures.get(failure) ?? 0) + 1)
    const pair = `${inputFormat} ${targetKey}`
    const known = this.durations.get(pair) ?? { upTo: DURATION_BOUNDS.map(() => 0), count: 0, seconds: 0 }
    this.durations.set(pair, {
      upTo: known.upTo.map((count, at) => count + Number(seconds <= (DURATION_BOUNDS[at] ?? 0))),
      count: known.count + 1,
      seconds: known.seconds + seconds,
    })
  }
}
