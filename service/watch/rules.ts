import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { RequestError } from '../shared/errors.ts'
import { message } from '../shared/messages/message.ts'
import type { Database } from './database.ts'
import { type Rule, ruleId } from './rule.ts'

/** A rule by which this machine watches: of the app, or without an account that of a command. */
export interface KnownRule {
  id: string
  rule: Rule
  accountId: string | null
  paused: boolean
  /** What its watcher told last. */
  progress: unknown
}

/** A command that was killed is expected back for so long. */
const EXPECTED_MS = 10 * 60_000
const TOUCH_MS = 60_000

/** All rules of this machine. @throws RequestError server.unavailable if what is known of them is damaged */
export function allRules(database: Database): KnownRule[] {
  return database.all('SELECT * FROM rules').flatMap(({ id, rule, account, paused, progress, seen }) => {
    const isExpected = Date.now() - Number(seen) < EXPECTED_MS
    if (account === null && !isExpected && !isLocked(database, `${id}`)) return []
    const parsed = { rule: JSON.parse(`${rule}`), progress: JSON.parse(`${progress}`) }
    return [{ id: `${id}`, accountId: account as string | null, paused: paused === 1, ...parsed }]
  })
}

/** @returns its id @throws RequestError request.invalid_parameter if there is one like it */
export async function addRule(database: Database, rule: Rule, accountId: string): Promise<string> {
  const id = ruleId(rule)
  const changes = await database.run(
    `INSERT INTO rules (id, rule, account) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET rule = excluded.rule, account = excluded.account WHERE account IS NULL`,
    ...[id, JSON.stringify(rule), accountId],
  )
  if (changes === 0) throw new RequestError('request.invalid_parameter', message('watch.exists'))
  return id
}

/** The same in place of another rule. */
export async function replaceRule(database: Database, before: string, rule: Rule): Promise<string> {
  const id = ruleId(rule)
  const changes = await database.run(
    'UPDATE OR IGNORE rules SET id = ?, rule = ?, progress = NULL WHERE id = ?',
    ...[id, JSON.stringify(rule), before],
  )
  if (changes === 0) throw new RequestError('request.invalid_parameter', message('watch.exists'))
  return id
}

export interface Lock extends Disposable {
  /** Lets other processes know how it goes, and that it is there. */
  tell(progress: unknown): void
}

/**
 * Begins to watch by a rule, and keeps a second watcher away, in whichever process. The system lets go of the lock when the process ends,
 * however that happens.
 * @throws RequestError server.unavailable if there is one
 */
export function lock(database: Database, id: string, rule: Rule): Lock {
  const locked = taken(database, id)
  if (!locked) throw new RequestError('server.unavailable', message('watch.elsewhere'))
  let told = ''
  const tell = (progress: unknown) => {
    // At rest it says that it is there.
    const text = JSON.stringify([progress, Math.floor(Date.now() / TOUCH_MS)])
    if (told === text) return
    database.set(
      `INSERT INTO rules (id, rule, progress, seen) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET progress = excluded.progress, seen = excluded.seen`,
      ...[id, JSON.stringify(rule), JSON.stringify(progress), Date.now()],
    )
    told = text
  }
  try {
    tell(null)
  } catch (error) {
    locked.close()
    throw error
  }
  return {
    tell,
    [Symbol.dispose]() {
      try {
        database.set('DELETE FROM rules WHERE id = ? AND account IS NULL', id)
      } catch {
        // It is taken for one that was killed, for a while.
      } finally {
        locked.close()
      }
    },
  }
}

/** Takes the lock of a rule; undefined if another has it. */
function taken({ folder }: Database, id: string): DatabaseSync | undefined {
  // Of all that Node has, only SQLite locks files.
  const lock = new DatabaseSync(join(folder, `${id}.lock`), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch {
    lock.close()
    return undefined
  }
}

/** Whether a process watches by a rule now. */
export function isLocked(database: Database, id: string): boolean {
  if (!existsSync(join(database.folder, `${id}.lock`))) return false
  using lock = taken(database, id)
  return !lock
}
