/** Failures for which neither the file nor the request is to blame. */
const ownFailures: ReadonlySet<string> = new Set([
  'jobs.interrupted',
  'jobs.engine_crashed',
  'jobs.engine_missing',
  'jobs.disk_full',
  'jobs.storage_failed',
  'transcription.model_not_installed',
])

/** The HTTP status of a failed job, where its failure is the answer. */
export const statusOfFailure = (code: string): 422 | 500 => (ownFailures.has(code) ? 500 : 422)
