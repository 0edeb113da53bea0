import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlobStore } from '../../service/store/interfaces/blobs.ts'
import { guid } from '../../service/store/interfaces/ids.ts'
import type { NewJob, QueueLimits } from '../../service/store/interfaces/jobs.ts'
import { jobBlobs } from '../../service/store/interfaces/keys.ts'

/** The contract's limits, except that the queue takes as many jobs as a benchmark needs. */
export const LIMITS: QueueLimits = { openPerAccount: 100_000, openFromBatches: 12, runningPerAccount: 6 }

export const newSecretsKey = (): string => randomBytes(32).toString('base64')

export const benchJob = (accountId: string): NewJob => ({
  id: guid(),
  accountId,
  origin: 'api',
  job: 'image.jpg-to-webp',
  category: 'images',
  targetKey: 'webp',
  options: {},
  inputName: 'a.jpg',
  inputFormat: 'jpg',
  inputBytes: 10,
  measure: {},
  fileId: null,
  creditCost: 1,
})

/** Stores the input of a job, which holds how long its worker sleeps. */
export async function putInput(blobs: BlobStore, id: string, sleepMs: number): Promise<void> {
  const path = join(tmpdir(), `refile-bench-${id}`)
  try {
    await writeFile(path, `fine ${sleepMs} input`)
    await blobs.put(jobBlobs.input(id), path)
  } finally {
    // Some storages move the file, others copy it.
    await rm(path, { force: true })
  }
}
