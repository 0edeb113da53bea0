/** The account's batches as reported by the service: the page only shows and controls them. */
import { create } from 'zustand'
import type { Batch, NewBatch } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'

export const isOpen = ({ state }: Batch): boolean => state === 'active' || state === 'paused'

/** Items that have ended, in whatever way. */
export const endedOf = ({ counts }: Batch): number => counts.succeeded + counts.failed + counts.canceled

export interface BatchesState {
  /** Open ones in processing order, then finished ones, latest first. */
  batches: readonly Batch[]
  status: 'loading' | 'ready' | 'failed'
  load(): Promise<void>
  /** Applies live states; `null` means a removed batch. */
  apply(changes: ReadonlyMap<string, Batch | null>): void
  create(batch: NewBatch): Promise<Batch>
  pause(id: string): Promise<void>
  resume(id: string): Promise<void>
  cancel(id: string): Promise<void>
  /** Moves an open batch by one place. */
  move(id: string, direction: 'up' | 'down'): Promise<void>
}

type BatchesClient = Pick<
  Client,
  'batches' | 'createBatch' | 'pauseBatch' | 'resumeBatch' | 'cancelBatch' | 'moveBatch'
>

/** Times are ISO 8601 in UTC, all in the same form, so they sort as text. */
const byEnd = (a: Batch, b: Batch) => (b.finishedAt ?? '').localeCompare(a.finishedAt ?? '')

const sorted = (batches: readonly Batch[]): Batch[] => [
  ...batches.filter(isOpen),
  ...batches.filter(batch => !isOpen(batch)).sort(byEnd),
]

/** An answer may arrive after a newer event: a finished batch never reopens. */
const newerOf = (known: Batch | undefined, incoming: Batch): Batch =>
  known && !isOpen(known) && isOpen(incoming) ? known : incoming

export const createBatchesStore = (client: BatchesClient) => {
  /** Changes received while the list was being read; null at other times. */
  let meanwhile: Map<string, Batch | null> | null = null

  return create<BatchesState>()((set, get) => {
    const merge = (batches: readonly Batch[], changes: ReadonlyMap<string, Batch | null>): Batch[] => {
      const byId = new Map(batches.map(batch => [batch.id, batch]))
      for (const [id, batch] of changes) {
        if (batch) byId.set(id, newerOf(byId.get(id), batch))
        else byId.delete(id)
      }
      return sorted([...byId.values()])
    }
    const show = (batch: Batch) => get().apply(new Map([[batch.id, batch]]))

    return {
      batches: [],
      status: 'loading',

      async load() {
        const changes = new Map<string, Batch | null>()
        meanwhile = changes
        try {
          const batches = await client.batches()
          // A later call reads a newer list.
          if (meanwhile !== changes) return
          set({ status: 'ready', batches: merge(batches, changes) })
        } catch {
          set(state => ({ status: state.status === 'ready' ? 'ready' : 'failed' }))
        } finally {
          if (meanwhile === changes) meanwhile = null
        }
      },

      apply(changes) {
        for (const [id, batch] of changes) meanwhile?.set(id, batch)
        set(state => ({ batches: merge(state.batches, changes) }))
      },

      async create(request) {
        const batch = await client.createBatch(request)
        show(batch)
        return batch
      },
      pause: async id => show(await client.pauseBatch(id)),
      resume: async id => show(await client.resumeBatch(id)),
      cancel: async id => show(await client.cancelBatch(id)),

      async move(id, direction) {
        const open = get().batches.filter(isOpen)
        const from = open.findIndex(batch => batch.id === id)
        // Moving down by one means moving before the batch after the next.
        const before = direction === 'up' ? open[from - 1] : open[from + 2]
        if (from < 0 || (direction === 'up' && !before)) return
        await client.moveBatch(id, before?.id ?? null)
        await get().load()
      },
    }
  })
}

export const useBatches = createBatchesStore(api)
