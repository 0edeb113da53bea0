/** The rows of the table, from what the person adds and what the service tells. */
import { create } from 'zustand'
import type { OpenedFile } from '../../electron/ipc.ts'
import type { AppJob, Batch, BatchItem, StagedFile, TargetChoice } from '../../service/app/types.ts'
import { createBatcher } from '../api/batcher.ts'
import { api, type Client } from '../api/client.ts'
import { stageFile } from '../api/upload.ts'
import { type Values, withValue } from '../forms/schema.ts'
import { useSession } from '../shell/session.ts'
import { takes, usualTarget } from './choices.ts'
import type { PickedFile } from './collect.ts'
import { createIntake } from './intake.ts'
import { kindOfFile, kindOfName, kindsBySuffix } from './kinds.ts'
import { useMemory } from './memory.ts'
import { isRefused, isUnderWay, itemOf, laterItem, type Row, stageOf, waitingItem, withJob } from './row.ts'

/** Pause after a change of a batch before its items are compared with the rows. */
const COMPARE_MS = 700
const ITEMS_PER_PAGE = 1000
const FILES_PER_QUESTION = 500
/** Time between two files added at once: enough to keep their order through a floating-point number. */
const STEP_MS = 0.001

export interface TableState {
  /** In the order they were added. */
  rows: ReadonlyMap<string, Row>
  /** Changes whenever the lines of the table may have: a row came, went, or changed its group. */
  shape: number
  /** What was chosen for each format since the page was opened, and before. */
  usual: Readonly<Record<string, string>>
  status: 'loading' | 'ready'
  /** Whether files are on their way in. */
  isTaking(): boolean
  addFiles(files: readonly PickedFile[]): void
  /** Shows files that were staged by others, such as the desktop shell. */
  addStaged(opened: readonly OpenedFile[]): void
  /** Shows what the service has: files taken in before, and batches with their results. */
  restore(): Promise<void>
  /** Takes rows out for good, on the page and at the service; what is being converted stays. */
  forget(keys: readonly string[]): void
  choose(keys: Iterable<string>, choice: TargetChoice): void
  /** Sets one option of rows; `undefined` takes it back to its default. */
  setOption(keys: Iterable<string>, path: readonly string[], value: unknown): void
  setOptions(keys: Iterable<string>, options: Values): void
  /** Shows that rows have become items of a batch. */
  begin(batch: Batch, keys: readonly string[]): Promise<void>
  applyJobs(jobs: ReadonlyMap<string, AppJob | null>): void
  applyBatches(batches: ReadonlyMap<string, Batch | null>): void
}

interface TableDeps {
  client: Pick<Client, 'findFiles' | 'removeFiles' | 'removeItems' | 'stagedFiles' | 'batches' | 'batchItems'>
  stage: typeof stageFile
  later: (run: () => void, ms: number) => unknown
  now: () => number
  /** Categories by suffix, as far as they are known. */
  kinds: () => ReadonlyMap<string, string>
  /** What formats were last converted to, from earlier times. */
  remembered: () => Readonly<Record<string, string>>
  schedule?: (run: () => void) => void
}

const fromFile = (file: StagedFile): Partial<Row> => ({
  intake: 'staged',
  sent: 1,
  fileId: file.id,
  file,
  name: file.name,
  bytes: file.bytes,
  relativePath: file.relativePath,
  format: file.format,
  formatLabel: file.formatLabel,
  kind: kindOfFile(file),
  problem: file.problem,
})

export function createTableStore({ client, later, now, kinds, remembered, schedule, ...deps }: TableDeps) {
  let lastKey = 0
  let lastTime = 0
  /** Keys of rows by the id of their staged file. */
  const byFile = new Map<string, string>()
  const comparing = new Set<string>()

  return create<TableState>()((set, get) => {
    const differs = (before: Row, after: Row) =>
      before.kind !== after.kind ||
      before.relativePath !== after.relativePath ||
      isRefused(before) !== isRefused(after)

    /** Changes rows in one step, each by what it is now. */
    const change = (keys: Iterable<string>, edit: (row: Row) => Row) => {
      const rows = new Map(get().rows)
      let { shape } = get()
      let changed = false
      for (const key of keys) {
        const before = rows.get(key)
        const after = before && edit(before)
        if (!before || !after || after === before) continue
        changed = true
        rows.set(key, after)
        if (differs(before, after)) shape++
      }
      if (changed) set({ rows, shape })
    }

    // Progress of uploads and bursts of answers become one change of state per frame.
    const patches = createBatcher<[string, Partial<Row>]>(list => {
      const edits = new Map<string, Partial<Row>>()
      for (const [key, patch] of list) edits.set(key, { ...edits.get(key), ...patch })
      change(edits.keys(), row => withTarget({ ...row, ...edits.get(row.key) }))
    }, schedule)

    /** A file that is there becomes what was chosen for it on its way in, or else what its format usually does. */
    const withTarget = (row: Row): Row => {
      const { file, target, wish } = row
      if (target !== null || !file) return row
      return { ...row, target: wish && takes(row, wish) ? wish.target : usualTarget(row, get().usual) }
    }

    const intake = createIntake({
      stage: deps.stage,
      later,
      progress: (key, state) => patches.add([key, state]),
      staged(key, file) {
        // The event of a job may be faster than the frame.
        byFile.set(file.id, key)
        patches.add([key, fromFile(file)])
      },
      failed: (key, problem) => patches.add([key, { intake: 'failed', problem }]),
    })

    const newRow = (over: Partial<Row> & Pick<Row, 'key' | 'addedAt' | 'name' | 'bytes'>): Row => ({
      relativePath: null,
      intake: 'waiting',
      sent: 0,
      fileId: null,
      file: null,
      format: null,
      formatLabel: null,
      kind: null,
      problem: null,
      target: null,
      options: noOptions,
      wish: null,
      item: null,
      again: false,
      ...over,
    })

    const nextTime = () => {
      lastTime = Math.max(now(), lastTime + STEP_MS)
      return lastTime
    }

    /** Adds rows at their places. */
    const insert = (added: readonly Row[]) => {
      if (added.length === 0) return
      patches.flush()
      const known = get().rows
      const last = [...known.values()].at(-1)
      const all = [...known.values(), ...added]
      // Almost always they are the latest; sorting thousands of rows would be for nothing.
      if (added.some((row, index) => row.addedAt < ((index > 0 ? added[index - 1] : last)?.addedAt ?? 0))) {
        all.sort((a, b) => a.addedAt - b.addedAt)
      }
      set(state => ({ rows: new Map(all.map(row => [row.key, row])), shape: state.shape + 1 }))
    }

    const addFilesOf = (files: readonly StagedFile[]) => {
      const fresh = files.filter(({ id }) => !byFile.has(id))
      for (const { id } of fresh) byFile.set(id, id)
      insert(
        fresh.map(file =>
          withTarget(
            newRow({
              ...fromFile(file),
              key: file.id,
              addedAt: file.addedAt,
              name: file.name,
              bytes: file.bytes,
            }),
          ),
        ),
      )
    }

    const applyItems = (batch: Batch, items: readonly BatchItem[]) => {
      const fresh: Row[] = []
      const told = new Map<string, BatchItem>()
      for (const item of items) {
        const key = byFile.get(item.fileId)
        if (key) {
          told.set(key, item)
          continue
        }
        byFile.set(item.fileId, item.fileId)
        fresh.push(
          newRow({
            key: item.fileId,
            addedAt: item.addedAt,
            name: item.name,
            relativePath: item.relativePath,
            bytes: item.bytes,
            intake: 'staged',
            sent: 1,
            fileId: item.fileId,
            format: item.format,
            formatLabel: item.formatLabel,
            kind: item.job?.category ?? (item.format && kindOfName(`.${item.format}`, kinds())),
            target: batch.target,
            options: batch.options,
            item: itemOf(batch, item),
          }),
        )
      }
      insert(fresh)
      patches.flush()
      change(told.keys(), row => {
        const item = told.get(row.key)
        return item ? { ...row, item: laterItem(row.item, itemOf(batch, item)) } : row
      })
    }

    const loadItems = async (batch: Batch) => {
      let after: string | null = null
      do {
        const page = await client.batchItems(batch.id, { after, limit: ITEMS_PER_PAGE })
        applyItems(batch, page.items)
        after = page.next
      } while (after)
    }

    /** Reads the items of a batch where the rows do not show as many ends as it counts. */
    const compare = async (batch: Batch) => {
      const { counts } = batch
      const isOver = batch.state === 'done' || batch.state === 'canceled'
      let ended = 0
      let known = 0
      let isIncomplete = false
      for (const row of get().rows.values()) {
        if (row.item?.batchId !== batch.id) continue
        known++
        if (!isUnderWay(row)) ended++
        const { id, state, savedTo, error } = row.item
        // Why a result was not saved is told with its item alone.
        const isUnsaved = state === 'succeeded' && savedTo === null && error === null
        isIncomplete ||= id === null || (isUnsaved && batch.destination.kind !== 'keep')
      }
      const hasEndedMore = ended < counts.succeeded + counts.failed + counts.canceled
      if (known === 0 || hasEndedMore || (isOver && isIncomplete)) await loadItems(batch)
    }

    /** Files of rows that came from batches, so that they can be converted to something else. */
    const loadFiles = async () => {
      const ids = [...get().rows.values()].flatMap(row =>
        row.file === null && row.fileId ? [row.fileId] : [],
      )
      for (let start = 0; start < ids.length; start += FILES_PER_QUESTION) {
        const files = await client.findFiles(ids.slice(start, start + FILES_PER_QUESTION))
        for (const file of files) {
          const key = byFile.get(file.id)
          if (key) patches.add([key, fromFile(file)])
        }
      }
    }

    const latestBatches = new Map<string, Batch>()

    return {
      rows: new Map(),
      shape: 0,
      usual: remembered(),
      status: 'loading',

      isTaking: () => intake.isBusy(),

      addFiles(files) {
        const known = kinds()
        const added = files.map(({ file, relativePath }) => {
          const addedAt = nextTime()
          return { key: `f${++lastKey}`, file, relativePath, addedAt }
        })
        insert(
          added.map(({ key, file, relativePath, addedAt }) =>
            newRow({
              ...{ key, addedAt, relativePath, name: file.name, bytes: file.size },
              kind: kindOfName(file.name, known),
            }),
          ),
        )
        intake.add(added)
      },

      addStaged(opened) {
        addFilesOf(opened.flatMap(({ file }) => file ?? []))
        insert(
          opened.flatMap(({ name, file, problem }) =>
            file
              ? []
              : newRow({
                  key: `f${++lastKey}`,
                  addedAt: nextTime(),
                  name,
                  bytes: 0,
                  intake: 'failed',
                  problem,
                }),
          ),
        )
      },

      async restore() {
        try {
          addFilesOf(await client.stagedFiles())
          const batches = await client.batches()
          for (const batch of batches) {
            latestBatches.set(batch.id, batch)
            await loadItems(batch)
          }
          set({ status: 'ready' })
          await loadFiles()
        } catch {
          // The page works all the same with what is added to it; what it missed it reads when events arrive again.
          set({ status: 'ready' })
        }
      },

      forget(keys) {
        patches.flush()
        intake.abort(keys)
        const rows = new Map(get().rows)
        const files: string[] = []
        const items: string[] = []
        for (const key of keys) {
          const row = rows.get(key)
          if (!row || isUnderWay(row)) continue
          rows.delete(key)
          if (row.fileId) byFile.delete(row.fileId)
          if (row.item?.id) items.push(row.item.id)
          else if (row.fileId && !row.item) files.push(row.fileId)
        }
        set(state => ({ rows, shape: state.shape + 1 }))
        // The service sweeps staged files by itself; telling it only frees the disk sooner.
        if (files.length > 0) client.removeFiles(files).catch(() => {})
        if (items.length > 0) client.removeItems(items).catch(() => {})
      },

      choose(keys, choice) {
        const { target } = choice
        const usual = { ...get().usual }
        change(keys, row => {
          if (stageOf(row) === 'coming') return { ...row, wish: choice }
          if (!takes(row, choice)) return row
          if (row.format) usual[row.format] = target
          if (row.target === target && !row.item) return row
          return {
            ...row,
            target,
            options: row.target === target ? row.options : noOptions,
            again: row.item !== null,
          }
        })
        set({ usual })
      },

      setOption(keys, path, value) {
        const edited = new Map<Values, Values>()
        change(keys, row => {
          if (isUnderWay(row)) return row
          const options = edited.get(row.options) ?? withValue(row.options, path, value)
          edited.set(row.options, options)
          return { ...row, options, again: row.item !== null }
        })
      },

      setOptions: (keys, options) =>
        change(keys, row => (isUnderWay(row) ? row : { ...row, options, again: row.item !== null })),

      async begin(batch, keys) {
        latestBatches.set(batch.id, batch)
        const replaced = keys.flatMap(key => get().rows.get(key)?.item?.id ?? [])
        change(keys, row => ({ ...row, item: waitingItem(batch), again: false }))
        // A file is one row: what it became before is in the history. Batches that run keep theirs.
        if (replaced.length > 0) client.removeItems(replaced).catch(() => {})
        await loadItems(batch).catch(() => {})
      },

      applyJobs(jobs) {
        const told = new Map<string, AppJob>()
        for (const job of jobs.values()) {
          const key = job?.fileId && byFile.get(job.fileId)
          if (key && job.batchId !== null) told.set(key, job)
        }
        if (told.size === 0) return
        patches.flush()
        change(told.keys(), row => {
          const job = told.get(row.key)
          if (!job || row.item?.batchId !== job.batchId) return row
          return { ...row, item: withJob(row.item, job) }
        })
      },

      applyBatches(batches) {
        for (const [id, batch] of batches) {
          if (!batch) {
            latestBatches.delete(id)
            const gone = [...get().rows.values()].filter(row => row.item?.batchId === id && !row.again)
            if (gone.length === 0) continue
            const rows = new Map(get().rows)
            for (const { key, fileId } of gone) {
              rows.delete(key)
              if (fileId) byFile.delete(fileId)
            }
            set(state => ({ rows, shape: state.shape + 1 }))
            continue
          }
          latestBatches.set(id, batch)
          if (comparing.has(id)) continue
          comparing.add(id)
          later(() => {
            comparing.delete(id)
            const latest = latestBatches.get(id)
            if (latest) void compare(latest).catch(() => {})
          }, COMPARE_MS)
        }
      },
    }
  })
}

/** Shared by all rows without options, so that those are told to be alike at a glance. */
const noOptions: Values = {}

export const useTable = createTableStore({
  client: api,
  stage: stageFile,
  later: (run, ms) => setTimeout(run, ms),
  now: Date.now,
  kinds: () => {
    const { catalogue } = useSession.getState()
    return catalogue ? kindsBySuffix(catalogue) : new Map()
  },
  remembered: () => useMemory.getState().lastTargets,
})
