import { create } from 'zustand'
import type { SpeechModel } from '../../service/app/types.ts'
import { api, type Client } from '../api/client.ts'

interface ModelsState {
  /** Null until they have been read. */
  items: SpeechModel[] | null
  offline: boolean
  load(): Promise<void>
  /** Takes in what live events told. */
  apply(changed: ReadonlyMap<string, SpeechModel>): void
  download(id: string): Promise<void>
  cancel(id: string): Promise<void>
  remove(id: string): Promise<void>
  add(file: File): Promise<SpeechModel>
}

type ModelsClient = Pick<Client, 'models' | 'downloadModel' | 'cancelModel' | 'removeModel' | 'addModel'>

export const createModelsStore = (client: ModelsClient) =>
  create<ModelsState>()((set, get) => ({
    items: null,
    offline: false,
    async load() {
      set(await client.models())
    },
    apply(changed) {
      if (changed.size > 0) set({ items: get().items?.map(item => changed.get(item.id) ?? item) ?? null })
    },
    async download(id) {
      get().apply(new Map([[id, await client.downloadModel(id)]]))
    },
    async cancel(id) {
      await client.cancelModel(id)
      await get().load()
    },
    async remove(id) {
      await client.removeModel(id)
      await get().load()
    },
    async add(file) {
      const model = await client.addModel(file)
      get().apply(new Map([[model.id, model]]))
      return model
    },
  }))

export const useModels = createModelsStore(api)
