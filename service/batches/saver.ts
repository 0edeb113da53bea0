import { access } from 'node:fs/promises'
import { splitName } from '../catalogue/formats.ts'
import { message } from '../messages/message.ts'
import { portableFolders, portableName } from '../names/names.ts'
import { fillTemplate } from '../names/template.ts'
import type { BatchItemRecord, BatchProblem, BatchRecord } from '../stores/batches.ts'
import type { JobOutput } from '../stores/jobs.ts'
import type { Stores } from '../stores/stores.ts'
import { Wakeable } from '../wakeable.ts'
import { destinationProblem, destinationProblems, refusesName } from './destination.ts'
import { place } from './place.ts'

/** Results asked for at once. */
const PAGE = 20

export interface SaverParts {
  stores: Pick<Stores, 'batches' | 'jobs' | 'blobs' | 'events'>
  /** Told of batches that have a problem now. */
  onChange: (batchId: string) => void
  onError: (error: unknown) => void
}

/** Saves the results of batches to their folders, one after another, as their jobs end. */
export class Saver extends Wakeable {
  readonly #parts: SaverParts
  /** How many items the batches have that are being saved. */
  readonly #totals = new Map<string, number>()

  constructor(parts: SaverParts) {
    super(signal => this.#saveAll(signal), parts.onError)
    this.#parts = parts
  }

  async #saveAll(signal: AbortSignal): Promise<void> {
    this.#totals.clear()
    for (;;) {
      const items = await this.#parts.stores.batches.undelivered(PAGE, destinationProblems)
      if (items.length === 0) return
      for (const item of items) {
        if (signal.aborted) return
        if (!(await this.#save(item, signal))) break
      }
    }
  }

  /** Saves one result. False when its batch has to wait, so that others must be asked for anew. */
  async #save(item: BatchItemRecord, signal: AbortSignal): Promise<boolean> {
    const { stores, onChange, onError } = this.#parts
    const [batch, job] = [await stores.batches.get(item.batchId), await stores.jobs.get(item.jobId ?? '')]
    if (batch?.destination.kind !== 'folder') return true
    if (!job?.output || !job.outputKey) return this.#giveUp(item, expired)
    await using result = await stores.blobs.checkout(job.outputKey)
    const gone = await access(result.path).then(
      () => false,
      () => true,
    )
    if (gone) return this.#giveUp(item, expired)
    try {
      const path = await place({
        from: result.path,
        root: batch.destination.path,
        folders: batch.destination.keepFolders ? portableFolders(item.relativePath ?? '') : [],
        name: await this.#nameOf(batch, item, job.output),
        id: item.id,
        remembered: item.savedTo,
        remember: async path => void (await stores.batches.placing(item.id, path)),
        signal,
      })
      await stores.batches.saved(item.id, path)
    } catch (error) {
      if (signal.aborted) return false
      if (refusesName(error)) return this.#giveUp(item, nameRefused)
      onError(error)
      await stores.batches.pause(batch.id, destinationProblem(error))
      onChange(batch.id)
      return false
    }
    stores.events.publish({ type: 'job', accountId: job.accountId, jobId: job.id })
    return true
  }

  async #giveUp(item: BatchItemRecord, problem: BatchProblem): Promise<boolean> {
    await this.#parts.stores.batches.notSaved(item.id, problem)
    this.#parts.onChange(item.batchId)
    return true
  }

  async #nameOf(batch: BatchRecord, item: BatchItemRecord, { fileName }: JobOutput): Promise<string> {
    const { destination } = batch
    if (destination.kind !== 'folder' || destination.name === undefined) return portableName(fileName)
    return fillTemplate(destination.name, {
      name: splitName(item.name).stem,
      ext: splitName(fileName).suffix,
      counter: item.position,
      total: await this.#totalOf(batch.id),
      date: batch.createdAt,
      target: batch.targetKey,
    })
  }

  async #totalOf(batchId: string): Promise<number> {
    const known = this.#totals.get(batchId)
    if (known !== undefined) return known
    const counts = await this.#parts.stores.batches.counts([batchId])
    const total = counts.get(batchId)?.total ?? 0
    this.#totals.set(batchId, total)
    return total
  }
}

const expired: BatchProblem = { code: 'jobs.expired', reason: message('destination.result_gone') }
const nameRefused: BatchProblem = {
  code: 'destination.name_refused',
  reason: message('destination.name_refused'),
}
