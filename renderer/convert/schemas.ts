/** Options of the pairs that are in use, read once each. */
import { create } from 'zustand'
import { api, type Client } from '../api/client.ts'
import { pairOf, type Schemas } from './plan.ts'

interface SchemasState {
  schemas: Schemas
  load(from: string, to: string): Promise<void>
}

export const createSchemasStore = (client: Pick<Client, 'schema'>) =>
  create<SchemasState>()((set, get) => ({
    schemas: {},
    async load(from, to) {
      const pair = pairOf(from, to)
      const known = get().schemas[pair]
      if (known && known !== 'failed') return
      const put = (schema: Schemas[string]) =>
        set(state => ({ schemas: { ...state.schemas, [pair]: schema } }))
      put('loading')
      put(await client.schema(from, to).catch((): 'failed' => 'failed'))
    },
  }))

export const useSchemas = createSchemasStore(api)
