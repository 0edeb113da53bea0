import type { Measure, Options, Phase, TaskInput } from '../catalogue/task.ts'
import type { EngineReport } from '../engines/report.ts'
import type { JobFailureCode } from '../errors.ts'

/** What a worker can be asked to do, by kind. */
export interface WorkerTasks {
  convert: {
    request: { job: string; input: TaskInput; options: Options; folder: string; cores: number }
    answer: Packaged
  }
  measure: { request: { job: string; input: TaskInput }; answer: Measure }
  engines: { request: null; answer: EngineReport[] }
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

export type FromWorker =
  | { type: 'ready' }
  | { type: 'progress'; id: number; fraction: number; phase: Phase }
  | { type: 'warning'; id: number; message: string }
  | { type: 'done'; id: number; answer: unknown }
  /** `log` is the stack of an error nobody foresaw, for the service's log only. */
  | { type: 'failed'; id: number; code: JobFailureCode; detail: string; log?: string }
