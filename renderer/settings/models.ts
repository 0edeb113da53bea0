import { create } from 'zustand'
import type { Downloadable, DownloadList } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { type Reading, reading } from '../ui/reading.ts'

interface ModelsState<Item extends Downloadable> extends Reading<DownloadList<Item>> {
  /** Applies live events. */
  apply(changed: ReadonlyMap<string, Item>): void
  download(id: string): Promise<void>
  cancel(id: string): Promise<void>
  remove(id: string): Promise<void>
  add(file: File): Promise<Item>
}

interface ModelsClient<Item extends Downloadable> {
  list(): Promise<DownloadList<Item>>
  download(id: string): Promise<Item>
  cancel(id: string): Promise<void>
  remove(id: string): Promise<void>
  add(file: File): Promise<Item>
}

export const createModelsStore = <Item extends Downloadable>(client: ModelsClient<Item>) =>
  create<ModelsState<Item>>()((set, get) => ({
    ...reading<DownloadList<Item>>(set, client.list),
    apply(changed) {
      const { value } = get()
      if (value && changed.size > 0)
        set({ value: { ...value, items: value.items.map(item => changed.get(item.id) ?? item) } })
    },
    async download(id) {
      get().apply(new Map([[id, await client.download(id)]]))
    },
    async cancel(id) {
      await client.cancel(id)
      await get().load()
    },
    async remove(id) {
      await client.remove(id)
      await get().load()
    },
    async add(file) {
      const item = await client.add(file)
      get().apply(new Map([[item.id, item]]))
      return item
    },
  }))

export const useModels = createModelsStore(api.models)
export const usePacks = createModelsStore(api.packs)
export type ModelsStore<Item extends Downloadable> = ReturnType<typeof createModelsStore<Item>>
