import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'

/** Argument of a worker that gives way to the service and to whatever else the person is doing. */
export const IN_BACKGROUND = '--in-background'

/** How far conversions give way to the service and to whatever else the person is doing. */
const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL

/** Linux lets one process in 100 ms change the priority of its session, over the whole machine. */
const SESSION_RETRY_MS = 150
const SESSION_ATTEMPTS = 40

function lower(id: number): void {
  try {
    setPriority(id, PRIORITY)
  } catch {
    // Not allowed here, or it has ended.
  }
}

/** Lowers the priority of this process. Threads and programs that it starts from here on inherit it. */
export function lowerOwnPriority(): void {
  // On Linux it belongs to a thread, and V8 has started some by now.
  const ids = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid]
  for (const id of ids) lower(id)
}

/**
 * Lowers the priority of a process that was just started and leads a session of its own. Where Linux groups processes by
 * session, every session gets the same share of the processors whatever the priorities of its processes, unless the
 * session itself is lowered; see sched(7), "The autogroup feature".
 */
export function lowerPriorityOf(leader: number): void {
  lower(leader)
  if (process.platform === 'linux') void lowerSession(leader)
}

async function lowerSession(leader: number): Promise<void> {
  for (let attempt = 0; attempt < SESSION_ATTEMPTS; attempt++) {
    try {
      await writeFile(`/proc/${leader}/autogroup`, String(PRIORITY))
      return
    } catch (error) {
      // Anything else means that it has ended, or that this kernel has no such groups.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
    await setTimeout(SESSION_RETRY_MS * (1 + Math.random()), undefined, { ref: false })
  }
}
