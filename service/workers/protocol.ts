import type { Amount } from '../catalogue/costing.ts'
import type { FileFacts } from '../catalogue/facts.ts'
import type { Comparison } from '../catalogue/preview.ts'
import type { Measure, Options, Phase, TaskInput } from '../catalogue/task.ts'
import type { Confinement } from '../confinement/confine.ts'
import type { NamedReport } from '../engines/report.ts'
import type { JobFailureCode } from '../errors.ts'
import type { Message } from '../messages/message.ts'

/** What a worker can be asked to do, by kind. */
export interface WorkerTasks {
  convert: {
    request: {
      job: string
      input: TaskInput
      options: Options
      folder: string
      cores: number
      /** What the price was counted by; by default the work is not held to it. */
      charged?: Amount
    }
    answer: Packaged
  }
  measure: { request: { job: string; input: TaskInput }; answer: Measure }
  /** What the head of a picture says of it, its size among that; null for anything else. */
  size: { request: { path: string }; answer: (FileFacts & { width: number; height: number }) | null }
  /** Writes a WebP for each of `THUMBNAIL_EDGES`, named by it, into `folder`; false when there is nothing to show. */
  thumbnail: { request: { input: TaskInput; folder: string }; answer: boolean }
  /**
   * Compares a file with what a conversion makes of it, or with a result that is there. What is to be shown goes into
   * `shown`; everything else into `folder`.
   */
  preview: {
    request: {
      input: TaskInput
      /** Either may be missing: then the file alone is shown. */
      conversion?: { job: string; options: Options }
      result?: TaskInput
      folder: string
      shown: string
    }
    answer: Comparison
  }
  engines: { request: null; answer: NamedReport[] }
}

export type TaskKind = keyof WorkerTasks

/** The one file a finished conversion offers for download. */
export interface Packaged {
  path: string
  fileName: string
  contentType: string
  /** Files the conversion made: more than 1 when `path` is a ZIP of them. */
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
  /** Thrown by a fault of ours rather than on purpose; the process may be in any state then. */
  isUnexpected: boolean
}

export type FromWorker =
  /** It can take tasks; and what the system holds it to. */
  | { type: 'ready'; confinement?: Confinement }
  | { type: 'progress'; id: number; fraction: number; phase: Phase }
  | { type: 'warning'; id: number; warning: Message }
  | { type: 'done'; id: number; answer: unknown }
  | ({ type: 'failed'; id: number } & FailedTask)
