/** Keeps rows in sync with their batch items. */
import type { AppJob, Batch, BatchItem } from '../../../service/web/app/types.ts'
import type { Client } from '../../api/client.ts'
import { kindOfName } from './kinds.ts'
import { fromFile, newRow } from './new-row.ts'
import { isUnderWay, itemOf, laterItem, type Row, waitingItem, withJob } from './row.ts'
import type { Rows, RowsState } from './rows.ts'

/** Delay between a change of a batch and comparing its items with the rows. */
const COMPARE_MS = 700
const ITEMS_PER_PAGE = 1000
const FILES_PER_QUESTION = 500

interface Deps {
  client: Pick<Client, 'findFiles' | 'removeItems' | 'batches' | 'batchItems'>
  later: (run: () => void, ms: number) => unknown
  /** Known categories by suffix. */
  kinds: () => ReadonlyMap<string, string>
  get: () => RowsState
  rows: Rows
}

export function followBatches({ client, later, kinds, get, rows }: Deps) {
  const latestBatches = new Map<string, Batch>()
  const comparing = new Set<string>()
  let begun = Promise.resolve()

  const rowOf = (batch: Batch, item: BatchItem): Row =>
    newRow({
      key: item.fileId,
      addedAt: item.addedAt,
      name: item.name,
      relativePath: item.relativePath,
      bytes: item.bytes,
      intake: 'staged',
      sent: 1,
      fileId: item.fileId,
      format: item.format,
      formatLabel: item.formatLabel,
      kind: item.job?.category ?? (item.format && kindOfName(`.${item.format}`, kinds())),
      target: batch.target,
      options: batch.options,
      item: itemOf(batch, item),
    })

  const applyItems = (batch: Batch, items: readonly BatchItem[]) => {
    const fresh: Row[] = []
    const told = new Map<string, BatchItem>()
    for (const item of items) {
      const key = rows.byFile.get(item.fileId)
      if (key) {
        told.set(key, item)
        continue
      }
      rows.byFile.set(item.fileId, item.fileId)
      fresh.push(rowOf(batch, item))
    }
    rows.insert(fresh)
    rows.flush()
    rows.change(told.keys(), row => {
      const item = told.get(row.key)
      return item ? { ...row, item: laterItem(row.item, itemOf(batch, item)) } : row
    })
  }

  const loadItems = async (batch: Batch) => {
    let after: string | null = null
    do {
      const page = await client.batchItems(batch.id, { after, limit: ITEMS_PER_PAGE })
      applyItems(batch, page.items)
      after = page.next
    } while (after)
  }

  /** Reads the items of a batch if the rows show fewer finished items than it counts. */
  const compare = async (batch: Batch) => {
    const { counts } = batch
    const isOver = batch.state === 'done' || batch.state === 'canceled'
    let ended = 0
    let known = 0
    let isIncomplete = false
    for (const row of get().rows.values()) {
      if (row.item?.batchId !== batch.id) continue
      known++
      if (!isUnderWay(row)) ended++
      const { id, state, savedTo, error } = row.item
      // Only the item itself contains why its result was not saved.
      const isUnsaved = state === 'succeeded' && savedTo === null && error === null
      isIncomplete ||= id === null || (isUnsaved && batch.destination.kind !== 'keep')
    }
    const hasEndedMore = ended < counts.succeeded + counts.failed + counts.canceled
    if (known === 0 || hasEndedMore || (isOver && isIncomplete)) await loadItems(batch)
  }

  return {
    /** Shows the items of all batches. */
    async loadAll(): Promise<void> {
      for (const batch of await client.batches()) {
        latestBatches.set(batch.id, batch)
        await loadItems(batch)
      }
    },

    /** Reads the files of rows that came from batches, so that they can get another target. */
    async loadFiles(): Promise<void> {
      const ids = [...get().rows.values()].flatMap(row =>
        row.file === null && row.fileId ? [row.fileId] : [],
      )
      for (let start = 0; start < ids.length; start += FILES_PER_QUESTION) {
        const files = await client.findFiles(ids.slice(start, start + FILES_PER_QUESTION))
        for (const file of files) {
          const key = rows.byFile.get(file.id)
          if (key) rows.patch(key, fromFile(file))
        }
      }
    },

    async begin(batch: Batch, keys: readonly string[]): Promise<void> {
      latestBatches.set(batch.id, batch)
      const replaced = keys.flatMap(key => get().rows.get(key)?.item?.id ?? [])
      rows.change(keys, row => ({ ...row, item: waitingItem(batch), needsReconversion: false }))
      // A file has one row; earlier conversions are in the history. Running batches keep their rows.
      if (replaced.length > 0) client.removeItems(replaced).catch(() => {})
      const loaded = loadItems(batch).catch(() => {})
      begun = Promise.all([begun, loaded]).then(() => {})
      await loaded
    },

    /** Waits until the items of all started batches are known. */
    whenBegun: (): Promise<void> => begun,

    applyJobs(jobs: ReadonlyMap<string, AppJob | null>): void {
      const told = new Map<string, AppJob>()
      for (const job of jobs.values()) {
        const key = job?.fileId && rows.byFile.get(job.fileId)
        if (key && job.batchId !== null) told.set(key, job)
      }
      if (told.size === 0) return
      rows.flush()
      rows.change(told.keys(), row => {
        const job = told.get(row.key)
        if (!job || row.item?.batchId !== job.batchId) return row
        return { ...row, item: withJob(row.item, job) }
      })
    },

    applyBatches(batches: ReadonlyMap<string, Batch | null>): void {
      for (const [id, batch] of batches) {
        if (!batch) {
          latestBatches.delete(id)
          rows.remove(
            [...get().rows.values()].filter(row => row.item?.batchId === id && !row.needsReconversion),
          )
          continue
        }
        latestBatches.set(id, batch)
        if (comparing.has(id)) continue
        comparing.add(id)
        later(() => {
          comparing.delete(id)
          const latest = latestBatches.get(id)
          if (latest) void compare(latest).catch(() => {})
        }, COMPARE_MS)
      }
    },
  }
}
