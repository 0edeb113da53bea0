/** One line of the table: a file from the moment it is added until its result is cleared. */
import type { StagedFile, TargetChoice } from '../../../../service/web/app/types.ts'
import type { Values } from '../../../forms/schema.ts'
import type { Conversion } from '../../../jobs/conversions.ts'

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
  /** Its latest conversion, as the service reports it. */
  item: Conversion | null
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
} as const satisfies Record<Conversion['state'], Stage>

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
