import { join } from 'node:path'
import type { Message } from '../shared/messages/message.ts'
import { isThere } from '../shared/placing/naming.ts'
import type { Database } from './database.ts'
import { Journal } from './journal.ts'
import { allRules, isLocked, type KnownRule } from './rules.ts'
import type { Happening, Reason } from './work.ts'

/** A file that is left alone: until it changes, or until a time in milliseconds since 1970, if the cause may pass. */
export interface Parked extends Reason {
  file: string
  retryAt: number | null
}

/** What the watcher of a rule tells of its files. */
export interface Progress {
  /** Files that are still being written, or may be. */
  writing: number
  parked: readonly Parked[]
  last: Happening | null
  /** Why nothing can be converted at the moment, or what went wrong with an original. */
  problem: Message | null
}

/** A rule with what has become of its files, whoever watches by it. */
export interface Status extends Omit<KnownRule, 'progress'>, Progress {
  state: 'watching' | 'paused' | 'stopped'
  /** How many results there are. */
  done: number
}

/** Rules, by default all of this machine, with what is known of their files. @throws as `allRules` */
export const statusOfRules = (database: Database, rules = allRules(database)): Promise<Status[]> =>
  Promise.all(
    rules.map(async ({ progress: told, ...known }) => {
      const { id, rule, paused } = known
      const { failed, done } = new Journal(database, id)
      const state = isLocked(database, id) ? 'watching' : paused ? 'paused' : 'stopped'
      const progress = told as Progress | null
      if (state === 'watching' && progress) return { ...known, ...progress, state, done }
      const there = await Promise.all(failed.map(({ file }) => isThere(join(rule.folder, file))))
      const parked = failed
        .filter((_, at) => there[at])
        .map(({ file, code, detail }) => ({ file, code, detail, retryAt: null }))
      return { ...known, state, done, writing: 0, parked, last: null, problem: null }
    }),
  )
