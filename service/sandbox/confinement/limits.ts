import { availableParallelism } from 'node:os'
import type { Libc } from './libc.ts'

/** Name of the environment variable that holds how many bytes of memory one task may use. */
export const MEMORY_LIMIT = 'REFILE_MEMORY_LIMIT_BYTES'

/** How many processes a worker may consist of: no engine needs more than one program per core and a few more. */
export const MAX_PROCESSES = 64 + availableParallelism()

/** Numbers of setrlimit(2), by processor. */
const SETRLIMIT: Partial<Record<NodeJS.Architecture, number>> = { x64: 160, arm64: 164 }
const RLIMIT_CORE = 4
const PR_SET_CHILD_SUBREAPER = 36

/**
 * Prevents core dumps, which would contain what was being converted, and makes orphaned programs stay below this process,
 * where the service finds them when it counts memory and processes. Linux only.
 */
export function limitProcess(libc: Libc): void {
  const number = SETRLIMIT[process.arch]
  if (number !== undefined) libc.call(number, RLIMIT_CORE, new Uint8Array(16))
  libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
}
