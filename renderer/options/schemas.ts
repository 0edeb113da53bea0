import { create } from 'zustand'
import { api, type Client } from '../api/client.ts'
import type { OptionsSchema } from '../api/contract.ts'

/** The loaded option schemas by pair of formats. */
export type Schemas = Readonly<Record<string, OptionsSchema | 'loading' | 'failed'>>

interface SchemaState {
  /** By pair of formats. */
  schemas: Schemas
  /** Loads the options of a pair, unless they are loaded or loading. */
  load(from: string, to: string): Promise<void>
}

export const pairOf = (from: string, to: string): string => `${from}>${to}`

export function createSchemaStore(client: Pick<Client, 'schema'>) {
  const loading = new Map<string, Promise<void>>()
  return create<SchemaState>()((set, get) => ({
    schemas: {},
    async load(from, to) {
      const pair = pairOf(from, to)
      const known = get().schemas[pair]
      if (known === 'loading') return loading.get(pair)
      if (known && known !== 'failed') return
      const put = (schema: Schemas[string]) =>
        set(state => ({ schemas: { ...state.schemas, [pair]: schema } }))
      put('loading')
      const loaded = client.schema(from, to).then(put, () => put('failed'))
      loading.set(pair, loaded)
      await loaded
    },
  }))
}

export const useSchemas = createSchemaStore(api)
