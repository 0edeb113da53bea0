import { dirname } from 'node:path'
import { grantsFor, WORKER_FOLDER } from './grants.ts'
import { confineByLandlock } from './landlock.ts'
import { loadLibc } from './libc.ts'
import { limitProcess } from './limits.ts'
import { denyNetwork } from './network.ts'
import { confineBySeatbelt, seatbeltProfile } from './seatbelt.ts'
import { closeSystemCalls } from './system-calls.ts'

/** What the system holds a worker and its programs to, native code included. */
export interface Confinement {
  /** Only files that it was granted. */
  files: boolean
  /** No system calls that no converter needs. */
  systemCalls: boolean
  /** No connections. JavaScript's own ways are closed everywhere. */
  network: boolean
}

/**
 * Confines this process and every program it starts, as far as the system can: by Landlock and seccomp on Linux, by Seatbelt
 * on macOS. Windows has nothing of the kind that a process can ask for itself. To be called before anything hostile is read;
 * it can't be undone.
 */
export function confine(env: NodeJS.ProcessEnv = process.env): Confinement {
  denyNetwork()
  if (process.platform === 'darwin') return confineOnMac(env)
  if (process.platform !== 'linux') return { files: false, systemCalls: false, network: false }
  try {
    const libc = loadLibc()
    limitProcess(libc)
    const systemCalls = closeSystemCalls(libc)
    // Landlock asks for what the filter has set in every thread: that no program gains privileges.
    const files = systemCalls && env[WORKER_FOLDER] !== undefined && confineByLandlock(libc, grantsFor(env))
    return { files, systemCalls, network: systemCalls }
  } catch {
    return { files: false, systemCalls: false, network: false }
  }
}

function confineOnMac(env: NodeJS.ProcessEnv): Confinement {
  const own = env[WORKER_FOLDER]
  // Homes may lie elsewhere than where they usually do, and so may the data folder, two above a worker's.
  const hidden = [env.HOME, own && dirname(dirname(own))].filter(path => path !== undefined)
  const isConfined = own !== undefined && confineBySeatbelt(seatbeltProfile(grantsFor(env), hidden))
  return { files: isConfined, systemCalls: false, network: isConfined }
}
