import type { JobFailureCode } from '../../shared/errors.ts'
import type { Job } from '../../store/interfaces/jobs.ts'

/** Upper bounds of the classes of durations, in seconds: of jobs, and of what is asked of a database or a storage. */
const JOB_BOUNDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]
export const STORE_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 15]

/** How long something took, each time. */
export class Durations {
  readonly bounds: readonly number[]
  /** Times up to each bound, which includes those up to the bounds before. */
  readonly upTo: number[]
  count = 0
  seconds = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.upTo = bounds.map(() => 0)
  }

  add(seconds: number): void {
    this.bounds.forEach((bound, at) => {
      if (seconds <= bound) this.upTo[at] = (this.upTo[at] ?? 0) + 1
    })
    this.count++
    this.seconds += seconds
  }
}

/** What this process did, and what became of the jobs that it ran, since it started. */
export class JobStatistics {
  /** Of the jobs that succeeded, by source and target, joined by a blank. */
  readonly durations = new Map<string, Durations>()
  readonly failures = new Map<JobFailureCode, number>()
  /** Of the searches for a job, found or not. */
  readonly claims = new Durations(STORE_BOUNDS)
  /** Jobs that did not belong to this host any more when it renewed its leases. */
  leasesLost = 0
  /** Attempts to deliver webhooks, by what became of them. */
  readonly webhooks = new Map<string, number>()
  /** Of what was asked of the blob store and done, by operation. */
  readonly storage = new Map<string, Durations>()
  readonly storageFailures = new Map<string, number>()

  /** @param failure why it failed; undefined if it succeeded, and only then its duration counts */
  count(
    { inputFormat, targetKey }: Pick<Job, 'inputFormat' | 'targetKey'>,
    seconds: number,
    failure: JobFailureCode | undefined,
  ): void {
    if (failure) increase(this.failures, failure)
    else durationsOf(this.durations, `${inputFormat} ${targetKey}`, JOB_BOUNDS).add(seconds)
  }
}

export function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export function durationsOf(all: Map<string, Durations>, key: string, bounds: readonly number[]): Durations {
  const known = all.get(key) ?? new Durations(bounds)
  all.set(key, known)
  return known
}
