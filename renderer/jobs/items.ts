/** The files of the batches that are unfolded on the page, read page by page and again while they change. */
import { create } from 'zustand'
import type { BatchItem } from '../../service/app/types.ts'
import { api, type Client } from '../api/client.ts'

const pageSize = 100
/** Pause between two reads of a list that keeps changing. */
const refreshMs = 1000

interface ItemList {
  items: readonly BatchItem[]
  /** Where the next page begins; null after the last one. */
  next: string | null
  status: 'loading' | 'more' | 'end' | 'failed'
}

export interface ItemsState {
  /** By batch; only those that are unfolded. */
  lists: ReadonlyMap<string, ItemList>
  open(batchId: string): Promise<void>
  close(batchId: string): void
  /** Folds everything up: the page that showed it is gone. */
  closeAll(): void
  more(batchId: string): Promise<void>
  /** Reads the list again soon, if it is unfolded: its batch has changed. */
  changed(batchId: string): void
  /** Puts a waiting file before all other waiting ones that are known. */
  moveToFront(batchId: string, itemId: string): Promise<void>
}

interface ItemsDeps {
  client: Pick<Client, 'batchItems' | 'moveBatchItem'>
  later: (run: () => void, ms: number) => unknown
}

/** All items of a batch, in their order. */
export async function itemsOfBatch(
  client: Pick<Client, 'batchItems'>,
  batchId: string,
): Promise<BatchItem[]> {
  const items: BatchItem[] = []
  let after: string | null = null
  do {
    const page = await client.batchItems(batchId, { after, limit: pageSize })
    items.push(...page.items)
    after = page.next
  } while (after)
  return items
}

export function createItemsStore({ client, later }: ItemsDeps) {
  const scheduled = new Set<string>()

  return create<ItemsState>()((set, get) => {
    const put = (batchId: string, list: ItemList) =>
      set(state => ({ lists: new Map(state.lists).set(batchId, list) }))

    /** Reads pages from the cursor on until there are at least `wanted` items. */
    const read = async (
      batchId: string,
      known: readonly BatchItem[],
      from: string | null,
      wanted: number,
    ) => {
      const items = [...known]
      let next = from
      try {
        do {
          const page = await client.batchItems(batchId, { after: next, limit: pageSize })
          items.push(...page.items)
          next = page.next
        } while (next && items.length < wanted)
      } catch {
        const list = get().lists.get(batchId)
        if (list) put(batchId, { ...list, status: 'failed' })
        return
      }
      // It may have been folded up meanwhile.
      if (get().lists.has(batchId)) put(batchId, { items, next, status: next ? 'more' : 'end' })
    }

    const refresh = async (batchId: string) => {
      const list = get().lists.get(batchId)
      if (list) await read(batchId, [], null, list.items.length)
    }

    return {
      lists: new Map(),

      async open(batchId) {
        put(batchId, { items: [], next: null, status: 'loading' })
        await read(batchId, [], null, 1)
      },

      close: batchId => set(state => ({ lists: new Map([...state.lists].filter(([id]) => id !== batchId)) })),

      closeAll: () => set({ lists: new Map() }),

      async more(batchId) {
        const list = get().lists.get(batchId)
        if (!list) return
        put(batchId, { ...list, status: 'loading' })
        await read(batchId, list.items, list.next, list.items.length + 1)
      },

      changed(batchId) {
        if (scheduled.has(batchId) || !get().lists.has(batchId)) return
        scheduled.add(batchId)
        later(() => {
          scheduled.delete(batchId)
          void refresh(batchId)
        }, refreshMs)
      },

      async moveToFront(batchId, itemId) {
        const first = get()
          .lists.get(batchId)
          ?.items.find(item => item.state === 'waiting')
        if (!first || first.id === itemId) return
        await client.moveBatchItem(batchId, itemId, first.id)
        await refresh(batchId)
      },
    }
  })
}

export const useItems = createItemsStore({ client: api, later: (run, ms) => setTimeout(run, ms) })
