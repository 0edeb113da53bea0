import type { Job } from './jobs.ts'

/** How the last attempt of a job stands; `open` is queued or running. */
export type HistoryState = 'open' | 'succeeded' | 'failed' | 'canceled'

/** Which rows of the history are wanted; what is left out narrows nothing. */
export interface HistoryFilter {
  /** Part of the name of the input or of the output, in any case. */
  search?: string | undefined
  category?: string | undefined
  state?: HistoryState | undefined
  origin?: Job['origin'] | undefined
  keyId?: string | undefined
  /** Time of submission: from `from` on, before `to`. */
  from?: number | undefined
  to?: number | undefined
}

/** A file and a target: its last attempt, and how many there were. */
export interface HistoryRow {
  job: Job
  tries: number
  /** Name of its API key, also of one that was revoked. */
  keyName: string | null
}

/** An API key of which jobs run or did so lately. */
export interface Program {
  /** Null for jobs of versions that did not note the key. */
  keyId: string | null
  /** Name of the key, also of one that was revoked. */
  name: string | null
  prefix: string | null
  queued: number
  running: number
  /** Ended since the time asked for. */
  succeeded: number
  failed: number
  canceled: number
  /** When the last job was submitted. */
  lastAt: number
}

/** What was converted, a row for each file and target: a job that repeats another is an attempt of the same row. */
export interface HistoryStore {
  /** Rows whose last attempt was submitted before `before` (a `seq`), newest first. */
  list(accountId: string, filter: HistoryFilter, before: number | null, limit: number): Promise<HistoryRow[]>
  count(accountId: string, filter: HistoryFilter): Promise<number>
  /** All attempts of the row that a job belongs to, newest first; none when the account has no such job. */
  attempts(accountId: string, jobId: string): Promise<Job[]>
  /**
   * Forgets rows with all their attempts; rows of which an attempt is open stay.
   * @returns ids of the jobs that are gone
   */
  remove(accountId: string, jobIds: readonly string[]): Promise<string[]>
  /** Forgets all rows of a filter, as `remove` does. */
  clear(accountId: string, filter: HistoryFilter): Promise<string[]>
  /** The API keys with open jobs or such that were submitted since a time, those of the newest jobs first. */
  programs(accountId: string, since: number): Promise<Program[]>
}
