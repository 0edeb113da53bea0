import { stat } from 'node:fs/promises'
import { hashOfFile } from '../../shared/file-hash.ts'
import { isThere } from '../../shared/placing/naming.ts'
import { holds } from '../../shared/placing/unpack.ts'
import type { BatchItemRecord, BatchProblem } from '../../store/interfaces/batches.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import { problemOf } from './destination.ts'

export interface OriginalsParts {
  stores: Pick<Stores, 'batches' | 'jobs'>
  /** Moves a file to the recycle bin of this system. */
  recycle: (path: string) => Promise<void>
  onError: (error: unknown, jobId?: string) => void
}

/** Whether what was saved, a file or the folder of several, reads as the result. */
export async function isSaved(saved: string, result: string, isSeveral: boolean): Promise<boolean> {
  if (!(await isThere(saved))) return false
  return isSeveral
    ? holds(saved, result)
    : (await hashOfFile(saved).catch(() => '')) === (await hashOfFile(result))
}

/** Puts originals into the recycle bin once nothing needs them any more. */
export class Originals {
  readonly #parts: OriginalsParts

  constructor(parts: OriginalsParts) {
    this.#parts = parts
  }

  /**
   * Recycles the original of a result that was saved. It stays if the conversion had warnings, if it was changed meanwhile, if the
   * saved file does not read as the result, and as long as it becomes something else too.
   * @param saved path that the result was saved to, or of the folder of several
   * @param result path of the result as it was made
   * @returns what went wrong, if it was to go and could not
   */
  async discard(
    item: BatchItemRecord,
    job: Job,
    { saved, result }: Record<'saved' | 'result', string>,
  ): Promise<BatchProblem | undefined> {
    const { originalPath, bytes, modifiedAt } = item
    if (originalPath === null || job.warnings.length > 0 || (await this.#isNeeded(item, originalPath))) return
    const found = await stat(originalPath).catch(() => undefined)
    const isSame = found?.size === bytes && Math.trunc(found.mtimeMs) === Math.trunc(modifiedAt ?? Number.NaN)
    if (!isSame) return
    try {
      if (!(await isSaved(saved, result, (job.output?.fileCount ?? 1) > 1))) return
      await this.#parts.recycle(originalPath)
    } catch (error) {
      this.#parts.onError(error, job.id)
      return problemOf('destination.not_recycled')
    }
  }

  /** Whether another conversion of the file is still to come, or of those added with it one went wrong. */
  async #isNeeded(item: BatchItemRecord, originalPath: string): Promise<boolean> {
    const all = await this.#parts.stores.batches.itemsOf(originalPath)
    const found = await this.#parts.stores.jobs.getMany(all.flatMap(({ jobId }) => jobId ?? []))
    const jobs = new Map(found.map(job => [job.id, job]))
    const repeated = new Set(all.flatMap(({ retryOf }) => retryOf ?? []))
    return all.some(other => {
      if (other.id === item.id) return false
      const job = jobs.get(other.jobId ?? '')
      const state = job?.status.toLowerCase() ?? other.state
      if (state === 'waiting' || state === 'queued' || state === 'running') return true
      if (state === 'succeeded' && other.delivery === 'pending') return true
      if (other.addedAt !== item.addedAt || repeated.has(other.jobId ?? '')) return false
      return state === 'failed' || other.delivery === 'failed' || (job?.warnings.length ?? 0) > 0
    })
  }
}
