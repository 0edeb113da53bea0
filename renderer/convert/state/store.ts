/** The rows of the table, from what the person adds and what the service reports. */
import { create } from 'zustand'
import type { OpenedFile } from '../../../electron/ipc.ts'
import type { Preset, Reopened, StagedFile } from '../../../service/web/app/types.ts'
import { api, type Client, FILES_PER_REQUEST } from '../../api/client.ts'
import { stageFile } from '../../api/upload.ts'
import { type Values, withoutUsual } from '../../forms/schema.ts'
import { conversionOf } from '../../jobs/conversions.ts'
import type { Item } from '../../jobs/known.ts'
import { type JobsState, useJobs } from '../../jobs/store.ts'
import { type Schemas, useSchemas } from '../../options/schemas.ts'
import { usePresets } from '../../presets/store.ts'
import { useSession } from '../../session/session.ts'
import { type Choosing, chooseFor, type Following } from './choose/choosing.ts'
import { keepChosen } from './choose/kept.ts'
import { type LastChoices, useMemory } from './choose/memory.ts'
import { kindOfName, kindsBySuffix } from './rows/kinds.ts'
import { fromFile, newRow, noOptions } from './rows/new-row.ts'
import { isUnderWay, type Row } from './rows/row.ts'
import { keepRows, type RowsState } from './rows/rows.ts'
import type { PickedFile } from './submit/collect.ts'
import { createIntake } from './submit/intake.ts'

type Kept = Pick<ReturnType<typeof keepChosen>, 'refresh' | 'keep'>

export interface TableState extends RowsState, Following, Choosing, Kept {
  status: 'loading' | 'ready'
  /** Whether files are being uploaded. */
  isTaking(): boolean
  addFiles(files: readonly PickedFile[]): void
  /** A file that the service does not have yet. */
  addedFile(key: string): File | undefined
  /** Tells of files that were added before the catalogue was there what their names say. */
  nameKinds(): void
  /** Shows files that were staged elsewhere, such as by the desktop shell. */
  addStaged(opened: readonly OpenedFile[]): void
  /** Shows files once more, each with the target and the options of the row it repeats, right below it. */
  addRepeated(files: readonly StagedFile[], of: readonly Row[]): void
  /** Shows a file of an earlier conversion with its settings. @returns the key of its row */
  reopen(reopened: Reopened): string
  /** Shows what the service has: files added before, and batches with their results. */
  restore(): Promise<void>
  /** Removes rows permanently, from the page and the service; those being converted stay. */
  discard(keys: readonly string[]): void
}

interface TableDeps {
  client: Pick<Client, 'chosen' | 'findFiles' | 'keepChosen' | 'removeFiles' | 'stagedFiles'>
  /** What the service reports, from which the rows show their conversions. */
  jobs: Pick<typeof useJobs, 'getState' | 'subscribe'>
  stage: typeof stageFile
  later: (run: () => void, ms: number) => unknown
  now: () => number
  /** Known categories by suffix. */
  categories: () => ReadonlyMap<string, string>
  /** The choices at the last conversion. */
  last: () => LastChoices
  schemas: () => Schemas
  presets: () => Promise<readonly Preset[]>
  schedule?: (run: () => void) => void
}

export function createTableStore({ client, jobs, later, now, categories, last, ...deps }: TableDeps) {
  return create<TableState>()((set, get) => {
    const rows = keepRows({ get, set, now, schedule: deps.schedule, settle: row => choosing.settle(row) })
    const choosing = chooseFor({ rows, get, set, last })
    const kept = keepChosen({ client, rows, get, set, ...deps, settle: choosing.settle })
    const intake = createIntake({
      stage: deps.stage,
      later,
      progress: (key, state) => rows.patch(key, { ...state, problem: null }),
      staged(key, file) {
        // The event of a job may arrive before the frame.
        rows.byFile.set(file.id, key)
        rows.patch(key, fromFile(file))
        // Another window may have removed it before this one knew its name in the service.
        if (kept.isMissed(key)) void get().refresh()
      },
      failed: (key, problem) => rows.patch(key, { intake: 'failed', problem }),
    })

    const rowOf = (shown: Item, state: JobsState, options: ReadonlyMap<string, Values>) => {
      const { fileId, name, relativePath, bytes, format, formatLabel, addedAt, batchId } = shown
      const item = conversionOf(state, fileId)
      return newRow({
        ...{ key: fileId, fileId, name, relativePath, bytes, format, formatLabel, addedAt, item },
        ...{ intake: 'staged', sent: 1 },
        kind: item?.job?.category ?? (format && kindOfName(`.${format}`, categories())),
        target: state.batches.get(batchId)?.target ?? null,
        options: options.get(batchId) ?? noOptions,
      })
    }

    /** Reads the files of rows that came from batches, so that they can get another target. */
    const readFiles = async (ids: readonly string[]) => {
      for (let start = 0; start < ids.length; start += FILES_PER_REQUEST) {
        for (const file of await client.findFiles(ids.slice(start, start + FILES_PER_REQUEST))) {
          const key = rows.byFile.get(file.id)
          if (key) rows.patch(key, fromFile(file))
        }
      }
      rows.flush()
      rows.change(
        ids.map(id => rows.byFile.get(id) ?? ''),
        kept.withKept,
      )
    }

    /** Adds rows for files of batches that have none, and removes those whose conversions are gone. */
    const matchItems = (state: JobsState) => {
      const fresh = [...state.items.values()].filter(({ fileId }) => !rows.byFile.has(fileId))
      for (const { fileId } of fresh) rows.byFile.set(fileId, fileId)
      const options = new Map([...state.batches].map(([id, batch]) => [id, withoutUsual(batch.options)]))
      rows.insert(fresh.map(item => rowOf(item, state, options)))
      if (fresh.length > 0) void readFiles(fresh.map(({ fileId }) => fileId)).catch(() => {})
      const gone = [...get().rows.values()].filter(
        ({ item, fileId, needsReconversion }) => item && !needsReconversion && !state.items.has(fileId ?? ''),
      )
      rows.remove(gone)
    }

    jobs.subscribe((state, before) => {
      const isOther = (['items', 'jobs', 'batches'] as const).some(part => state[part] !== before[part])
      if (!isOther) return
      rows.flush()
      if (state.items !== before.items) matchItems(state)
      rows.change(get().rows.keys(), row => {
        const item = conversionOf(state, row.fileId)
        if (item === row.item) return row
        const isSame = item?.batchId === row.item?.batchId
        return { ...row, item, needsReconversion: row.needsReconversion && isSame }
      })
    })

    const { settle: _, ...choices } = choosing
    return {
      ...choices,
      refresh: kept.refresh,
      keep: kept.keep,
      rows: new Map(),
      shape: 0,
      following: null,
      status: 'loading',

      isTaking: () => intake.isBusy(),

      addFiles(files) {
        const known = categories()
        const added = files.map(({ file, relativePath }) => ({
          key: rows.newKey(),
          file,
          relativePath,
          addedAt: rows.nextTime(),
        }))
        rows.insert(
          added.map(({ file: { name, size }, ...rest }) =>
            newRow({ ...rest, name, bytes: size, kind: kindOfName(name, known) }),
          ),
        )
        intake.add(added)
      },

      addedFile: key => intake.fileOf(key),

      nameKinds() {
        const [known, all] = [categories(), get().rows]
        const named = (row: Row) => ({ ...row, kind: kindOfName(row.name, known) })
        rows.change(all.keys(), row => (row.kind || row.fileId ? row : named(row)))
      },

      addStaged(opened) {
        kept.add(opened.flatMap(({ file }) => file ?? []))
        const failed = opened.filter(({ file }) => !file)
        rows.insert(
          failed.map(({ name, problem }) =>
            newRow({
              ...{ key: rows.newKey(), addedAt: rows.nextTime() },
              ...{ name, bytes: 0, intake: 'failed', problem },
            }),
          ),
        )
      },

      addRepeated(files, of) {
        kept.add(files)
        const originals = new Map(files.map(({ id }, index) => [id, of[index]]))
        rows.change(originals.keys(), row => {
          const { target = row.target, options = row.options } = originals.get(row.key) ?? {}
          return { ...row, target, options }
        })
      },

      reopen({ file, target, options }) {
        set({ following: null })
        kept.add([file])
        const key = rows.byFile.get(file.id) ?? file.id
        rows.change([key], row =>
          isUnderWay(row)
            ? row
            : { ...row, ...fromFile(file), target, options, needsReconversion: row.item !== null },
        )
        return key
      },

      async restore() {
        // The page also works with what is added to it; it reads what it missed when events arrive again.
        await Promise.allSettled([get().refresh(), jobs.getState().load()])
        set({ status: 'ready' })
      },

      discard(keys) {
        rows.flush()
        intake.abort(keys)
        const gone = keys.flatMap((key): Row | [] => {
          const row = get().rows.get(key)
          return row && !isUnderWay(row) ? row : []
        })
        rows.remove(gone)
        const files = gone.flatMap(({ item, fileId }) => (item === null && fileId) || [])
        // The service deletes staged files by itself; telling it only frees the disk sooner.
        if (files.length > 0) client.removeFiles(files).catch(() => {})
        jobs.getState().discard(gone.flatMap(({ fileId }) => fileId ?? []))
      },
    }
  })
}

export const useTable = createTableStore({
  client: api,
  jobs: useJobs,
  stage: stageFile,
  later: (run, ms) => setTimeout(run, ms),
  now: Date.now,
  categories: () => {
    const { catalogue } = useSession.getState()
    return catalogue ? kindsBySuffix(catalogue) : new Map()
  },
  last: () => useMemory.getState(),
  schemas: () => useSchemas.getState().schemas,
  presets: () => usePresets.getState().load(),
})
