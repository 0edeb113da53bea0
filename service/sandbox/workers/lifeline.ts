import { createRequire } from 'node:module'

/** SIGKILLs this process and all programs it started that are still in its process group. */
function endGroup(): void {
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  } catch {
    // It leads no group.
  }
  process.kill(process.pid, 'SIGKILL')
}

/**
 * Ends this worker and everything it started when the channel to its service closes, as far as its event loop runs. Where there is
 * a watchdog, it has done so before.
 */
export function endWithService(): void {
  process.on('disconnect', endGroup)
}

/**
 * Makes this process lead a process group, which the watchdog ends as a whole: one that Electron starts is a member of the app's. Before
 * it is confined. Does nothing on Windows, which has no groups.
 */
export function leadGroup(): void {
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
    koffi.load(null).func('int setpgid(int process, int group)')(0, 0)
  } catch {
    // There is no koffi for this system, or no such function.
  }
}
