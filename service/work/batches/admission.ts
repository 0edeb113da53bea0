import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { SerialLoop } from '../../shared/serial-loop.ts'
import type { BatchItemRecord, BatchProblem, BatchRecord } from '../../store/interfaces/batches.ts'
import { storageFailed, storeFault } from '../../store/interfaces/errors.ts'
import type { QueueLimits, Submission } from '../../store/interfaces/jobs.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import { type ConversionParts, prepareStaged } from '../intake/prepare.ts'
import type { StagedFiles } from '../intake/staged.ts'
import type { Jobs } from '../jobs/jobs.ts'

export interface AdmissionParts {
  stores: Pick<Stores, 'batches' | 'jobs' | 'blobs' | 'events'>
  jobs: Jobs
  files: StagedFiles
  conversions: ConversionParts
  limits: QueueLimits
  /** Called for batches that were paused or in which an item has failed. */
  onChange: (batchId: string) => void
  onError: (error: unknown) => void
}

/** How often an item is tried, a second apart, while its store answers but does not do what it is asked. */
const ITEM_ATTEMPTS = 30

/** Code of the problem that is resolved by adding credits. */
export const OUT_OF_CREDITS = 'entitlements.insufficient_credits'

/** Turns the items of batches into jobs, in order, as places in the queue become free. */
export class Admission extends SerialLoop {
  readonly #parts: AdmissionParts
  /** The item that could not be submitted last, and how often in a row. */
  #stuck = { id: '', times: 0 }

  constructor(parts: AdmissionParts) {
    super(signal => this.#admitAll(signal), parts.onError)
    this.#parts = parts
  }

  async #admitAll(signal: AbortSignal): Promise<void> {
    for (const accountId of await this.#parts.stores.batches.accountsWaiting()) {
      while (!signal.aborted && (await this.#hasPlace(accountId))) {
        const next = await this.#parts.stores.batches.nextItem(accountId)
        if (!next || !(await this.#admit(next.batch, next.item))) break
      }
    }
  }

  async #hasPlace(accountId: string): Promise<boolean> {
    const { stores, limits } = this.#parts
    const { queued, running, fromBatches } = await stores.jobs.counts(accountId)
    return queued + running < limits.openPerAccount && fromBatches < limits.openFromBatches
  }

  /** Makes a job of an item, or records why not. False if there is no free place. */
  async #admit(batch: BatchRecord, item: BatchItemRecord): Promise<boolean> {
    try {
      return (await this.#submit(batch, item)).kind !== 'queue_full'
    } catch (error) {
      await this.#refused(batch, item, error)
      return true
    }
  }

  async #submit(batch: BatchRecord, item: BatchItemRecord): Promise<Submission> {
    const { jobs, files, conversions } = this.#parts
    const file = await files.unchanged(item.fileId, batch.accountId)
    const { accountId, targetKey, options } = batch
    const request = { accountId, origin: 'app', targetFormat: targetKey, options } as const
    const job = { ...prepareStaged(conversions, file, request), inputSource: file.source, ...repeats(item) }
    const place = (key: string) => files.copyTo(file, key)
    const submission = await jobs.trySubmit(job, place, { itemId: item.id })
    if (submission.kind === 'insufficient_credits') {
      const { available } = submission
      const reason = message('batches.insufficient_credits', { required: job.creditCost, available })
      await this.#pause(batch, { code: OUT_OF_CREDITS, reason })
    }
    return submission
  }

  /**
   * An item that cannot become a job fails by itself. What would affect all others as well waits: by itself for a store that is out
   * of reach, for a person where the disk is full or the store refuses.
   */
  async #refused(batch: BatchRecord, item: BatchItemRecord, error: unknown): Promise<void> {
    const { stores, onChange, onError } = this.#parts
    const fault = storeFault(error)
    if (fault === 'transient' && !(await this.#isGivenUp(item))) throw error
    if (fault === 'full') {
      return this.#pause(batch, { code: 'server.disk_full', reason: message('batches.disk_full') })
    }
    if (!(error instanceof RequestError)) onError(error)
    if (fault === 'refused') {
      return this.#pause(batch, { code: 'jobs.storage_failed', reason: storageFailed(error) })
    }
    const problem: BatchProblem =
      error instanceof RequestError
        ? { code: error.code, reason: error.reason }
        : { code: 'server.internal_error', reason: message('batches.item_failed') }
    await stores.batches.failItem(item.id, problem)
    stores.events.publish({ type: 'item', accountId: batch.accountId, itemId: item.id })
    onChange(batch.id)
  }

  /** Whether an item fails alone, again and again while its store answers, as on a damaged part of a disk. */
  async #isGivenUp({ id }: BatchItemRecord): Promise<boolean> {
    await this.#parts.stores.blobs.check()
    this.#stuck = { id, times: this.#stuck.id === id ? this.#stuck.times + 1 : 1 }
    return this.#stuck.times >= ITEM_ATTEMPTS
  }

  async #pause(batch: BatchRecord, problem: BatchProblem): Promise<void> {
    await this.#parts.stores.batches.pause(batch.id, problem)
    this.#parts.onChange(batch.id)
  }
}

const repeats = ({ retryOf }: BatchItemRecord) => (retryOf === null ? {} : { retryOf })
