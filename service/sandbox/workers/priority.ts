import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'

/** Argument of a worker that yields to the service and to the person's other programs. */
export const IN_BACKGROUND = '--in-background'

/** Priority of conversions, below the service and the person's other programs. */
const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

/** Linux allows one change of a session's priority every 100 ms, over the whole machine. */
const SESSION_RETRY_MS = 150
const SESSION_ATTEMPTS = 40

function lower(id: number): void {
  try {
    setPriority(id, PRIORITY)
  } catch {
    // Not permitted here, or the thread has ended.
  }
}

/** On Linux priority belongs to a thread, and V8 starts some. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

/** Lowers the priority of this process. Threads and programs that it starts afterwards inherit it. */
export const lowerOwnPriority = (): void => threadsOf(process.pid).forEach(lower)

/**
 * Lowers the priority of a process that leads a session of its own. Where Linux groups processes by
 * session, every session gets the same share of the processors whatever the priorities of its processes, unless the
 * session's own priority is lowered; see sched(7), "The autogroup feature".
 */
export function lowerPriorityOf(leader: number): void {
  threadsOf(leader).forEach(lower)
  if (process.platform === 'linux') void lowerSession(leader)
}

async function lowerSession(leader: number): Promise<void> {
  for (let attempt = 0; attempt < SESSION_ATTEMPTS; attempt++) {
    try {
      await writeFile(`/proc/${leader}/autogroup`, String(PRIORITY))
      return
    } catch (error) {
      // Any other error means that the process has ended, or that this kernel has no autogroups.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
    await setTimeout(SESSION_RETRY_MS * (1 + Math.random()), undefined, { ref: false })
  }
}
