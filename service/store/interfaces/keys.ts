import type { Attempt } from './jobs.ts'

/**
 * Keys of a job's blobs. Each attempt has its own output, so that an attempt that lost its lease cannot damage
 * another's.
 */
export const jobBlobs = {
  all: (id: string) => `jobs/${id}`,
  input: (id: string) => `jobs/${id}/input`,
  output: ({ id, attempts }: Attempt) => `jobs/${id}/output-${attempts}`,
}

/** The job that a key of a blob belongs to, if it does. */
export const jobOf = (key: string): string | undefined => /^jobs\/([^/]+)/.exec(key)?.[1]

/** Keys of a staged file's blobs. */
export const fileBlobs = {
  all: (id: string) => `files/${id}`,
  content: (id: string) => `files/${id}/content`,
}

/** Keys of what was set aside after the database was replaced, by the day. */
export const asideBlobs = {
  all: 'set-aside',
  of: (date: string) => `set-aside/${date}`,
}
