/** One line of the table: a file from the moment it is added until its result is cleared. */
import type { AppJob, Batch, BatchItem, StagedFile, TargetChoice } from '../../../service/web/app/types.ts'
import type { Values } from '../../forms/schema.ts'

/** The latest conversion of a file. */
export interface RowItem {
  /** Null until the batch's items have been read. */
  id: string | null
  batchId: string
  /** When the batch was created: of several conversions of a file, the latest is shown. */
  since: string
  state: BatchItem['state']
  job: AppJob | null
  error: BatchItem['error']
  savedTo: string | null
  target: string
  targetLabel: string
}

export interface Row {
  key: string
  /** Determines its position: rows are in the order they were added. */
  addedAt: number
  name: string
  relativePath: string | null
  bytes: number
  /** `measuring`: the upload is complete, and the service is analysing the file. */
  intake: 'waiting' | 'sending' | 'measuring' | 'staged' | 'failed'
  /** Share sent, 0 to 1. */
  sent: number
  fileId: string | null
  /** The staged file; null before the service has it, and after it has deleted it. */
  file: StagedFile | null
  format: string | null
  formatLabel: string | null
  /** Category of its format, based on its name until the service has analysed it; null if nothing can convert it. */
  kind: string | null
  /** Why it could not be uploaded or measured. */
  problem: string | null
  /** Its target, and the options that differ from the defaults. */
  target: string | null
  options: Values
  /** A target chosen before it was uploaded, used if the file supports it. */
  pendingTarget: TargetChoice | null
  item: RowItem | null
  /** Whether it will be converted again, since its target or options changed after its conversion. */
  needsReconversion: boolean
}

export type Stage = 'coming' | 'refused' | 'ready' | 'waiting' | 'running' | 'done' | 'failed' | 'canceled'

const stages = {
  waiting: 'waiting',
  queued: 'waiting',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  canceled: 'canceled',
} as const satisfies Record<BatchItem['state'], Stage>

/** The current stage of a file. */
export function stageOf(row: Row): Stage {
  if (row.item && !row.needsReconversion) return stages[row.item.state]
  if (row.intake === 'failed') return 'refused'
  if (row.intake !== 'staged') return 'coming'
  return row.file && row.file.targets.length === 0 ? 'refused' : 'ready'
}

export const isRefused = (row: Row): boolean => stageOf(row) === 'refused'

/** Whether its conversion is waiting or running. */
export const isUnderWay = ({ item }: Row): boolean =>
  item !== null && (item.state === 'waiting' || item.state === 'queued' || item.state === 'running')

export const choiceOfRow = ({ file }: Row, target: string | null): TargetChoice | null =>
  file?.targets.find(choice => choice.target === target) ?? null

/** Targets that are transcripts, whatever they are called. */
export const isTranscript = ({ job }: Pick<TargetChoice, 'job'>): boolean => job.startsWith('audio.audio-to-')

/** An item has the same state word as its job. */
const stateOfJob = ({ status }: AppJob) => status.toLowerCase() as Lowercase<AppJob['status']>

/** The item as reported by a batch. */
export const itemOf = (batch: Batch, item: BatchItem): RowItem => ({
  id: item.id,
  batchId: batch.id,
  since: batch.createdAt,
  state: item.state,
  job: item.job,
  error: item.error,
  savedTo: item.savedTo,
  target: batch.target,
  targetLabel: item.job?.targetLabel ?? batch.targetLabel,
})

/** The item of a file that has just become part of a batch. */
export const waitingItem = (batch: Batch): RowItem => ({
  id: null,
  batchId: batch.id,
  since: batch.createdAt,
  state: 'waiting',
  job: null,
  error: null,
  savedTo: null,
  target: batch.target,
  targetLabel: batch.targetLabel,
})

const progressOf = { waiting: 0, queued: 1, running: 2, succeeded: 3, failed: 3, canceled: 3 } as const

/** The item with the data of its job; an answer older than the known state changes nothing. */
export function withJob(item: RowItem, job: AppJob): RowItem {
  const state = stateOfJob(job)
  if (progressOf[state] < progressOf[item.state]) return item
  return {
    ...item,
    state,
    job,
    savedTo: job.savedTo ?? item.savedTo,
    // Why a result was not saved is stored with the item, until it is saved.
    error: job.error ?? (state === item.state && job.savedTo === null ? item.error : null),
    targetLabel: job.targetLabel,
  }
}

/** Of two conversions of a file, the later one; of one conversion, the more advanced state. */
export function laterItem(known: RowItem | null, told: RowItem): RowItem {
  if (!known || known.batchId === told.batchId) {
    const isOlder = known !== null && progressOf[told.state] < progressOf[known.state]
    return isOlder ? { ...known, id: told.id } : told
  }
  return known.since > told.since ? known : told
}
