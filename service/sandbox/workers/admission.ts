import type { EngineDeclaration } from '../../convert/catalogue/engines.ts'

/**
 * Tasks of one queue never wait for those of another, except thumbnails, which yield to conversions. `report` is for the
 * engines' reports on themselves, `preview` for quick conversions that somebody is looking at. An idle process of the last two, whose start
 * was dear, goes over to any queue. Free slots go to them in this order.
 */
export const queues = ['report', 'measure', 'convert', 'preview', 'thumbnail'] as const
export type Queue = (typeof queues)[number]

/** What admission needs to know about a worker process. */
export interface PoolProcess {
  readonly queue: Queue
  readonly engine: EngineDeclaration
  readonly isBusy: boolean
  /** Whether it is ending; its memory counts until it is gone. */
  readonly isEnding: boolean
  /** When it became idle, on any clock. */
  readonly idleSince: number
}

export interface Bounds {
  /** How many tasks run at once in each queue. */
  places: Record<'convert' | 'measure', number>
  /** How much memory the engines of all living processes may declare together. */
  memoryBudgetBytes: number
}

/**
 * What to do about a task. `end` lists idle processes to end first.
 * - `use`: an idle process runs it
 * - `start`: a new process runs it at once
 * - `wait`: it waits for its engine or for memory; `soon` if processes that are ending will free the memory
 */
export type Admission<P> =
  | { kind: 'use'; process: P }
  | { kind: 'start'; end: P[] }
  | { kind: 'wait'; reason: 'engine' | 'memory'; soon: boolean; end: P[] }

/**
 * Decides how a task gets a process of its engine, in a queue that has a free place. A task that is `isSingleUse` never uses a
 * warm process, only one started for it alone.
 */
export function admit<P extends PoolProcess>(
  processes: readonly P[],
  task: { engine: EngineDeclaration; queue: Queue; isSingleUse?: boolean },
  bounds: Bounds,
): Admission<P> {
  const { engine, queue, isSingleUse = false } = task
  const idle = processes
    .filter(process => !process.isBusy && !process.isEnding)
    .toSorted((a, b) => a.idleSince - b.idleSince)
  const own = processes.filter(process => process.queue === queue && process.engine.name === engine.name)
  // The one that worked last, so that the others may stay idle long enough to be ended.
  const warm = idle.findLast(process => own.includes(process))
  if (warm && !isSingleUse) return { kind: 'use', process: warm }
  if (own.length >= engine.atOnce)
    return { kind: 'wait', reason: 'engine', soon: false, end: warm ? [warm] : [] }
  const lent = engine.compilesMuch && idle.findLast(isLent(engine))
  if (lent && !isSingleUse) return { kind: 'use', process: lent }

  // A queue keeps no more processes, warm ones included, than it has places.
  const inLane = processes.filter(process => process.queue === queue)
  const living = inLane.filter(process => !process.isEnding)
  const surplus = Math.max(0, living.length + 1 - placesOf(bounds, queue))
  const end = idle.filter(process => process.queue === queue).slice(0, surplus)

  // Measuring is light and does not wait for memory. A preview waits for memory, but no conversion waits for a preview's.
  if (queue === 'measure' || queue === 'report') return { kind: 'start', end }
  const counted =
    queue === 'convert'
      ? processes.filter(process => !(process.isBusy && isPreviewLane(process.queue)))
      : processes
  const missing = weightOf(counted) + engine.memoryBytes - bounds.memoryBudgetBytes
  if (missing <= 0) return { kind: 'start', end }

  const ending = weightOf(processes.filter(process => process.isEnding))
  if (ending + weightOf(idle) < missing) {
    if (isPreviewLane(queue)) return { kind: 'wait', reason: 'memory', soon: false, end: [] }
    const isLaneIdle = inLane.every(process => idle.includes(process) || process.isEnding)
    if (!isLaneIdle) return { kind: 'wait', reason: 'memory', soon: false, end: [] }
    // An engine that needs more than the budget gets the queue to itself.
    if (inLane.length === 0) return { kind: 'start', end: [] }
    return { kind: 'wait', reason: 'memory', soon: true, end: living }
  }
  for (const process of idle) {
    if (ending + weightOf(end) >= missing) break
    if (!end.includes(process)) end.push(process)
  }
  return { kind: 'wait', reason: 'memory', soon: true, end }
}

/** Places of the queues that cannot be configured. */
const FIXED_PLACES = { report: 1, preview: 1, thumbnail: 2 } as const

export const placesOf = ({ places }: Bounds, queue: Queue): number =>
  queue === 'convert' || queue === 'measure' ? places[queue] : FIXED_PLACES[queue]

/** Lanes whose results are only displayed. */
const isPreviewLane = (queue: Queue) => queue === 'preview' || queue === 'thumbnail'

/** Those of conversions are not lent: they have a lower priority, and stay with it. */
const isLent = (engine: EngineDeclaration) => (process: PoolProcess) =>
  process.engine.name === engine.name && isPreviewLane(process.queue)

const weightOf = (processes: readonly PoolProcess[]) =>
  processes.reduce((sum, { engine }) => sum + engine.memoryBytes, 0)
