import { create } from 'zustand'
import type { OpenedFile } from '../../electron/ipc.ts'
import type { StagedFile } from '../../service/app/types.ts'
import { createBatcher } from '../api/batcher.ts'
import { api, type Client } from '../api/client.ts'
import type { OptionsSchema } from '../api/contract.ts'
import { ApiError, canceled } from '../api/errors.ts'
import { stageFile, type Upload } from '../api/upload.ts'
import { type Values, withValue } from '../forms/schema.ts'
import { problemText } from '../ui/problem.ts'
import type { PickedFile } from './collect.ts'

const uploadsAtOnce = 3

/** A file on its way in. */
export interface Entry {
  key: string
  name: string
  bytes: number
  /** `measuring`: all is sent, and the service is analysing the file. */
  phase: 'waiting' | 'sending' | 'measuring' | 'staged' | 'failed'
  /** Share sent, 0 to 1. */
  sent: number
  staged: StagedFile | null
  problem: string | null
}

export const pairOf = (from: string, to: string): string => `${from}>${to}`

export interface ConvertState {
  entries: ReadonlyMap<string, Entry>
  /** Chosen target by source format. */
  targets: Readonly<Record<string, string>>
  /** What the person set, by pair; kept while they try other targets. */
  options: Readonly<Record<string, Values>>
  schemas: Readonly<Record<string, OptionsSchema | 'loading' | 'failed'>>
  addFiles(files: readonly PickedFile[]): void
  /** Shows files that were staged by others, such as the desktop shell; those already shown are left alone. */
  addStaged(opened: readonly OpenedFile[]): void
  /** Shows what the service took in before this page was loaded. */
  restore(): Promise<void>
  /** Takes files out again, on the page and at the service. */
  remove(keys: readonly string[]): void
  /** Forgets files that were submitted as jobs. */
  removeSubmitted(keys: readonly string[]): void
  chooseTarget(format: string, target: string): void
  setOption(pair: string, path: readonly string[], value: unknown): void
  resetOptions(pair: string): void
  loadSchema(from: string, to: string): Promise<void>
}

interface ConvertDeps {
  client: Pick<Client, 'schema' | 'removeFile' | 'stagedFiles'>
  stage: typeof stageFile
  later: (run: () => void, ms: number) => unknown
  schedule?: (run: () => void) => void
}

export function createConvertStore({ client, stage, later, schedule }: ConvertDeps) {
  const files = new Map<string, PickedFile>()
  const uploads = new Map<string, Upload>()
  let lastKey = 0
  let holding = false

  return create<ConvertState>()((set, get) => {
    // Progress of several uploads and bursts of answers become one change of state per frame.
    const patches = createBatcher<[string, Partial<Entry>]>(list => {
      const entries = new Map(get().entries)
      for (const [key, change] of list) {
        const entry = entries.get(key)
        if (entry) entries.set(key, { ...entry, ...change })
      }
      set({ entries })
    }, schedule)

    const send = async (key: string, picked: PickedFile) => {
      patches.add([key, { phase: 'sending', sent: 0 }])
      const current = stage(picked.file, picked.relativePath, sent =>
        patches.add([key, { sent, phase: sent < 1 ? 'sending' : 'measuring' }]),
      )
      uploads.set(key, current)
      try {
        const staged = await current.done
        patches.add([key, { phase: 'staged', staged }])
      } catch (error) {
        if (error instanceof ApiError && error.status === 429) {
          files.set(key, picked)
          patches.add([key, { phase: 'waiting', sent: 0 }])
          holding = true
          later(
            () => {
              holding = false
              next()
            },
            (error.retryAfter ?? 1) * 1000,
          )
        } else if (!(error instanceof ApiError && error.code === canceled)) {
          patches.add([key, { phase: 'failed', problem: problemText(error) }])
        }
      } finally {
        uploads.delete(key)
      }
      next()
    }

    const next = () => {
      for (const [key, picked] of files) {
        if (holding || uploads.size >= uploadsAtOnce) return
        files.delete(key)
        void send(key, picked)
      }
    }

    const forget = (keys: readonly string[]) => {
      patches.flush()
      const entries = new Map(get().entries)
      for (const key of keys) entries.delete(key)
      set({ entries })
    }

    return {
      entries: new Map(),
      targets: {},
      options: {},
      schemas: {},

      addFiles(added) {
        const entries = new Map(get().entries)
        for (const picked of added) {
          const key = `f${++lastKey}`
          files.set(key, picked)
          entries.set(key, {
            key,
            name: picked.file.name,
            bytes: picked.file.size,
            phase: 'waiting',
            sent: 0,
            staged: null,
            problem: null,
          })
        }
        set({ entries })
        next()
      },

      addStaged(opened) {
        patches.flush()
        const entries = new Map(get().entries)
        const shown = new Set([...entries.values()].map(entry => entry.staged?.id))
        for (const { name, file, problem } of opened) {
          if (file && shown.has(file.id)) continue
          const key = `f${++lastKey}`
          const phase = file ? 'staged' : 'failed'
          entries.set(key, { key, name, bytes: file?.bytes ?? 0, phase, sent: 1, staged: file, problem })
        }
        set({ entries })
      },

      async restore() {
        // A page that cannot be told works all the same; the files expire at the service.
        const staged = await client.stagedFiles().catch(() => [])
        get().addStaged(staged.map(file => ({ name: file.name, file, problem: null })))
      },

      remove(keys) {
        patches.flush()
        for (const key of keys) {
          files.delete(key)
          uploads.get(key)?.abort()
          const staged = get().entries.get(key)?.staged
          // The service sweeps staged files by itself; telling it only frees the disk sooner.
          if (staged) client.removeFile(staged.id).catch(() => {})
        }
        forget(keys)
      },

      removeSubmitted: forget,

      chooseTarget: (format, target) => set(state => ({ targets: { ...state.targets, [format]: target } })),

      setOption: (pair, path, value) =>
        set(state => ({
          options: { ...state.options, [pair]: withValue(state.options[pair] ?? {}, path, value) },
        })),

      resetOptions: pair => set(state => ({ options: { ...state.options, [pair]: {} } })),

      async loadSchema(from, to) {
        const pair = pairOf(from, to)
        const known = get().schemas[pair]
        if (known && known !== 'failed') return
        const put = (schema: OptionsSchema | 'loading' | 'failed') =>
          set(state => ({ schemas: { ...state.schemas, [pair]: schema } }))
        put('loading')
        put(await client.schema(from, to).catch((): 'failed' => 'failed'))
      },
    }
  })
}

export const useConvert = createConvertStore({
  client: api,
  stage: stageFile,
  later: (run, ms) => setTimeout(run, ms),
})
