import type { Message } from '../messages/message.ts'
import type { Amount } from './costing.ts'
import type { FileFacts } from './facts.ts'

/** What a converter gets and what it gives back. It never sees a job, an account or a request. */

/** Words a running task reports for `progress.phase`. */
export type Phase = 'preparing' | 'converting' | 'packaging'

/** What JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** A file to convert. */
export interface TaskInput {
  /** Absolute path of the file on disk. */
  path: string
  /** Name the user gave it, without folders. */
  name: string
  /** `name` without its format's suffix. */
  stem: string
  bytes: number
  /** Format key of the content itself: `docx` even when the converter's source is the group `word`. */
  format: string
  /** What `measure` found in the file, for the work that belongs to it; absent when nothing was kept. */
  probe?: JsonValue | undefined
}

/** Options as a request or a job has them; a work gets its own type of them. */
export type Options = Record<string, unknown>

export interface Task<TaskOptions = unknown> {
  input: TaskInput
  source: string
  target: string
  /** Validated, with every default filled in. */
  options: TaskOptions
  /** Folder of its own for outputs and temporary files; swept when the task ends, however it ends. */
  folder: string
  /** Processor cores it may keep busy: more than one while few other jobs run. */
  cores: number
  /** Reports the share done, 0 to 1. */
  progress(fraction: number, phase?: Phase): void
  /** Tells the user of something that did not stop the conversion, such as a skipped damaged packet. */
  warn(warning: Message): void
  /**
   * Tells how much of the input was read so far, in the unit its price is counted in. A work whose measure believes a
   * header calls it while it reads and once at the end.
   * @throws JobFailure `corrupt_input` when it is more than was charged for, since the header understated it
   */
  consumed(amount: Amount): void
}

/** One finished file inside the task's folder. */
export interface Output {
  path: string
  /** File name to give it; by default the input's stem (numbered when there are several) and the target's extension. */
  name?: string
}

/** What a row's `load()` yields: a work that takes the row's options. */
export interface Work<TaskOptions> {
  convert: (task: Task<TaskOptions>) => Promise<Output[]>
}

/**
 * A work of any options. `convert` is declared as a method, whose parameters may be narrower: `defineConverters` has
 * checked each work against the options of its row.
 */
export interface AnyWork {
  convert(task: Task): Promise<Output[]>
}

/** Size of a file in the unit its price is counted in, and what was learnt on the way. */
export interface Measure {
  /** Pages, slides or frames. */
  pages?: number
  minutes?: number
  /** What the head of a picture says, for people who look at it before it becomes a job. */
  facts?: FileFacts
  /** Travels with the job to the work, which need not look into the file again. */
  probe?: JsonValue
}

/** What a converter's `measure()` yields. Throws `JobFailure` when the file cannot be measured. */
export interface Measurer {
  measure(input: TaskInput): Promise<Measure>
}
