import { basename, dirname, relative } from 'node:path'
import { liesWithin } from '../shared/names/within.ts'
import type { Database } from './database.ts'
import { matches } from './rule.ts'
import { allRules } from './rules.ts'

/** A result: its path, the hash of its content, and whether its conversion had warnings. */
export interface Made {
  output: string
  result: string
  warned?: boolean
}

/** What an entry is about: a file, below the watched folder, with a certain content. */
interface About {
  file: string
  /** SHA-256 of the content, in hex. */
  content: string
  /** How the file looked with this content; see `stampOf`. */
  stamp?: string
  /** How many attempts at converting it had ended before. */
  attempt?: number
}

/**
 * What became of a file with a certain content. `placing` is written before a result gets its name, so that after a kill it is
 * known whether the file of that name is the result; `stopped` when our own stop ended an attempt, and `again` when one has ended
 * without an end of the matter.
 */
export type JournalEntry = About &
  (
    | ({ state: 'placing' | 'done' } & Made)
    | { state: 'failed'; code: string; detail: string }
    | { state: 'again' | 'stopped' }
  )

export type Failed = Extract<JournalEntry, { state: 'failed' }>

/** What became of the files of a rule: the newest entry of each with each of its contents. */
export class Journal {
  readonly #database: Database
  readonly #id: string

  constructor(database: Database, id: string) {
    this.#database = database
    this.#id = id
  }

  #entries(where: string, ...values: string[]): JournalEntry[] {
    const found = this.#database.all(
      `SELECT entry FROM entries e WHERE rule = ? AND ${where}`,
      this.#id,
      ...values,
    )
    return found.map(({ entry }) => JSON.parse(`${entry}`))
  }

  get(file: string, content: string): JournalEntry | undefined {
    return this.#entries('file = ? AND content = ?', file, content)[0]
  }

  /** Whether a file that looks so has its result. */
  isDone(file: string, stamp: string): boolean {
    return this.#entries('file = ?', file).some(entry => entry.state === 'done' && entry.stamp === stamp)
  }

  /** How many results it records. */
  get done(): number {
    const sql = `SELECT count(*) AS done FROM entries WHERE rule = ? AND state = 'done'`
    return Number(this.#database.all(sql, this.#id)[0]?.done)
  }

  /** Files whose last attempt failed. */
  get failed(): Failed[] {
    const newer = 'SELECT 1 FROM entries n WHERE n.rule = e.rule AND n.file = e.file AND n.rowid > e.rowid'
    return this.#entries(`state = 'failed' AND NOT EXISTS (${newer})`) as Failed[]
  }

  /** Adds an entry; on the disk when this resolves. */
  async add(entry: JournalEntry): Promise<void> {
    const { file, content, state } = entry
    const sql = 'INSERT INTO entries (rule, file, content, state, entry) VALUES (?, ?, ?, ?, ?)'
    await this.#database.run(sql, this.#id, file, content, state, JSON.stringify(entry))
  }

  /** Has what failed tried again, each under a new key. */
  async retry(): Promise<void> {
    for (const { file, content, attempt = 0 } of this.failed)
      await this.add({ file, content, attempt: attempt + 1, state: 'again' })
  }

  /** Whether another rule, also one that is paused, has to do with a file, and has no result of this content yet. */
  isAwaited(path: string, content: string): boolean {
    return allRules(this.#database).some(({ id, rule: { folder, recursive, pattern } }) => {
      if (id === this.#id || !matches({ pattern }, basename(path))) return false
      if (recursive ? !liesWithin(folder, path) : dirname(path) !== folder) return false
      return new Journal(this.#database, id).get(relative(folder, path), content)?.state !== 'done'
    })
  }
}
