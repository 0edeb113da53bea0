/** Watches a working service: whether it answers, and how much its workers use. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Spawn } from '../../service/sandbox/workers/spawn.ts'
import { spawnForTests } from '../servers/hosts/spawn.ts'

const LOOK_MS = 200

/** The peak memory of each started process, including the programs it started, if there is a /proc. */
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

/** What a process and its descendants use now; 0 once it is gone. */
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

/** Repeats a check until stopped, which then throws the first failure. */
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
