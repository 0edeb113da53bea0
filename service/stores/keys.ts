import type { Attempt } from './jobs.ts'

/** Keys of a job's blobs. Each attempt has an output of its own, so that one that lost its lease spoils nothing. */
export const jobBlobs = {
  all: (id: string) => `jobs/${id}`,
  input: (id: string) => `jobs/${id}/input`,
  output: ({ id, attempts }: Attempt) => `jobs/${id}/output-${attempts}`,
}

/** Keys of a staged file's blobs. */
export const fileBlobs = {
  all: (id: string) => `files/${id}`,
  content: (id: string) => `files/${id}/content`,
}
