/**
 * What waits to be converted, and what is chosen for it: a reload, another window or another day must not forget it. The service
 * has it, so that every window shows the same; what is secret is not kept.
 */
import type { Chosen, Preset, StagedFile } from '../../../../service/web/app/types.ts'
import { type Client, FILES_PER_REQUEST } from '../../../api/client.ts'
import { isGroup, isRecord, type Values } from '../../../forms/schema.ts'
import { pairOf, type Schemas } from '../../../options/schemas.ts'
import { fromFile, newRow, noOptions } from '../rows/new-row.ts'
import { choiceOfRow, isUnderWay, type Row, stageOf } from '../rows/row.ts'
import type { Rows, RowsState } from '../rows/rows.ts'
import { takes } from './choices.ts'
import type { Following } from './choosing.ts'
import { isSame } from './presets.ts'

type Properties = Extract<Schemas[string], object>['properties']

/** What the service keeps for a row: null while there is nothing to convert. */
function keptChoice(row: Row, schemas: Schemas): Chosen['choices'][string] {
  const { target, format, options } = row
  if (target === null || stageOf(row) !== 'ready') return null
  const schema = schemas[pairOf(format ?? '', target)]
  const shown = typeof schema === 'object' ? withoutSecrets(schema.properties, options) : options
  return { target, options: shown }
}

/** Whether two rows have the same choice, without looking into their options. */
const hasSameChoice = (a: Row, b: Row): boolean =>
  a.target === b.target && a.options === b.options && a.fileId === b.fileId && stageOf(a) === stageOf(b)

const withoutSecrets = (properties: Properties, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const field = properties[key]
      if (field && isGroup(field))
        return isRecord(value) ? [[key, withoutSecrets(field.properties, value)]] : []
      return field?.['x-secret'] ? [] : [[key, value]]
    }),
  )

interface Deps {
  client: Pick<Client, 'chosen' | 'keepChosen' | 'stagedFiles'>
  rows: Rows
  get: () => RowsState & Following & { status: 'loading' | 'ready' }
  set: (state: Following) => void
  schemas: () => Schemas
  presets: () => Promise<readonly Preset[]>
  /** A row with its usual target. */
  settle: (row: Row) => Row
}

export function keepChosen({ client, rows, get, set, schemas, presets, settle }: Deps) {
  /** Rows that were still being uploaded when the service was asked what waits. */
  let missed: ReadonlySet<string> = new Set()
  /** What the service has of choices. */
  let kept: Chosen = { choices: {}, following: null }
  /** The rows as they were when it was last seen what of their choices the service does not have. */
  let seen: RowsState['rows'] = new Map()
  /** Rows whose choice was changed here since. */
  const changedHere = (): Row[] => {
    const { rows } = get()
    if (rows === seen) return []
    return [...rows.values()].filter(row => {
      const before = seen.get(row.key)
      return row.fileId !== null && !(before && hasSameChoice(before, row))
    })
  }
  const isKept = (row: Row, choice = keptChoice(row, schemas())): boolean => {
    const there = kept.choices[row.fileId ?? ''] ?? null
    return (
      there?.target === choice?.target && isSame(there?.options ?? noOptions, choice?.options ?? noOptions)
    )
  }
  /** Whether the service has which preset is followed here. */
  const isFollowingKept = () => (get().following?.id ?? null) === kept.following

  /** A row with the choice that the service has; without one, it gets its usual target. */
  const withKept = (row: Row): Row => {
    const choice = kept.choices[row.fileId ?? '']
    const isDone = row.item !== null && !row.needsReconversion
    if (isUnderWay(row) || !row.file || (isDone && (!choice || choice.target === row.target))) return row
    const offered = choiceOfRow(row, choice?.target ?? null)
    if (!choice || !offered || !takes(row, offered))
      return row.item ? row : settle({ ...row, target: null, options: noOptions })
    return isKept(row) ? row : { ...row, ...choice, needsReconversion: row.item !== null }
  }

  /** Adds rows for staged files that have none. */
  const add = (files: readonly StagedFile[]) => {
    const fresh = files.filter(({ id }) => !rows.byFile.has(id))
    for (const { id } of fresh) rows.byFile.set(id, id)
    rows.insert(
      fresh.map(file => {
        const { id, addedAt, name, bytes } = file
        return withKept(newRow({ ...fromFile(file), key: id, addedAt, name, bytes }))
      }),
    )
  }

  // One after another: an older answer must not undo a newer one.
  let reading = Promise.resolve()
  let next: Promise<void> | null = null
  const readWaiting = async () => {
    rows.flush()
    const all = [...get().rows.values()]
    missed = new Set(all.filter(({ fileId }) => fileId === null).map(({ key }) => key))
    const before = all.filter(({ fileId, item }) => fileId !== null && item === null)
    const asked = [client.stagedFiles(), client.chosen(), presets()] as const
    const read = await Promise.all(asked).catch(() => null)
    if (!read) return
    const [files, there, known] = read
    const coming = new Set([...get().rows.values()].map(row => row.fileId === null && row.addedAt))
    // What was chosen here in the meantime is newer, and is kept next.
    const newer = new Set(changedHere().flatMap(row => (isKept(row) ? [] : row.key)))
    const isFollowedHere = !isFollowingKept()
    kept = there
    if (!isFollowedHere) set({ following: known.find(({ id }) => id === there.following) ?? null })
    // One that is being uploaded here has its row already.
    add(files.filter(({ addedAt }) => !coming.has(addedAt)))
    const ids = new Set(files.map(({ id }) => id))
    const now = get().rows
    rows.remove(before.filter(({ key, fileId }) => !ids.has(fileId ?? '') && now.get(key)?.item === null))
    rows.change(
      [...get().rows.keys()].filter(key => !newer.has(key)),
      withKept,
    )
    seen = new Map([...get().rows].filter(([key]) => !newer.has(key)))
  }

  return {
    withKept,
    add,

    /** Whether the service was asked what waits before it had this file. */
    isMissed: (key: string) => missed.has(key),

    /** Shows what waits to be converted, as other windows have left it. */
    refresh(): Promise<void> {
      // One that has not begun reads what came meanwhile, too.
      next ??= reading.then(() => {
        next = null
        return readWaiting()
      })
      reading = next
      return reading
    },

    /** Lets the service have what is chosen for files, unless it does already. */
    async keep(): Promise<void> {
      const { status, following, rows } = get()
      if (status !== 'ready') return
      const changed = changedHere()
        .map(row => [row, keptChoice(row, schemas())] as const)
        // Of a row that is new here, the choice may not have been read yet.
        .filter(([row, choice]) => !isKept(row, choice) && (choice !== null || seen.has(row.key)))
      seen = rows
      if (changed.length === 0 && isFollowingKept()) return
      const choices = changed.map(([{ fileId }, choice]) => [fileId, choice] as const)
      kept = {
        choices: { ...kept.choices, ...Object.fromEntries(choices) },
        following: following?.id ?? null,
      }
      for (let start = 0; start === 0 || start < choices.length; start += FILES_PER_REQUEST) {
        const some = Object.fromEntries(choices.slice(start, start + FILES_PER_REQUEST))
        // What cannot be kept now is kept with the next change.
        await client.keepChosen({ choices: some, following: kept.following }).catch(() => {
          seen = new Map()
          kept = { choices: {}, following: '-' }
        })
      }
    },
  }
}
