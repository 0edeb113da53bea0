import type { Funds } from '../../accounts/funds.ts'
import { RequestError } from '../../shared/errors.ts'
import type { BatchRecord } from '../../store/interfaces/batches.ts'
import type { ServiceEvent } from '../../store/interfaces/events.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import { Admission, type AdmissionParts, OUT_OF_CREDITS } from './admission.ts'
import { Saver, type SaverParts } from './saver.ts'
import { Throttle } from './throttle.ts'

export interface BatchRunnerParts extends Omit<AdmissionParts & SaverParts, 'stores' | 'onChange'> {
  stores: Stores
  funds: Pick<Funds, 'check'>
}

/** Minimum interval between published changes of a batch. */
const PUBLISH_EVERY_MS = 150

/** Keeps batches going: submits their items and saves their results as jobs, balances and batches change, and publishes their state. */
export class BatchRunner {
  readonly #parts: BatchRunnerParts
  readonly #admission: Admission
  readonly #saver: Saver
  readonly #changed: Throttle
  readonly #funded: Throttle
  #unsubscribe: (() => void) | undefined

  constructor(parts: BatchRunnerParts) {
    this.#parts = parts
    this.#changed = new Throttle(PUBLISH_EVERY_MS, id => this.#publish(id), parts.onError)
    this.#funded = new Throttle(PUBLISH_EVERY_MS, accountId => this.#resumeFunded(accountId), parts.onError)
    const onChange = (id: string) => this.changed(id)
    this.#admission = new Admission({ ...parts, onChange })
    this.#saver = new Saver({ ...parts, onChange })
  }

  /** Resumes after a restart. */
  async start(): Promise<void> {
    const { host, stores, onError } = this.#parts
    if (!stores.isShared) await stores.batches.adopt(host)
    this.#unsubscribe = stores.events.subscribe(event => void this.#onEvent(event).catch(onError))
    await this.#reconcileAll(await stores.batches.unfinished())
  }

  /** Checks this host's own batches, for which events may have been missed. */
  async reconcile(): Promise<void> {
    const { host, stores } = this.#parts
    const batches = await stores.batches.unfinished()
    if (batches.length > 0) await this.#reconcileAll(batches.filter(batch => batch.host === host))
  }

  async #reconcileAll(batches: readonly BatchRecord[]): Promise<void> {
    for (const { id, accountId, state } of batches) {
      if (state === 'canceled') await this.cancelJobs(id, accountId)
      this.changed(id)
      this.#funded.call(accountId)
    }
    this.wake()
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#changed.stop()
    this.#funded.stop()
    await Promise.all([this.#admission.stop(), this.#saver.stop()])
  }

  /** Publishes the new state of a batch, and finishes it if nothing is left to be done. */
  changed(id: string): void {
    this.#changed.call(id)
  }

  /** Submits and saves whatever is waiting. */
  wake(): void {
    this.#admission.wake()
    this.#saver.wake()
  }

  /** Cancels the open jobs of a batch. */
  async cancelJobs(id: string, accountId: string): Promise<void> {
    const open = await this.#parts.stores.batches.openJobs(id)
    await Promise.all(open.map(jobId => this.cancelJob(jobId, accountId)))
  }

  /** Cancels a job, unless it has ended. */
  async cancelJob(jobId: string, accountId: string): Promise<void> {
    try {
      await this.#parts.jobs.cancel(jobId, accountId)
    } catch (error) {
      // It ended at the same moment.
      if (!(error instanceof RequestError)) throw error
    }
  }

  async #onEvent(event: ServiceEvent): Promise<void> {
    if (event.type === 'balance') this.#funded.call(event.accountId)
    else if (event.type === 'batch' || event.type === 'job-removed') this.wake()
    else if (event.type === 'job') {
      // Every host hears of every job: it asks the store only about what can concern a batch.
      const item = event.batchId && (await this.#parts.stores.batches.itemOfJob(event.jobId))
      if (item) this.changed(item.batchId)
      if (item && item.delivery === 'pending') this.#saver.wake()
      // An end makes room for the next.
      if (event.now === 'ended') this.#admission.wake()
    }
  }

  /** Finishes a batch without remaining work, and publishes its state. */
  async #publish(id: string): Promise<void> {
    const { stores } = this.#parts
    await stores.batches.finish(id)
    const batch = await stores.batches.get(id)
    if (batch) stores.events.publish({ type: 'batch', accountId: batch.accountId, batchId: id })
  }

  /** Resumes batches that stopped for lack of credits, as soon as the next file can be paid for. */
  async #resumeFunded(accountId: string): Promise<void> {
    const { funds, stores } = this.#parts
    const { batches } = stores
    const stopped = (await batches.list(accountId, stores.jobs.now())).filter(
      batch => batch.problem?.code === OUT_OF_CREDITS,
    )
    if (stopped.length === 0) return
    for (const { id, problem } of stopped) {
      const required = Number(problem?.reason.parameters?.required)
      const isFunded = await funds.check({ accountId }, required).then(
        () => true,
        () => false,
      )
      if (!isFunded) continue
      await batches.resume(id)
      this.changed(id)
      this.#admission.wake()
    }
  }
}
