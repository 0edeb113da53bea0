import type { components } from './api.ts'
import type { FileSource } from './file.ts'
import type { RetryPolicy } from './retry.ts'

export type Job = components['schemas']['Job']
export type JobAccepted = components['schemas']['JobAccepted']
export type JobList = components['schemas']['JobList']
export type Conversions = components['schemas']['Conversions']
export type Estimate = components['schemas']['Estimate']
export type Inspection = components['schemas']['Inspection']
export type Preset = components['schemas']['Preset']
export type Entitlements = components['schemas']['Entitlements']

/** A file to convert: its path, the file, its bytes with a name, or an address that the service fetches. */
export type Input = string | SentInput

/** A file to convert, known by more than its path. */
export type SentInput =
  | File
  | FileSource
  | { readonly data: Blob; readonly name: string }
  | { readonly url: string; readonly sourceFormat: string }

/** What a file is to become: a format, or several within one job, each from the one before, with their options. */
export type Target = string | readonly Step[]

/** A conversion of several in one job. */
export interface Step {
  readonly targetFormat: string
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

export interface ClientSettings {
  /** Origin of the service; by default a Refile on this machine. */
  baseUrl?: string | undefined
  /** Sent as `X-Service-Api-Key`. */
  apiKey?: string | undefined
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** How requests are sent; the runtime's own `fetch` by default. */
  fetch?: typeof fetch | undefined
  retries?: Partial<RetryPolicy> | undefined
}

export interface SubmitSettings {
  /** Overrides the format that the file's name and content suggest. */
  sourceFormat?: string | undefined
  /** Options of the conversion; see `schema()`. Steps have their own. */
  options?: Readonly<Record<string, unknown>> | undefined
  webhook?: { url: string; secret: string; events?: readonly ('succeeded' | 'failed')[] } | undefined
  /** Of the submission, the same in every attempt; random by default. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

export interface FollowSettings {
  signal?: AbortSignal | undefined
  /** Called with each status of the job that differs from the last one. */
  onProgress?: ((job: Job) => void) | undefined
}

/** A finished conversion. */
export interface Result {
  readonly job: Job
  readonly fileName: string
  readonly contentType: string
  /** More than 1 for a ZIP of several files. */
  readonly fileCount: number
  /** What was lost or missed in converting. */
  readonly warnings: readonly string[]
  /** Opens the result; each call downloads it again. */
  stream(): Promise<ReadableStream<Uint8Array>>
  blob(): Promise<Blob>
  /** Removes the job and its result from the service. */
  remove(): Promise<void>
}

export interface ConvertAllSettings extends Omit<SubmitSettings, 'idempotencyKey'> {
  /** How many files are on their way at once; 12 by default. A service takes 18 of an account, and runs 6. */
  atOnce?: number
}

/** One of many files at its end: its result, or why it has none. */
export type Converted<Each = Input> =
  | { readonly input: Each; readonly result: Result; readonly error?: undefined }
  | { readonly input: Each; readonly result?: undefined; readonly error: Error }
