import { Worker } from 'node:worker_threads'

/** SIGKILLs this process and every program it started, as far as they are in its process group. */
export function endGroup(): void {
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  } catch {
    // It leads no group.
  }
  process.kill(process.pid, 'SIGKILL')
}

/**
 * Ends this worker with all it started when its service is gone, however that ended: at once where the event loop turns,
 * else, as inside a long native call, by a thread that looks who the parent is.
 * @param watchScript path of parent-watch
 */
export function endWithService(watchScript: string): void {
  process.on('disconnect', endGroup)
  // The parent may have died before this line: then the service's own id, from the environment, tells.
  const servicePid = Number(process.env.REFILE_SERVICE_PID) || process.ppid
  new Worker(watchScript, { workerData: servicePid, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref()
}
