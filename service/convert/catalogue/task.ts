import type { FileFacts } from '../../shared/file-facts.ts'
import type { Message } from '../../shared/messages/message.ts'
import type { Amount } from './costing.ts'
import type { PreviewContent } from './preview.ts'

/** What a converter gets and returns. It never sees a job, an account or a request. */

/** Values that a running task reports as `progress.phase`. */
export type Phase = 'preparing' | 'downloading' | 'converting' | 'packaging'

/** What JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** A file to convert. */
export interface TaskInput {
  /** Absolute path of the file on disk. */
  path: string
  /** The name given by the user, without folders. */
  name: string
  /** `name` without its format's suffix. */
  stem: string
  bytes: number
  /** Format key of the content itself: `docx` even if the converter's source is the group `word`. */
  format: string
  /** What `measure` found in the file, for the matching work; absent if nothing was stored. */
  probe?: JsonValue | undefined
}

/** Options as in a request or a job; a work gets its own type of them. */
export type Options = Record<string, unknown>

export interface Task<TaskOptions = unknown> {
  input: TaskInput
  source: string
  target: string
  /** Validated, with all defaults filled in. */
  options: TaskOptions
  /** The task's own folder for outputs and temporary files; deleted when the task ends, however it ends. */
  folder: string
  /** How many processor cores it may use: more than one while few other jobs run. */
  cores: number
  /** Reports the fraction done, 0 to 1. */
  progress(fraction: number, phase?: Phase): void
  /** Warns the user of a problem that did not stop the conversion, such as a skipped damaged packet. */
  warn(warning: Message): void
  /**
   * Reports how much of the input was read so far, in the unit of its price. A work whose measure relies on a header
   * calls it while reading and once at the end.
   * @throws JobFailure `corrupt_input` if it is more than was charged for, since the header understated it
   */
  consumed(amount: Amount): void
  /**
   * Converts a file that the input contains into PDF, as a conversion of its own would; options that its converter does
   * not have are ignored.
   * @throws JobFailure as that conversion does, and unsupported_input if there is none
   */
  pagesOf(file: TaskInput, options: Options, warn: (warning: Message) => void): Promise<Output[]>
}

/** A finished file inside the task's folder. */
export interface Output {
  path: string
  /** File name; by default the input's stem (numbered if there are several) and the target's extension. */
  name?: string
  /** How many files it is, if it is a ZIP that is unpacked where results go. */
  files?: number
}

/** The result of a row's `load()`: a work that takes the row's options. */
export interface Work<TaskOptions> {
  convert: (task: Task<TaskOptions>) => Promise<Output[]>
}

/**
 * A work with any options. `convert` is declared as a method, so that its parameters may be narrower:
 * `defineConverters` has checked each work against the options of its row.
 */
export interface AnyWork {
  convert(task: Task): Promise<Output[]>
}

/** Size of a file in the unit of its price, and what was learnt while measuring. */
export interface Measure {
  /** Pages, slides or frames. */
  pages?: number
  minutes?: number
  /** What a header says, for people who look at the file before it becomes a job. */
  facts?: FileFacts
  /** Passed with the job to the work, which then need not examine the file again. */
  probe?: JsonValue
}

/** The result of a converter's `measure()`. Throws `JobFailure` if the file cannot be measured. */
export interface Prober {
  measure(input: TaskInput): Promise<Measure>
}

/** What is converted for a preview: a part of a file, or all of it. */
export interface Excerpt {
  options: Options
  /** Size of the whole result given that of the part; null if unknown. */
  whole(bytes: number): number | null
  /** Whether it really is only a part. */
  isPart: boolean
  /** Writes the same seconds of the media file itself to a file. @throws JobFailure */
  sound?: (path: string) => Promise<PreviewContent>
  /** Number of the converted page, from 0. */
  page?: number
}

/** The result of a row's `part()`: chooses what represents a file, given the row's options. Throws `JobFailure`. */
export interface Excerpter<TaskOptions> {
  partOf: (input: TaskInput, options: TaskOptions) => Promise<Excerpt>
}

/** The same with any options; see `AnyWork`. */
export interface AnyExcerpter {
  partOf(input: TaskInput, options: unknown): Promise<Excerpt>
}
