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

/** Whose an error is: of the file, for good or for now; or of all files. */
export type Fault = 'file' | 'passing' | Hindrance

const faults: readonly [codes: RegExp, fault: Fault][] = [
  [/^entitlements\./, 'watch.no_credits'],
  [/^(ENOSPC|EDQUOT)$/, 'watch.disk_full'],
  [
    /^(connection|rate_limited|request\.timeout|(http|server|queue|api_key|session)\..*)$/,
    'watch.interrupted',
  ],
  [/^jobs\.(disk_full|storage_failed|interrupted|expired|not_found|not_ready)$/, 'passing'],
  [/^(jobs|convert|request|transcription)\./, 'file'],
]

/** What an error of a converter, or of saving what it made, means; undefined for one that says nothing of the file. */
export const faultOf = (error: unknown): Fault | undefined => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? faults.find(([codes]) => codes.test(code))?.[1] : undefined
}
