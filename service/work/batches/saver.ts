import { open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { splitName } from '../../convert/catalogue/formats.ts'
import { message } from '../../shared/messages/message.ts'
import { portableFolders, portableName } from '../../shared/names/names.ts'
import { fillTemplate, names } from '../../shared/names/template.ts'
import { NameTakenError } from '../../shared/placing/naming.ts'
import { sweep } from '../../shared/placing/partial-name.ts'
import { PartialFile } from '../../shared/placing/place.ts'
import { DamagedResult } from '../../shared/placing/unpack.ts'
import { SerialLoop } from '../../shared/serial-loop.ts'
import type {
  BatchItemRecord,
  BatchProblem,
  BatchRecord,
  Destination,
} from '../../store/interfaces/batches.ts'
import { StoreUnavailable, undefinedIfGone } from '../../store/interfaces/errors.ts'
import { jobEvent } from '../../store/interfaces/events.ts'
import type { Job, JobOutput } from '../../store/interfaces/jobs.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import {
  besideProblem,
  destinationProblem,
  destinationProblems,
  problemOf,
  refusesName,
} from './destination.ts'
import { isSaved, Originals } from './originals.ts'

/** Number of results requested at once. */
const PAGE = 20
/** How often an unreadable result is tried while the blob store answers, before it is given up. */
const READ_ATTEMPTS = 3

export interface SaverParts {
  /** Id of this host: results of other hosts' batches are saved by those hosts. */
  host: string
  stores: Pick<Stores, 'batches' | 'jobs' | 'blobs' | 'events'>
  /** Size of a picture in pixels; null for anything else. */
  sizeOf: (path: string, signal: AbortSignal) => Promise<{ width: number; height: number } | null>
  /** Moves a file to the recycle bin of this system. */
  recycle: (path: string) => Promise<void>
  /** Called for batches that have a problem now. */
  onChange: (batchId: string) => void
  onError: (error: unknown, jobId?: string) => void
}

/** A folder of this machine that results are saved to. */
type Folder = Exclude<Destination, { kind: 'keep' }>

/** A result on its way to its folder. */
interface Placing extends Pick<Job, 'inputFormat'> {
  batch: BatchRecord
  destination: Folder
  item: BatchItemRecord
  output: JobOutput
  /** Where it was made. */
  from: string
}

/** The content of a result cannot be read; its folder may be fine. */
class UnreadableResult extends Error {
  constructor(cause: unknown) {
    super('A result cannot be read.', { cause })
    this.name = 'UnreadableResult'
  }
}

/**
 * Saves the results of batches to their folders, one after another, as their jobs end. One that cannot be read blocks no others.
 */
export class Saver extends SerialLoop {
  readonly #parts: SaverParts
  readonly #originals: Originals
  /** Number of items in the batches that are being saved. */
  readonly #totals = new Map<string, number>()
  /** How often each item's result could not be read. */
  readonly #unread = new Map<string, number>()

  constructor(parts: SaverParts) {
    super(signal => this.#saveAll(signal), parts.onError)
    this.#parts = parts
    this.#originals = new Originals(parts)
  }

  async #saveAll(signal: AbortSignal): Promise<void> {
    const { host, stores } = this.#parts
    this.#totals.clear()
    const putOff = new Map<string, UnreadableResult>()
    for (;;) {
      const found = await stores.batches.undelivered(host, PAGE + putOff.size, destinationProblems)
      const items = found.filter(({ id }) => !putOff.has(id))
      if (items.length === 0) break
      for (const item of items) {
        if (signal.aborted) return
        try {
          if (!(await this.#save(item, signal))) break
          this.#unread.delete(item.id)
        } catch (error) {
          if (!(error instanceof UnreadableResult) || signal.aborted) throw error
          if (await this.#isLeft(item)) putOff.set(item.id, error)
        }
      }
    }
    // Throwing it makes the rest be retried.
    const [first] = putOff.values()
    if (first) throw first
  }

  /** Whether an unreadable result is tried again; otherwise it is given up, unless the store is unavailable for all. */
  async #isLeft(item: BatchItemRecord): Promise<boolean> {
    await this.#parts.stores.blobs.check()
    const times = (this.#unread.get(item.id) ?? 0) + 1
    this.#unread.set(item.id, times)
    if (times < READ_ATTEMPTS) return true
    this.#unread.delete(item.id)
    await this.#giveUp(item, unreadable)
    return false
  }

  /** Saves one result. False if its batch has to wait, so that the list must be requested again. */
  async #save(item: BatchItemRecord, signal: AbortSignal): Promise<boolean> {
    const { stores, onChange, onError } = this.#parts
    const [batch, job] = [await stores.batches.get(item.batchId), await stores.jobs.get(item.jobId ?? '')]
    if (!batch || batch.destination.kind === 'keep') return true
    const { destination } = batch
    if (!job?.output || !job.outputKey) return this.#giveUp(item, expired)
    if (destination.kind === 'beside' && item.originalPath === null) {
      return this.#giveUp(item, besideUnknown(item.name))
    }
    await using result = await stores.blobs
      .checkout(job.outputKey, signal)
      .catch(undefinedIfGone)
      .catch(error => {
        // If this machine has no room for a copy, that affects all results.
        throw destinationProblem(error).code === 'destination.full' ? error : new UnreadableResult(error)
      })
    if (!result) return this.#giveUp(item, expired)
    try {
      const { output, inputFormat } = job
      const placing = { batch, destination, item, output, inputFormat, from: result.path }
      const path = await this.#place(placing, signal)
      const problem =
        destination.original === 'recycle'
          ? await this.#originals.discard(item, job, { saved: path, result: result.path })
          : undefined
      await stores.batches.saved(item.id, path, problem)
      if (problem) this.#tellItem(item, job.accountId)
    } catch (error) {
      if (signal.aborted) return false
      if (error instanceof StoreUnavailable) throw error
      if (error instanceof NameTakenError) return this.#giveUp(item, nameTaken(error.path))
      if (error instanceof DamagedResult) throw new UnreadableResult(error)
      if (refusesName(error)) return this.#giveUp(item, nameRefused)
      const own = destination.kind === 'beside' ? besideProblem(error) : undefined
      if (own) return this.#giveUp(item, own)
      const problem = destinationProblem(error)
      if (!(await canBeRead(result.path, problem))) throw new UnreadableResult(error)
      onError(error, job.id)
      // A finished batch cannot wait for its folder; whoever asked for this result may ask again.
      if (!(await stores.batches.pause(batch.id, problem))) return this.#giveUp(item, problem)
      onChange(batch.id)
      return false
    }
    stores.events.publish(jobEvent(job, 'ended'))
    return true
  }

  /** Puts a result into its folder; what an interrupted attempt has put there is that of this one. */
  async #place(placing: Placing, signal: AbortSignal): Promise<string> {
    const { destination, item, output, from } = placing
    const isSeveral = output.fileCount > 1
    const earlier = item.savedTo
    if (earlier !== null && (await isSaved(earlier, from, isSeveral))) {
      // The process that put it there may have ended before its partial file was gone, and nothing else may come to this folder.
      await sweep(dirname(earlier))
      return earlier
    }
    const where = folderOf(destination, item)
    await using partial = isSeveral
      ? await PartialFile.unpack(from, where, { signal })
      : await PartialFile.receive({ from }, where, { signal })
    if (destination.keepDates && item.modifiedAt !== null) await partial.date(item.modifiedAt)
    return await partial.place({
      name: await this.#nameOf(placing, signal),
      taken: destination.taken === 'ask' && !item.numbered ? 'refuse' : 'number',
      announce: async path => void (await this.#parts.stores.batches.placing(item.id, path)),
      announced: earlier,
    })
  }

  async #giveUp(item: BatchItemRecord, problem: BatchProblem): Promise<boolean> {
    const { stores, onChange } = this.#parts
    await stores.batches.notSaved(item.id, problem)
    const batch = await stores.batches.get(item.batchId)
    if (batch) this.#tellItem(item, batch.accountId)
    onChange(item.batchId)
    return true
  }

  #tellItem({ id }: BatchItemRecord, accountId: string): void {
    this.#parts.stores.events.publish({ type: 'item', accountId, itemId: id })
  }

  async #nameOf(
    { batch, destination, item, output, inputFormat, from }: Placing,
    signal: AbortSignal,
  ): Promise<string> {
    const { fileName, fileCount } = output
    const isSeveral = fileCount > 1
    if (destination.name === undefined) return portableName(isSeveral ? splitName(item.name).stem : fileName)
    const isAsked = !isSeveral && names(destination.name, 'width', 'height')
    const size = isAsked ? await this.#parts.sizeOf(from, signal) : null
    const filled = fillTemplate(destination.name, {
      name: splitName(item.name).stem,
      ext: splitName(fileName).suffix,
      counter: item.position,
      total: await this.#totalOf(batch.id),
      date: batch.createdAt,
      source: inputFormat,
      target: batch.targetKey,
      preset: destination.preset,
      ...size,
    })
    return isSeveral ? portableName(splitName(filled).stem) : filled
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

/** Where a result is saved: the chosen folder or its original's, and subfolders. */
function folderOf(
  destination: Folder,
  { originalPath, relativePath }: BatchItemRecord,
): { root: string; folders: string[] } {
  // Only batches of files with known paths are saved beside the originals.
  if (destination.kind === 'beside') return { root: dirname(originalPath ?? ''), folders: [] }
  return {
    root: destination.path,
    folders: destination.keepFolders ? portableFolders(relativePath ?? '') : [],
  }
}

/**
 * Whether a result can be read, so that a problem must be its folder's. It is read completely only if nothing else explains
 * the problem.
 */
async function canBeRead(path: string, { code }: BatchProblem): Promise<boolean> {
  if (code === 'destination.full') return true
  try {
    await using file = await open(path)
    if (code === 'destination.failed') for await (const _ of file.createReadStream({ autoClose: false }));
    return true
  } catch {
    return false
  }
}

const nameTaken = (path: string): BatchProblem => ({
  code: 'destination.taken',
  reason: message('destination.taken', { name: basename(path) }),
})
const besideUnknown = (name: string): BatchProblem => ({
  code: 'destination.beside_unknown',
  reason: message('destination.beside_unknown', { name }),
})
const expired: BatchProblem = { code: 'jobs.expired', reason: message('destination.result_gone') }
const unreadable = problemOf('destination.result_unreadable')
const nameRefused = problemOf('destination.name_refused')
