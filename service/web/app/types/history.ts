import type { BatchSum, Program as StoredProgram } from '../../../store/interfaces/history.ts'
import { object, oneOf, optional, type Static, string } from '../../http/schema.ts'
import type { StagedFile } from './files.ts'
import type { AppJob, Page } from './jobs.ts'

/** Filter of the history; fields that are left out do not restrict it. Times are those of submission. */
export type HistoryQuery = Static<typeof HistoryQuery>
export const HistoryQuery = object({
  /** Part of the name of the input or of the output, in any case. */
  search: optional(string({ maxLength: 200 })),
  category: optional(string()),
  state: optional(oneOf(['open', 'succeeded', 'failed', 'canceled'])),
  origin: optional(oneOf(['app', 'api'])),
  /** Id of an API key. */
  keyId: optional(string()),
  batchId: optional(string()),
  from: optional(string()),
  to: optional(string()),
})

/** A file and a target: the last attempt, and the number of attempts. */
export interface HistoryRow extends AppJob {
  tries: number
  /** Name of the API key, even if it has been revoked; null for the app's own jobs. */
  keyName: string | null
  /** What all files of its batch come to, of which it is the newest; null for a file of its own. */
  batch: BatchSum | null
}

/** The input of an earlier conversion with its target and options, without passwords. */
export interface Reopened {
  file: StagedFile
  /** Request key of the target. */
  target: string
  options: Record<string, unknown>
}

export interface HistoryPage extends Page<HistoryRow> {
  /** Number of rows on all pages of the filter; only returned with the first page. */
  total: number | null
}

/** A program that uses this service: one API key, and the results of its jobs of the last day. */
export interface Program extends Omit<StoredProgram, 'lastAt'> {
  lastAt: string
}
