import type { Content } from '../shared/placing/place.ts'

/** A finished conversion. */
export interface Results {
  fileName: string
  /** More than 1 for a ZIP of several files. */
  fileCount: number
  warnings: readonly string[]
  content(): Promise<Content>
  /** Lets go of it where it was made. */
  remove(): Promise<void>
}

/** Converts files, wherever that happens. */
export interface Converter {
  /**
   * @param settings `key` is the same for each attempt that must not be charged again
   * @throws an error whose `code` is that of a job or a request, if the conversion is refused or fails
   */
  convert(
    file: { path: string; name: string },
    target: string,
    settings: { options: Record<string, unknown>; key: string; signal: AbortSignal },
  ): Promise<Results>
  /** Credits left, by which it shows whether some were added since there were too few. */
  credits(): Promise<number>
}

/** What holds up all files. */
export type Hindrance = 'watch.no_credits' | 'watch.interrupted' | 'watch.disk_full'

const hindrances: readonly [codes: RegExp, hindrance: Hindrance][] = [
  [/^entitlements\./, 'watch.no_credits'],
  [/^(ENOSPC|EDQUOT)$/, 'watch.disk_full'],
  [
    /^(connection|rate_limited|request\.timeout|(http|server|queue|api_key|session)\..*)$/,
    'watch.interrupted',
  ],
]
const passing = /^jobs\.(disk_full|storage_failed|interrupted|expired|not_found|not_ready)$/
const ofFile = /^(jobs|convert|request|transcription)\./

const codeOf = (error: unknown) => `${(error as { code?: unknown }).code}`

/** What an error of a converter, or of saving what it made, holds up; undefined if all other files can go on. */
export const hindranceOf = (error: unknown): Hindrance | undefined =>
  hindrances.find(([codes]) => codes.test(codeOf(error)))?.[1]

/** Whether an error is of the file, for good or for now; undefined for one that says nothing of the file. */
export const faultOf = (error: unknown): 'file' | 'passing' | undefined =>
  passing.test(codeOf(error)) ? 'passing' : ofFile.test(codeOf(error)) ? 'file' : undefined
