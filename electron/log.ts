import { renameSync, statSync } from 'node:fs'
import type { Logger } from 'pino'
import { createLog } from '../service/log.ts'

/** A log larger than this when the app starts is moved aside. */
const LIMIT_BYTES = 5_000_000

/**
 * Logs to a file, since a desktop app has no stderr anyone sees, and on Windows none at all. The log before the
 * last full one is dropped.
 */
export function createFileLog(path: string): Logger {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LIMIT_BYTES) renameSync(path, `${path}.1`)
  return createLog({}, path)
}
