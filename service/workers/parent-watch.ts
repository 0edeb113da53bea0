/**
 * Ends a worker whose service is gone, together with its process group. A thread of its own, since a worker busy in a
 * native loop cannot notice.
 */

/** Milliseconds between two looks at who the parent is. */
const INTERVAL_MS = 500

const parentPid = process.ppid

setInterval(() => {
  if (process.ppid === parentPid) return
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL')
  } catch {
    // It leads no group.
  }
  process.kill(process.pid, 'SIGKILL')
}, INTERVAL_MS)
