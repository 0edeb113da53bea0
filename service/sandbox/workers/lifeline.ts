import { Worker } from 'node:worker_threads'
import { loadLibc } from '../confinement/libc.ts'

/** SIGKILLs this process and all programs it started that are still in its process group. */
export function endGroup(): void {
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  } catch {
    // It leads no group.
  }
  process.kill(process.pid, 'SIGKILL')
}

const PR_SET_PDEATHSIG = 1

/** Undoes what the worker was started with: killed by the system alone, it would leave programs behind. Before it is confined. */
export function endBySystemNoMore(): void {
  if (process.platform !== 'linux') return
  try {
    loadLibc().prctl(PR_SET_PDEATHSIG, 0)
  } catch {
    // There is no koffi for this system.
  }
}

/**
 * Ends this worker and everything it started when its service is gone, however the service ended: at once while the
 * event loop runs; otherwise, as during a long native call, by a thread that checks the parent's id.
 * @param watchScript path of parent-watch
 */
export function endWithService(watchScript: string): void {
  process.on('disconnect', endGroup)
  // The parent may have died before this line, so the service's own id is taken from the environment.
  const servicePid = Number(process.env.REFILE_SERVICE_PID) || process.ppid
  new Worker(watchScript, { workerData: servicePid, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
}
