import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Message, message } from '../../shared/messages/message.ts'
import { writeDurably } from '../../shared/placing/durable.ts'
import type { Damage } from '../interfaces/damage.ts'

interface Noted {
  /** ISO date of the start that found it. */
  date: string
  /** Name of what was set aside in the data folder; null if nothing was left. */
  keptAs: string | null
  /** Name of the backup that is used instead; null for a new database. */
  backup: string | null
  /** Whether files that the database does not know have been set aside. */
  isSorted: boolean
  isDismissed: boolean
}

const pathIn = (home: string) => join(home, 'damage.json')

/** What is still to be done and reported after a damaged database was replaced, in a file beside it. */
export class DamageNote implements Damage {
  readonly #home: string
  #noted: Noted

  private constructor(home: string, noted: Noted) {
    this.#home = home
    this.#noted = noted
  }

  /** The note of an earlier start; undefined if there is none. */
  static async read(home: string): Promise<DamageNote | undefined> {
    try {
      return new DamageNote(home, JSON.parse(await readFile(pathIn(home), 'utf8')))
    } catch {
      return undefined
    }
  }

  static async write(home: string, keptAs: string | null): Promise<DamageNote> {
    const date = new Date().toISOString().slice(0, 10)
    const note = new DamageNote(home, { date, keptAs, backup: null, isSorted: false, isDismissed: false })
    await note.#change({})
    return note
  }

  get date(): string {
    return this.#noted.date
  }

  get isSorted(): boolean {
    return this.#noted.isSorted
  }

  get notice(): Message | undefined {
    const { isDismissed, backup, keptAs } = this.#noted
    if (isDismissed) return undefined
    const kept = keptAs ?? 'none'
    // Names of backups begin with the date.
    const date = backup?.match(/\d{4}-\d\d-\d\d/)?.[0]
    return date === undefined
      ? message('stored.database_new', { kept })
      : message('stored.database_restored', { kept, date })
  }

  readonly restored = (backup: string) => this.#change({ backup })
  readonly sorted = () => this.#change({ isSorted: true })
  readonly dismiss = () => this.#change({ isDismissed: true })

  async #change(change: Partial<Noted>): Promise<void> {
    this.#noted = { ...this.#noted, ...change }
    if (this.#noted.isSorted && this.#noted.isDismissed) await rm(pathIn(this.#home), { force: true })
    else await writeDurably(pathIn(this.#home), `${JSON.stringify(this.#noted)}\n`)
  }
}
