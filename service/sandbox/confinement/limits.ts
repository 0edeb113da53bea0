import type { Libc } from './libc.ts'

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
