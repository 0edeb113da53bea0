/** Converts what has been read at once, and what is still being read as soon as it has been. */
import type { ChosenPair, Destination } from '../../../../service/web/app/types.ts'
import { ApiError, isUnanswered } from '../../../api/errors.ts'
import { destinationOf, useDestination, withPreset } from '../../../destination/store.ts'
import { useJobs } from '../../../jobs/store.ts'
import { useSchemas } from '../../../options/schemas.ts'
import { usePresets } from '../../../presets/store.ts'
import { useSession } from '../../../session/session.ts'
import { notifyProblem } from '../../../ui/notifications/notify.ts'
import { useMemory } from '../choose/memory.ts'
import { batchesOf, type Plan, planOf } from '../choose/plan.ts'
import { presetNameOf } from '../choose/presets.ts'
import { useJoin } from '../join/join.ts'
import { useJoining } from '../join/joining.ts'
import { useRemoval } from '../rows/removal.ts'
import { type Row, stageOf } from '../rows/row.ts'
import { useTable } from '../store.ts'

/** How long files that have been read wait for others, at first and later, so that thousands become few requests. */
const FIRST_MS = 250
const GATHER_MS = 2000

/** One press of Convert: its batches, by what their files have in common. */
interface Press {
  destination: Destination
  batches: Map<string, string>
}

/**
 * Submits everything, one batch for each target and set of options; files that are still being read join them. Refused batches stay
 * in the table, and the reason is shown.
 */
export async function convertAll(plan: Plan): Promise<void> {
  const destination = await destinationOf(useDestination.getState().value)
  if (!destination) return
  // Who converts has decided otherwise about the files that are there.
  useJoin.getState().want(false)
  const press = { destination, batches: new Map<string, string>() }
  useJoining.setState(({ waiting }) => ({ waiting: new Set([...waiting, ...plan.coming]) }))
  await submit(plan, press)
  void joinAll(new Set(plan.coming), press)
}

async function submit(plan: Plan, press: Press): Promise<void> {
  const count = (change: number) => useJoining.setState(state => ({ submitting: state.submitting + change }))
  count(1)
  await submitBatches(plan, press).finally(() => count(-1))
}

async function submitBatches(plan: Plan, press: Press): Promise<void> {
  const { destination, batches } = press
  const unanswered: string[] = []
  const schemas = useSchemas.getState()
  // Without a schema, neither the options that differ from the defaults nor the usual ones are known.
  await Promise.all(plan.parts.map(({ format, target }) => schemas.load(format, target)))
  const chosen: ChosenPair[] = []
  const { presets } = usePresets.getState()
  const { following } = useTable.getState()
  const placeOf = (rows: readonly Row[]) => withPreset(destination, presetNameOf(rows, presets, following))
  for (const { rows, format, request, options } of batchesOf(plan, useSchemas.getState().schemas, placeOf)) {
    const common = JSON.stringify({ ...request, fileIds: format })
    const known = batches.get(common)
    const { append, create: begin } = useJobs.getState()
    try {
      const isJoined = known !== undefined && (await append(known, rows).then(() => true, unlessGone))
      if (isJoined) continue
      batches.set(common, await begin(request, rows))
      chosen.push({ source: format, target: request.targetFormat, options })
    } catch (error) {
      if (isUnanswered(error)) unanswered.push(...rows.map(({ key }) => key))
      else notifyProblem(error)
    }
  }
  if (unanswered.length > 0) void submitLater(unanswered, press)
  // Files are converted even if this cannot be saved.
  useMemory
    .getState()
    .remember(chosen)
    .catch(() => {})
}

/** Submits rows once the service answers again: those that it did not get after all. */
async function submitLater(keys: readonly string[], press: Press): Promise<void> {
  useJoining.setState(({ waiting }) => ({ waiting: new Set([...waiting, ...keys]) }))
  // That it is gone may not be known yet.
  await until(() => false, GATHER_MS)
  await until(() => useSession.getState().live)
  await useTable.getState().restore()
  await joinAll(new Set(keys), press)
}

/** A batch that is gone meanwhile, as when its files were removed, is replaced by a new one. After any other failure it may have the files. */
function unlessGone(error: unknown): false {
  if (error instanceof ApiError && error.status === 404) return false
  throw error
}

/** Whether a row need not be waited for: it has been read, or is not to be converted any more. */
function isRead(key: string): boolean {
  const row = useJoining.getState().waiting.has(key) ? useTable.getState().rows.get(key) : undefined
  return !row || stageOf(row) !== 'coming'
}

/** Resolves when something holds for the rows, or after a time. */
const until = (holds: () => boolean, ms = Number.POSITIVE_INFINITY): Promise<void> =>
  new Promise(resolve => {
    const settle = () => {
      for (const stop of stops) stop()
      clearTimeout(timer)
      resolve()
    }
    const look = () => holds() && settle()
    const timer = Number.isFinite(ms) ? setTimeout(settle, ms) : undefined
    const stops = [useTable.subscribe(look), useJoining.subscribe(look), useSession.subscribe(look)]
    look()
  })

/** Submits rows as they are read. */
async function joinAll(left: Set<string>, press: Press): Promise<void> {
  let pause = FIRST_MS
  while (left.size > 0) {
    await until(() => left.values().every(isRead), pause)
    await until(() => left.values().some(isRead))
    pause = GATHER_MS
    const read = [...left].filter(isRead)
    for (const key of read) left.delete(key)
    const { rows } = useTable.getState()
    const { waiting } = useJoining.getState()
    const { hidden } = useRemoval.getState()
    const ready = read.flatMap(key => (waiting.has(key) && !hidden.has(key) && rows.get(key)) || [])
    await submit(planOf(ready, useSchemas.getState().schemas, useSession.getState().catalogue), press)
    const done = new Set(read)
    useJoining.setState(state => ({ waiting: new Set([...state.waiting].filter(key => !done.has(key))) }))
  }
}
