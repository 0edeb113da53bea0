import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { RequestError } from '../shared/errors.ts'
import { makeFolder } from '../shared/make-folder.ts'
import { message } from '../shared/messages/message.ts'
import { writeDurably } from '../shared/placing/durable.ts'
import type { Rule } from './rule.ts'

const SUFFIX = '.rule'
const TOUCH_MS = 60_000
/** A watcher that was killed is expected back for so long. */
const EXPECTED_MS = 10 * 60_000

/** What a watcher lets other processes know: by which rule it watches, and how that goes. */
export interface Told {
  rule: Rule
  progress?: unknown
}

export interface Lock extends AsyncDisposable {
  /** Lets others know how it goes; nothing depends on it. */
  tell(progress: unknown): void
}

/**
 * Keeps a second watcher of the same rule away, in whichever process. The system lets go of the lock when the process ends, however that
 * happens; what it told stays for a while.
 * @param base path of the rule's files without their suffixes
 * @throws RequestError server.unavailable if there is one
 */
export async function lock(base: string, rule: Rule): Promise<Lock> {
  await makeFolder(dirname(base), 0o700)
  const database = taken(base)
  if (!database) throw new RequestError('server.unavailable', message('watch.elsewhere'))
  const path = base + SUFFIX
  const write = (told: Told) => writeDurably(path, JSON.stringify(told))
  let telling = write({ rule })
  await telling.catch(error => {
    database.close()
    throw error
  })
  const timer = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => {}), TOUCH_MS).unref()
  return {
    tell(progress) {
      telling = telling.then(() => write({ rule, progress })).catch(() => {})
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await telling
      await rm(path, { force: true })
      database.close()
    },
  }
}

/** Takes the lock of a rule; undefined if another has it. */
function taken(base: string): DatabaseSync | undefined {
  // Of all that Node has, only SQLite locks files.
  const database = new DatabaseSync(`${base}.lock`, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch {
    database.close()
    return undefined
  }
}

/** Whether a process watches by a rule now. */
export function isLocked(base: string): boolean {
  if (!existsSync(`${base}.lock`)) return false
  const database = taken(base)
  database?.close()
  return !database
}

/** What those tell that watch, or were killed a moment ago, by the ids of their rules. */
export async function toldIn(folder: string): Promise<Map<string, Told>> {
  const found = new Map<string, Told>()
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(SUFFIX)) continue
    const path = join(folder, name)
    const seen = await stat(path).catch(() => undefined)
    if (seen && Date.now() - seen.mtimeMs < EXPECTED_MS)
      found.set(basename(name, SUFFIX), JSON.parse(await readFile(path, 'utf8')) as Told)
  }
  return found
}
