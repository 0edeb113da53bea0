import { create } from 'zustand'
import type { AppJob, HistoryPage, HistoryQuery, HistoryRow } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'
import { type Paged, paging } from '../ui/list/usePages.ts'

/** The filter of the history. Empty means all. */
export interface HistoryFilter {
  search: string
  state: NonNullable<HistoryQuery['state']> | ''
  category: string
  /** `app`, `api`, or the id of an API key. */
  source: string
  /** Days back from now. */
  days: '' | '1' | '7' | '30'
}

export const NO_FILTER: HistoryFilter = { search: '', state: '', category: '', source: '', days: '' }

const DAY_MS = 24 * 3600_000
const PAGE = 50

/** A filter in the form of the service's query. */
export function queryOf({ search, state, category, source, days }: HistoryFilter, now: number): HistoryQuery {
  return {
    ...(search.trim() ? { search: search.trim() } : {}),
    ...(state ? { state } : {}),
    ...(category ? { category } : {}),
    ...(source === 'app' || source === 'api' ? { origin: source } : source ? { keyId: source } : {}),
    ...(days ? { from: new Date(now - Number(days) * DAY_MS).toISOString() } : {}),
  }
}

interface HistoryState extends Paged<HistoryRow> {
  filter: HistoryFilter
  /** Number of rows on all pages of the filter. */
  total: number
  /** Hidden rows that will be deleted soon, or have been. */
  leaving: ReadonlySet<string>
  narrow(change: Partial<HistoryFilter>): Promise<void>
  /** Applies live events; returns true if there are jobs that are not listed. */
  apply(changed: ReadonlyMap<string, AppJob | null>): boolean
  leave(id: string): void
  comeBack(id: string): void
  /** Deletes a hidden row; it returns if that fails. */
  remove(id: string): Promise<void>
  clear(): Promise<number>
}

type HistoryClient = Pick<Client, 'history' | 'removeFromHistory' | 'clearHistory'>

export const createHistoryStore = (client: HistoryClient, now = Date.now) =>
  create<HistoryState>()((set, get) => ({
    filter: NO_FILTER,
    total: 0,
    leaving: new Set(),

    async narrow(change) {
      set(({ filter }) => ({ filter: { ...filter, ...change } }))
      await get().load()
    },
    ...paging<HistoryRow, HistoryPage>(
      set,
      before => {
        const query = queryOf(get().filter, now())
        // Who looks for files wants these, not the batches that they were part of.
        const isAll = Object.keys(query).length === 0
        return client.history(isAll ? { isFolded: true } : query, { before, limit: PAGE })
      },
      ({ total }) => total !== null && set({ total }),
    ),

    apply(changed) {
      const { items } = get()
      const known = new Set(items.map(({ id }) => id))
      if (items.some(({ id }) => changed.has(id))) {
        set({
          items: items.flatMap(row => {
            const job = changed.get(row.id)
            if (job === undefined) return row
            return job === null ? [] : { ...row, ...job }
          }),
        })
      }
      return [...changed].some(([id, job]) => job !== null && !known.has(id))
    },

    leave: id => set(({ leaving }) => ({ leaving: new Set(leaving).add(id) })),
    comeBack: id => set(({ leaving }) => ({ leaving: leaving.difference(new Set([id])) })),
    async remove(id) {
      // Undone meanwhile.
      if (!get().leaving.has(id)) return
      const { batch = null, batchId = null } = get().items.find(row => row.id === id) ?? {}
      try {
        await client.removeFromHistory(id, batch && batchId)
      } catch (error) {
        get().comeBack(id)
        throw error
      }
      set(({ items, total }) => ({
        items: items.filter(row => row.id !== id),
        total: total - (batch?.files ?? 1),
      }))
    },

    async clear() {
      const { removed } = await client.clearHistory(queryOf(get().filter, now()))
      await get().load()
      return removed
    },
  }))

export const useHistory = createHistoryStore(api)
