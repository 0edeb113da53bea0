import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../shared/make-folder.ts'
import { writeDurably } from '../shared/placing/durable.ts'
import type { Rule } from './rule.ts'

/** Another process watches by the same rule. */
export class AlreadyWatched extends Error {
  override readonly name: string = 'AlreadyWatched'
}

const SUFFIX = '.rule'
const TOUCH_MS = 5_000
/** A watcher that was killed is expected back for so long. */
const EXPECTED_MS = 10 * 60_000

/**
 * Keeps a second watcher of the same rule away, in whichever process. The system lets go of the lock when the process ends, however that
 * happens; the rule beside it stays for a while.
 * @param base path of the rule's files without their suffixes
 * @throws AlreadyWatched if there is one
 */
export async function lock(base: string, rule: Rule): Promise<AsyncDisposable> {
  await makeFolder(dirname(base), 0o700)
  const database = taken(base)
  if (!database) throw new AlreadyWatched('This folder is already watched so, by another process.')
  await writeDurably(base + SUFFIX, JSON.stringify(rule))
  const touch = () => void utimes(base + SUFFIX, new Date(), new Date()).catch(() => {})
  const timer = setInterval(touch, TOUCH_MS).unref()
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await rm(base + SUFFIX, { force: true })
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
  const database = existsSync(`${base}.lock`) ? taken(base) : undefined
  database?.close()
  return existsSync(`${base}.lock`) && !database
}

/** The rules by which a process watches, or was killed a moment ago, by their ids. */
export async function lockedRules(folder: string): Promise<Map<string, Rule>> {
  const found = new Map<string, Rule>()
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(SUFFIX)) continue
    const path = join(folder, name)
    const seen = await stat(path).catch(() => undefined)
    if (seen && Date.now() - seen.mtimeMs < EXPECTED_MS)
      found.set(basename(name, SUFFIX), JSON.parse(await readFile(path, 'utf8')) as Rule)
  }
  return found
}
