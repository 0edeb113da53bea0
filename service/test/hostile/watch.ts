/** Watches a service at work: whether it answers, and what its workers take. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Spawn } from '../../workers/spawn.ts'
import { spawnForTests } from '../spawn.ts'

const LOOK_MS = 200

/** The most memory each process that was started has held, with the programs it started; where there is a /proc. */
export class MemoryWatch {
  readonly #pids = new Set<number>()
  /** Bytes. */
  peak = 0

  readonly spawn: Spawn = (...args) => {
    const worker = spawnForTests(...args)
    if (worker.pid !== undefined) this.#pids.add(worker.pid)
    return worker
  }

  look(): void {
    for (const pid of this.#pids) this.peak = Math.max(this.peak, heldBy(pid))
  }
}

/** What a process and those it started hold now; 0 once it is gone. */
function heldBy(pid: number): number {
  try {
    const held =
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + heldBy(Number(child)), held)
  } catch {
    return 0
  }
}

/** Looks again and again until it is stopped; the first failure is thrown then. */
export function lookingAt(look: () => Promise<void>): { stop(): Promise<void> } {
  let stopped = false
  const looking = (async () => {
    while (!stopped) {
      await look()
      await sleep(LOOK_MS)
    }
  })()
  looking.catch(() => {})
  return {
    stop: async () => {
      stopped = true
      await looking
    },
  }
}
