import { create } from 'zustand'
import { api } from '../api/client.ts'
import type { OptionsSchema } from '../api/contract.ts'
import { sentValues, type Values } from '../forms/schema.ts'

/** The loaded option schemas by pair of formats. */
export type Schemas = Readonly<Record<string, OptionsSchema | 'loading' | 'failed'>>

interface SchemaState {
  /** By pair of formats. */
  schemas: Schemas
  /** Loads the options of a pair, unless they are loaded or loading. */
  load(from: string, to: string): Promise<void>
}

export const pairOf = (from: string, to: string): string => `${from}>${to}`

/** The options of a conversion as they are sent: with what is usual here. @param schema of its pair, as far as it is loaded */
export const sentOptions = (schema: Schemas[string] | undefined, options: Values): Values =>
  typeof schema === 'object' ? sentValues(schema.properties, options) : options

const loading = new Map<string, Promise<void>>()

export const useSchemas = create<SchemaState>()((set, get) => ({
  schemas: {},
  async load(from, to) {
    const pair = pairOf(from, to)
    const known = get().schemas[pair]
    if (known === 'loading') return loading.get(pair)
    if (known && known !== 'failed') return
    const put = (schema: Schemas[string]) => set(state => ({ schemas: { ...state.schemas, [pair]: schema } }))
    put('loading')
    const loaded = api.schema(from, to).then(put, () => put('failed'))
    loading.set(pair, loaded)
    await loaded
  },
}))

/** The same for what a row or a preview shows. */
export const useSentOptions = (from: string | null, to: string | null, options: Values): Values =>
  sentOptions(
    useSchemas(({ schemas }) => schemas[pairOf(from ?? '', to ?? '')]),
    options,
  )
