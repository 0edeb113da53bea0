import { JobFailure, type JobFailureCode } from '../service/shared/errors.ts'
import { isFull } from './fixtures/full.ts'
import { seeded } from './fixtures/pixels.ts'

export interface Malformed {
  name: string
  bytes: Buffer
  /** Percentage that is left of a truncated file. */
  cut?: number
}

/**
 * A file truncated at 10, 50 and 90 percent, and in the full suite copies of it with one to eight bytes changed, by seed.
 */
export function malformed(bytes: Uint8Array, copies = 32): Malformed[] {
  const cut = [10, 50, 90].map(percent => ({
    name: `cut at ${percent} %`,
    bytes: Buffer.from(bytes.subarray(0, Math.floor((bytes.length * percent) / 100))),
    cut: percent,
  }))
  const changed = Array.from({ length: isFull ? copies : 0 }, (_, seed) => {
    const random = seeded(seed + 1)
    const copy = Buffer.from(bytes)
    for (let i = random(8); i >= 0; i--) copy[random(copy.length)] = random(256)
    return { name: `changed by seed ${seed + 1}`, bytes: copy }
  })
  return [...cut, ...changed]
}

/** Failures that say something of the machine or of Refile, not of the file. */
const NOT_OF_FILES = new Set<JobFailureCode>([
  'jobs.timeout',
  'jobs.interrupted',
  'jobs.engine_crashed',
  'jobs.engine_missing',
  'jobs.disk_full',
  'jobs.storage_failed',
  'transcription.model_not_installed',
])

/**
 * What is wrong with how the conversion of a damaged file failed, which may be in several ways: nothing, if the failure is of the file and
 * says why; the error itself otherwise.
 */
export const faultOf = (error: unknown): unknown =>
  error instanceof JobFailure && !NOT_OF_FILES.has(error.code) && error.detail !== '' ? undefined : error
