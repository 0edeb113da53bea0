import { Worker } from 'node:worker_threads'

/** SIGKILLs this process and all programs it started that are still in its process group. */
export function endGroup(): void {
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  } catch {
    // It leads no group.
  }
  process.kill(process.pid, 'SIGKILL')
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
