import type { Config } from '../../shared/config.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type {
  BatchCounts,
  BatchItemRecord,
  BatchRecord,
  Destination,
} from '../../store/interfaces/batches.ts'
import { guid, guidOf } from '../../store/interfaces/ids.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import { type ConversionParts, prepareStaged } from '../intake/prepare.ts'
import { checkDestination } from './destination.ts'
import type { BatchRunner } from './runner.ts'

export interface BatchesParts {
  /** Id of this host, on whose machine the result folders are. */
  host: string
  stores: Pick<Stores, 'batches' | 'files' | 'jobs' | 'events'>
  conversions: ConversionParts
  config: Pick<Config, 'home'>
  runner: BatchRunner
}

/** A request for a new batch. */
export interface BatchRequest {
  fileIds: readonly string[]
  targetFormat: string
  options: Record<string, unknown>
  destination: Destination
  /** Jobs to repeat, by the file they convert. */
  retries?: ReadonlyMap<string, string>
}

export interface CountedBatch extends BatchRecord {
  counts: BatchCounts
}

/** How long finished batches stay listed. */
const LISTED_MS = 24 * 3600_000
/** Source of a batch whose files have several formats. */
const SEVERAL_FORMATS = 'files'

/** What accounts do with their batches: many files with one choice of target, options and destination. */
export class Batches {
  readonly #parts: BatchesParts

  constructor(parts: BatchesParts) {
    this.#parts = parts
  }

  /**
   * Stores a batch, whose files enter the queue as places become free.
   * @param key of the caller's own: one that was used before names the batch that it made, while there is that batch
   * @throws RequestError if a file is gone, or one of them cannot be converted as requested; nothing is then stored
   */
  async create(accountId: string, request: BatchRequest, key?: string): Promise<CountedBatch> {
    const id = key === undefined ? guid() : guidOf(accountId, key)
    const known = key === undefined ? undefined : await this.#parts.stores.batches.get(id)
    if (known) return this.#counted(known)
    const { targetFormat, options, destination } = request
    const { items, targetKey, formats } = await this.#prepare(accountId, request)
    const [format] = formats
    const batch = await this.#parts.stores.batches.create(
      {
        id,
        accountId,
        host: this.#parts.host,
        source: formats.size === 1 && format ? format : SEVERAL_FORMATS,
        targetKey: targetKey ?? targetFormat,
        options,
        destination,
      },
      items,
    )
    this.#parts.runner.changed(batch.id)
    this.#parts.runner.wake()
    return this.#counted(batch)
  }

  /**
   * Adds files to a batch, such as those that were still being read when it was created. One that is done continues.
   * @throws RequestError like `create`, and request.not_found for a batch that is canceled or gone
   */
  async append(id: string, accountId: string, fileIds: readonly string[]): Promise<CountedBatch> {
    const { targetKey, options, destination } = await this.#own(id, accountId)
    const request = { fileIds, targetFormat: targetKey, options, destination }
    const { items } = await this.#prepare(accountId, request)
    if (!(await this.#parts.stores.batches.append(id, items))) throw notFound()
    this.#parts.runner.changed(id)
    this.#parts.runner.wake()
    return this.get(id, accountId)
  }

  /** The items for the files of a request, which are checked. */
  async #prepare(accountId: string, request: BatchRequest) {
    const { stores, conversions, config } = this.#parts
    const ids = [...new Set(request.fileIds)]
    const found = await stores.files.use(ids, accountId)
    if (found.length < ids.length) {
      throw new RequestError(
        'request.no_files',
        message('batches.files_gone', { count: ids.length - found.length }),
      )
    }
    const { targetFormat, options, destination, retries } = request
    const conversion = { accountId, origin: 'app', targetFormat, options } as const
    const [targetKey] = new Set(found.map(file => prepareStaged(conversions, file, conversion).targetKey))
    await checkDestination(destination, config.home, found)
    return {
      targetKey,
      formats: new Set(found.map(({ format }) => format)),
      items: found.map(({ id, name, relativePath, bytes, format, addedAt, originalPath, modifiedAt }) => ({
        ...{ id: guid(), fileId: id, name, relativePath, bytes, format, addedAt, originalPath, modifiedAt },
        retryOf: retries?.get(id) ?? null,
      })),
    }
  }

  /** Open batches in their order, then those that finished in the last day. */
  async list(accountId: string): Promise<CountedBatch[]> {
    const { batches } = this.#parts.stores
    const found = await batches.list(accountId, this.#parts.stores.jobs.now() - LISTED_MS)
    const counts = await batches.counts(found.map(({ id }) => id))
    return found.map(batch => ({ ...batch, counts: counts.get(batch.id)! }))
  }

  /** @throws RequestError request.not_found */
  async get(id: string, accountId: string): Promise<CountedBatch> {
    return this.#counted(await this.#own(id, accountId))
  }

  /**
   * Items after a position, in order.
   * @throws RequestError request.not_found
   */
  async items(
    id: string,
    accountId: string,
    after: number | null,
    limit: number,
  ): Promise<BatchItemRecord[]> {
    await this.#own(id, accountId)
    return this.#parts.stores.batches.items(id, after, limit)
  }

  /** Stops admitting items; jobs already queued continue. A batch that is not active is left unchanged. */
  async pause(id: string, accountId: string): Promise<CountedBatch> {
    await this.#own(id, accountId)
    await this.#parts.stores.batches.pause(id)
    return this.#changedBy(id, accountId)
  }

  /** Resumes a paused batch; others are left unchanged. */
  async resume(id: string, accountId: string): Promise<CountedBatch> {
    await this.#own(id, accountId)
    await this.#parts.stores.batches.resume(id)
    this.#parts.runner.wake()
    return this.#changedBy(id, accountId)
  }

  /** Cancels an open batch with its waiting items and its jobs. */
  async cancel(id: string, accountId: string): Promise<CountedBatch> {
    await this.#own(id, accountId)
    if (await this.#parts.stores.batches.cancel(id)) await this.#parts.runner.cancelJobs(id, accountId)
    return this.#changedBy(id, accountId)
  }

  /** Cancels one item of a batch, whether it is waiting or has become a job; one that has ended is left unchanged. */
  async cancelItem(id: string, itemId: string, accountId: string): Promise<void> {
    const { batches } = this.#parts.stores
    await this.#ownItem(id, itemId, accountId)
    // It may become a job between the two checks.
    if (await batches.cancelItem(itemId)) {
      this.#parts.stores.events.publish({ type: 'item', accountId, itemId })
      return this.#parts.runner.changed(id)
    }
    const jobId = (await batches.item(itemId))?.jobId
    if (jobId) await this.#parts.runner.cancelJob(jobId, accountId)
  }

  /**
   * Tries again to save a result that could not be saved, with a number if its name is taken.
   * @throws RequestError request.not_found, or request.invalid_parameter if there is nothing to save
   */
  async saveItem(id: string, itemId: string, accountId: string): Promise<void> {
    await this.#ownItem(id, itemId, accountId)
    if (!(await this.#parts.stores.batches.saveAgain(itemId))) {
      throw new RequestError('request.invalid_parameter', message('destination.nothing_to_save'))
    }
    this.#parts.runner.wake()
    this.#parts.runner.changed(id)
  }

  /**
   * Converts items of a batch again, as a new batch with the same target, options and destination.
   * @throws RequestError request.not_found, or like `create`
   */
  async retry(id: string, accountId: string, itemIds: readonly string[]): Promise<CountedBatch> {
    const { targetKey, options, destination } = await this.#own(id, accountId)
    const items = await Promise.all(itemIds.map(itemId => this.#parts.stores.batches.item(itemId)))
    const retries = new Map<string, string>()
    const fileIds = items.map(item => {
      if (item?.batchId !== id) throw itemNotFound()
      if (item.jobId !== null) retries.set(item.fileId, item.jobId)
      return item.fileId
    })
    return this.create(accountId, { fileIds, targetFormat: targetKey, options, destination, retries })
  }

  /** Removes items that have ended; their jobs stay. Others are left alone. */
  async removeItems(ids: readonly string[], accountId: string): Promise<void> {
    const { stores } = this.#parts
    for (const [batchId, isLeft] of await stores.batches.removeItems(ids, accountId)) {
      if (isLeft) this.#parts.runner.changed(batchId)
      else stores.events.publish({ type: 'batch-removed', accountId, batchId })
    }
  }

  async #own(id: string, accountId: string): Promise<BatchRecord> {
    const batch = await this.#parts.stores.batches.get(id)
    if (batch?.accountId !== accountId) throw notFound()
    return batch
  }

  async #ownItem(id: string, itemId: string, accountId: string): Promise<void> {
    await this.#own(id, accountId)
    if ((await this.#parts.stores.batches.item(itemId))?.batchId !== id) throw itemNotFound()
  }

  async #counted(batch: BatchRecord): Promise<CountedBatch> {
    const counts = await this.#parts.stores.batches.counts([batch.id])
    return { ...batch, counts: counts.get(batch.id)! }
  }

  async #changedBy(id: string, accountId: string): Promise<CountedBatch> {
    await this.#parts.stores.batches.finish(id)
    this.#parts.runner.changed(id)
    return this.get(id, accountId)
  }
}

const itemNotFound = () => new RequestError('request.not_found', message('batches.item_not_found'))
const notFound = () => new RequestError('request.not_found', message('batches.not_found'))
