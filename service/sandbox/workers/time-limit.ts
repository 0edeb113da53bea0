/** How often the time of a task is counted, at most. */
const STEP_MS = 500

/** A task that has used this little of its limit and reported nothing for as long as its limit is regarded as hung. */
const SIGN_OF_LIFE = 1 / 200

/** How many times the limit a task may take altogether, if it is starved of processor time all along. */
const MAX_WAITING = 10

/** The same where the processor time of a task is unknown, and a busy machine resembles a hung program. */
const MAX_UNKNOWN = 3

export interface TimeLimit {
  /** Processor time that the task may use; a task that keeps several cores busy is counted as one. */
  ms: number
  /** Time on the clock that it may take, whatever it does; by default a multiple of `ms`. */
  wallMs?: number | undefined
  /** Processor time used by the process so far, in milliseconds; undefined if unknown. */
  used(): number | undefined
  /** The same at the start of the task, where that of programs that are still running may be left out. */
  before: number
  onEnd(): void
}

/**
 * Calls `onEnd` when a task has used its time: on a busy machine the clock says little about it. Time during which this process
 * was stopped or the machine slept does not count; some systems' clocks include it.
 * @returns `progress`, to be called when the task shows that it is getting on; `stop` cancels the timer
 */
export function limitTime({ ms, wallMs, used, before, onEnd }: TimeLimit): {
  progress(): void
  stop(): void
} {
  const step = Math.max(1, Math.min(STEP_MS, ms / 4))
  let cpu = before
  /** Time on the clock, time in which the task was busy, and time since its last sign of life with what it used since. */
  let wall = 0
  let busy = 0
  let quiet = 0
  let stirred = 0
  const progress = () => {
    quiet = 0
    stirred = 0
  }
  const timer = setInterval(() => {
    const now = used()
    const gain = now === undefined ? 0 : Math.max(0, now - cpu)
    cpu = now ?? cpu
    wall += step
    busy += Math.min(step, gain)
    quiet += step
    stirred += gain
    if (stirred >= ms * SIGN_OF_LIFE && gain > 0) progress()
    const most = wallMs ?? ms * (now === undefined ? MAX_UNKNOWN : MAX_WAITING)
    const isOver =
      wall >= most || (wallMs === undefined && (busy >= ms || (now !== undefined && quiet >= ms)))
    if (!isOver) return
    clearInterval(timer)
    onEnd()
  }, step)
  return { progress, stop: () => clearInterval(timer) }
}
