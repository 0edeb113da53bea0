import { renameSync, statSync } from 'node:fs'
import type { Logger } from 'pino'
import { createLog } from '../service/host/log.ts'

/** A log larger than this is moved aside when the app starts. */
const LIMIT_BYTES = 5_000_000

/**
 * Logs to a file, since nobody sees a desktop app's stderr, and on Windows there is none. Only one previous log is
 * kept.
 */
export function createFileLog(path: string): Logger {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LIMIT_BYTES) renameSync(path, `${path}.1`)
  return createLog({}, path)
}
