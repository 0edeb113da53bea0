import type { Amount } from '../../convert/catalogue/costing.ts'
import type { EncoderTrial } from '../../convert/catalogue/engines.ts'
import type { Comparison } from '../../convert/catalogue/preview.ts'
import type { Measure, Options, Phase, TaskInput } from '../../convert/catalogue/task.ts'
import type { NamedReport } from '../../convert/engines/common/report.ts'
import type { JobFailureCode } from '../../shared/errors.ts'
import type { FileFacts } from '../../shared/file-facts.ts'
import type { Message } from '../../shared/messages/message.ts'
import type { Confinement } from '../confinement/confine.ts'

/** Environment variable of a worker with what an earlier one has found out about the ffmpeg program. */
export const FINDINGS = 'REFILE_FINDINGS'

/** The tasks of a worker, by kind. */
export interface WorkerTasks {
  convert: {
    request: {
      job: string
      input: TaskInput
      options: Options
      folder: string
      cores: number
      /** The amount that was charged for; by default the work is not limited by it. */
      charged?: Amount
    }
    answer: Packaged
  }
  measure: { request: { job: string; input: TaskInput }; answer: Measure }
  /** What the header of a picture says about it, including its size; null for anything else. */
  size: { request: { path: string }; answer: (FileFacts & { width: number; height: number }) | null }
  /** Writes a WebP for each longest edge in pixels, named after it, into `folder`; false if there is nothing to show. */
  thumbnail: {
    request: { input: TaskInput; folder: string; edges: readonly number[] }
    answer: boolean
  }
  /**
   * Compares a file with what a conversion makes of it, or with an existing result. What is to be shown is written to
   * `shown`, everything else to `folder`.
   */
  preview: {
    request: {
      input: TaskInput
      /** Either may be missing; then only the file itself is shown. */
      conversion?: { job: string; options: Options }
      /** Whether a smaller copy of a picture is converted, which is sooner done. */
      isDraft?: boolean
      result?: TaskInput
      folder: string
      shown: string
    }
    answer: Comparison
  }
  engines: { request: null; answer: NamedReport[] }
  /** Tries the encoders of video. */
  encoders: { request: null; answer: EncoderTrial[] }
}

export type TaskKind = keyof WorkerTasks

/** The one file a finished conversion offers for download. */
export interface Packaged {
  path: string
  fileName: string
  contentType: string
  /** Number of files the conversion made; more than 1 if `path` is a ZIP of them. */
  fileCount: number
  bytes: number
}

export interface ToWorker<K extends TaskKind = TaskKind> {
  id: number
  kind: K
  request: WorkerTasks[K]['request']
}

/** Why a task failed. */
export interface FailedTask {
  code: JobFailureCode
  reason: Message
  /** Stack and chain of causes, for the service's log only. */
  log?: string
  /** Caused by a fault of ours rather than thrown on purpose; the process may be in any state afterwards. */
  isUnexpected: boolean
}

export type FromWorker =
  /** The worker can take tasks; includes its confinement. */
  | { type: 'ready'; confinement?: Confinement }
  /** What it has found out about the ffmpeg program, for the environment of later workers. */
  | { type: 'found'; ffmpeg: string }
  | { type: 'progress'; id: number; fraction: number; phase: Phase }
  | { type: 'warning'; id: number; warning: Message }
  | { type: 'done'; id: number; answer: unknown }
  | ({ type: 'failed'; id: number } & FailedTask)
