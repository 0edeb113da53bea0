/** The person's actions on rows; each leaves the focus on a line that still exists. */
import type { Reopened, TargetChoice } from '../../../service/web/app/types.ts'
import { api, FILES_PER_REQUEST } from '../../api/client.ts'
import { changedValues } from '../../forms/schema.ts'
import { useJobs } from '../../jobs/store.ts'
import { text } from '../../messages/text.ts'
import { pairOf, useSchemas } from '../../options/schemas.ts'
import { useSession } from '../../session/session.ts'
import { notifyProblem } from '../../ui/notifications/notify.ts'
import { planOf } from './choose/plan.ts'
import type { Line } from './rows/layout.ts'
import { useRemoval } from './rows/removal.ts'
import { isUnderWay, type Row, stageOf } from './rows/row.ts'
import { lineAfter } from './rows/selection.ts'
import { useView } from './rows/view.ts'
import { useTable } from './store.ts'
import { convertAll } from './submit/converting.ts'

const rowsOf = (keys: Iterable<string>): Row[] => {
  const { rows } = useTable.getState()
  return [...keys].flatMap(key => rows.get(key) ?? [])
}

/** Removes rows from the table, with a while to undo it, which is said in other words if given; those being converted are canceled and stay. */
export function removeRows(keys: Iterable<string>, lines: readonly Line[], words?: string): void {
  const rows = rowsOf(keys)
  const running = rows.filter(isUnderWay)
  void cancelRows(running.map(({ key }) => key))
  const removed = new Set(rows.filter(row => !isUnderWay(row)).map(({ key }) => key))
  if (removed.size === 0) return
  const { cursor, go } = useView.getState()
  const next = lineAfter(lines, removed, cursor)
  useRemoval.getState().remove(removed, words)
  go(lines, next)
}

async function cancelRows(keys: Iterable<string>): Promise<void> {
  try {
    await useJobs.getState().whenRead()
    await Promise.all(
      rowsOf(keys).map(async ({ item }) => {
        if (item?.job) await api.cancel(item.job.id)
        else if (item?.id) await api.cancelItem(item.batchId, item.id)
      }),
    )
  } catch (error) {
    notifyProblem(error)
  }
}

/** Converts rows again with the same settings, including secret ones. */
export async function retryRows(keys: Iterable<string>): Promise<void> {
  const converted = rowsOf(keys).filter(({ item }) => item?.id)
  for (const [batchId, rows] of Map.groupBy(converted, ({ item }) => item!.batchId)) {
    try {
      await useJobs.getState().retryItems(batchId, rows)
    } catch (error) {
      notifyProblem(error)
    }
  }
}

/**
 * Puts one row in place of several, for one file of all of them.
 * @param keys of the rows, in the order in which they are joined
 * @returns whether it worked; if not, the reason is shown
 */
export async function joinRows(keys: readonly string[], lines: readonly Line[]): Promise<boolean> {
  try {
    const file = await api.joinFiles(rowsOf(keys).flatMap(({ fileId }) => fileId ?? []))
    useTable.getState().addStaged([{ name: file.name, file, problem: null }])
    removeRows(keys, lines, text('convert.joined', { value: keys.length }))
    selectRows([file.id])
    return true
  } catch (error) {
    notifyProblem(error)
    return false
  }
}

/** Adds rows for the same files once more, and selects them, so that they can become something else as well. */
export async function repeatRows(rows: readonly Row[]): Promise<void> {
  const repeated = rows.filter(({ fileId, file }) => fileId !== null && file !== null)
  for (let start = 0; start < repeated.length; start += FILES_PER_REQUEST) {
    const some = repeated.slice(start, start + FILES_PER_REQUEST)
    const files = await api.repeatFiles(some.flatMap(({ fileId }) => fileId ?? []))
    useTable.getState().addRepeated(files, some)
    selectRows(files.map(({ id }) => id))
  }
}

/** Converts the file of an earlier conversion to another target at once, with the options last used for it. */
export async function convertReopened(reopened: Reopened, choice: TargetChoice): Promise<void> {
  const key = await showReopened(reopened)
  useTable.getState().choose([key], choice)
  const row = useTable.getState().rows.get(key)
  if (!row) return
  await convertAll(planOf([row], useSchemas.getState().schemas, useSession.getState().catalogue))
}

/**
 * Shows and selects the file of an earlier conversion, with its target and options.
 * @returns the key of its row
 */
export async function showReopened({ file, target, options }: Reopened): Promise<string> {
  const from = file.format ?? ''
  await useSchemas.getState().load(from, target)
  const schema = useSchemas.getState().schemas[pairOf(from, target)]
  const changed = typeof schema === 'object' ? changedValues(schema.properties, options) : options
  const key = useTable.getState().reopen({ file, target, options: changed })
  selectRows([key])
  return key
}

/** Selects rows, some of which may be new to the table, and moves to the first. */
const selectRows = (keys: readonly string[]): void => {
  const [first = null] = keys
  useView.setState(({ focusing }) => ({
    selected: new Set(keys),
    cursor: first,
    anchor: first,
    focusing: focusing + 1,
  }))
}

/** Shows rows: unfolds the groups of which they are, selects them, and moves to the first. */
export function leadTo(keys: readonly string[], lines: readonly Line[]): void {
  for (const line of lines)
    if (line.type !== 'row' && line.folded && line.keys.some(key => keys.includes(key)))
      useView.getState().toggle(line.key)
  selectRows(keys)
}

const hasEnded = (row: Row): boolean => ['done', 'failed', 'canceled'].includes(stageOf(row))

/** Removes everything that is finished. */
export function clearFinished(lines: readonly Line[]): void {
  const keys = [...useTable.getState().rows.values()].filter(hasEnded).map(({ key }) => key)
  removeRows(keys, lines, text('convert.cleared', { value: keys.length }))
}
