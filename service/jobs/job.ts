import type { Measure, Options } from '../catalogue/task.ts'
import type { JobFailureCode } from '../errors.ts'

/** Exact status words of the contract. */
export type JobStatus = 'Queued' | 'Running' | 'Succeeded' | 'Failed' | 'Canceled'

export const isTerminal = (status: JobStatus): boolean => status !== 'Queued' && status !== 'Running'

export interface JobOutput {
  fileName: string
  contentType: string
  fileCount: number
}

/** A job as it is stored. Times are milliseconds since 1970. */
export interface Job {
  id: string
  /** Order of submission over all accounts. */
  seq: number
  accountId: string
  origin: 'app' | 'api'
  /** Job type such as `image.jpg-to-webp`. */
  job: string
  category: string
  /** Key the request named the target with. */
  targetKey: string
  status: JobStatus
  options: Options
  inputName: string
  /** Format of the content, which for a group converter is a member. */
  inputFormat: string
  inputBytes: number
  measure: Measure
  /** The dropped file it was made from, for a retry. */
  fileId: string | null
  creditCost: number
  /** Times it was started. */
  attempts: number
  warnings: string[]
  error: { code: JobFailureCode; detail: string } | null
  /** What came out; kept for history after the file itself has expired. */
  output: JobOutput | null
  outputBytes: number
  /** Whether the output file is still there. */
  outputKept: boolean
  createdAt: number
  startedAt: number | null
  finishedAt: number | null
  expiresAt: number | null
}

/** What is known of a job when it is submitted. */
export type NewJob = Pick<
  Job,
  | 'id'
  | 'accountId'
  | 'origin'
  | 'job'
  | 'category'
  | 'targetKey'
  | 'options'
  | 'inputName'
  | 'inputFormat'
  | 'inputBytes'
  | 'measure'
  | 'fileId'
  | 'creditCost'
>

/** Whether the output can be downloaded now. */
export const hasOutput = (job: Job, now = Date.now()): boolean =>
  job.status === 'Succeeded' && job.outputKept && (job.expiresAt ?? 0) > now

/** Keys of a job's blobs. */
export const blobKeys = {
  of: (id: string) => `jobs/${id}`,
  input: (id: string) => `jobs/${id}/input`,
  output: (id: string) => `jobs/${id}/output`,
}
