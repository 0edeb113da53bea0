import { renameSync, statSync } from 'node:fs'
import type { Logger } from 'pino'
import { createLog } from '../service/log.ts'

/** Bytes a log may have at a start of the app; beyond them it makes room for a new one. */
const LIMIT = 5_000_000

/**
 * Logs to a file, since a desktop app has no stderr anyone sees, and on Windows none at all. The log before the
 * last full one is dropped.
 */
export function createFileLog(path: string): Logger {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LIMIT) renameSync(path, `${path}.1`)
  return createLog({}, path)
}
