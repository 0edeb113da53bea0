import type { Job } from './jobs.ts'

/** State of a row's last attempt; `open` is queued or running. */
export type HistoryState = 'open' | 'succeeded' | 'failed' | 'canceled'

/** Filters the history; fields that are left out do not restrict it. */
export interface HistoryFilter {
  /** Part of the name of the input or output, in any case. */
  search?: string | undefined
  category?: string | undefined
  state?: HistoryState | undefined
  origin?: Job['origin'] | undefined
  keyId?: string | undefined
  batchId?: string | undefined
  /** Time of submission: from `from` on, before `to`. */
  from?: number | undefined
  to?: number | undefined
}

/** A file and a target: the last attempt, and the number of attempts. */
export interface HistoryRow {
  job: Job
  tries: number
  /** Name of its API key, even if it has been revoked. */
  keyName: string | null
  /** What its batch comes to, if the row stands for all of it. */
  batch: BatchSum | null
}

/** Several rows of one batch: how many there are, how many results are kept, and their sizes in bytes. */
export type BatchSum = Record<
  'files' | 'succeeded' | 'failed' | 'kept' | 'inputBytes' | 'outputBytes',
  number
>

/** An API key with jobs that are running or did so lately. */
export interface Program {
  keyId: string
  /** Name of the key, even if it has been revoked. */
  name: string
  prefix: string
  queued: number
  running: number
  /** Ended since the given time. */
  succeeded: number
  failed: number
  canceled: number
  /** When the last job was submitted. */
  lastAt: number
}

/**
 * Past conversions, one row for each file and target: a job that repeats another is a further attempt of the same row.
 */
export interface HistoryStore {
  /**
   * Rows whose last attempt was submitted before `before` (a `seq`), newest first.
   * @param isFolded whether the newest row of a batch stands for the others, which a filter does not narrow
   */
  list(
    accountId: string,
    filter: HistoryFilter,
    before: number | null,
    limit: number,
    isFolded?: boolean,
  ): Promise<HistoryRow[]>
  count(accountId: string, filter: HistoryFilter): Promise<number>
  /** All attempts of a job's row, newest first; empty if the account has no such job. */
  attempts(accountId: string, jobId: string): Promise<Job[]>
  /**
   * Deletes rows with all their attempts; rows with an open attempt are kept.
   * @returns ids of the deleted jobs
   */
  remove(accountId: string, jobIds: readonly string[]): Promise<string[]>
  /** Deletes all rows that match a filter, like `remove`. */
  clear(accountId: string, filter: HistoryFilter): Promise<string[]>
  /** The API keys that have open jobs or jobs submitted since a time, those with the newest jobs first. */
  programs(accountId: string, since: number): Promise<Program[]>
}
