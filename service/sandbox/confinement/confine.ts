import { dirname } from 'node:path'
import { grantsFor, WORKER_FOLDER } from './grants.ts'
import { confineByJobObject } from './job-object.ts'
import { confineByLandlock } from './landlock.ts'
import { loadLibc } from './libc.ts'
import { limitProcess, MAX_PROCESSES, MEMORY_LIMIT } from './limits.ts'
import { denyNetwork } from './network.ts'
import { confineBySeatbelt, seatbeltProfile } from './seatbelt.ts'
import { closeSystemCalls } from './system-calls.ts'

/** How the system confines a worker and its programs, including native code. */
export interface Confinement {
  /** Only granted files are accessible. */
  files: boolean
  /** System calls that no converter needs are refused. */
  systemCalls: boolean
  /** No connections. JavaScript's own network functions are closed on every system. */
  network: boolean
  /** On Windows: a job object limits memory and processes. On Linux, the service watches them instead. */
  jobObject?: boolean
}

/**
 * Confines this process and every program it starts, as far as the system can: with Landlock and seccomp on Linux, Seatbelt
 * on macOS. On Windows a process can only limit its own memory and processes, by a job object. Must be called before anything hostile
 * is read; it cannot be undone.
 */
export function confine(env: NodeJS.ProcessEnv = process.env): Confinement {
  denyNetwork()
  if (process.platform === 'darwin') return confineOnMac(env)
  if (process.platform === 'win32') {
    const jobObject = confineByJobObject(MAX_PROCESSES, Number(env[MEMORY_LIMIT] ?? 0))
    return { files: false, systemCalls: false, network: false, jobObject }
  }
  if (process.platform !== 'linux') return { files: false, systemCalls: false, network: false }
  try {
    const libc = loadLibc()
    limitProcess(libc)
    const systemCalls = closeSystemCalls(libc)
    // Landlock requires what the filter has set in every thread: that no program gains privileges.
    const files = systemCalls && env[WORKER_FOLDER] !== undefined && confineByLandlock(libc, grantsFor(env))
    return { files, systemCalls, network: systemCalls }
  } catch {
    return { files: false, systemCalls: false, network: false }
  }
}

function confineOnMac(env: NodeJS.ProcessEnv): Confinement {
  const own = env[WORKER_FOLDER]
  // Home folders may be in unusual places, and so may the data folder, two levels above a worker's.
  const hidden = [env.HOME, own && dirname(dirname(own))].filter(path => path !== undefined)
  const isConfined = own !== undefined && confineBySeatbelt(seatbeltProfile(grantsFor(env), hidden))
  return { files: isConfined, systemCalls: false, network: isConfined }
}
