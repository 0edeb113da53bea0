import type { Logger } from 'pino'
import type { RunningHost } from './host.ts'

/** After this time a stop is forced; a clean one takes less. */
const STOP_TIMEOUT_MS = 4_500

/**
 * Ends the process cleanly on a signal; SIGTERM drains first if the settings allow time for that.
 * @returns ends it after an error that may have broken it
 */
export function stopOnSignals(host: RunningHost, drainSeconds: number, log: Logger): () => void {
  let stopping = false
  const stopped = new AbortController()
  const stop = (code = 0) => {
    if (stopping) return
    stopping = true
    stopped.abort()
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    host.close().then(
      () => process.exit(code),
      error => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  let draining = false
  process.on('SIGTERM', () => {
    // A second signal ends the waiting.
    if (draining || drainSeconds === 0) return stop()
    draining = true
    log.info({ seconds: drainSeconds }, 'finishing what runs')
    host.drain(drainSeconds * 1000, stopped.signal).then(
      () => stop(),
      () => stop(),
    )
  })
  process.on('SIGINT', () => stop())
  // The terminal was closed.
  process.on('SIGHUP', () => stop())
  // If a script of ours started this process, it must not outlive the script.
  process.on('disconnect', () => stop())
  // It may have ended before this one was ready.
  if (process.connected === false) stop()
  return () => {
    host.noteCrash()
    stop(1)
  }
}
