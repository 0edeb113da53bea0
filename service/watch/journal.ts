import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { RequestError } from '../shared/errors.ts'
import { makeFolder } from '../shared/make-folder.ts'
import { message } from '../shared/messages/message.ts'
import { isGone } from '../shared/placing/naming.ts'
import { keepDamaged } from './rules.ts'

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
 * known whether the file of that name is the result, and `again` when an attempt has ended without an end of the matter.
 */
export type JournalEntry = About &
  (
    | ({ state: 'placing' } & Made)
    | ({ state: 'done' } & Made)
    | { state: 'failed'; code: string; detail: string }
    | { state: 'again'; isStopped?: true }
  )

const states = ['placing', 'done', 'failed', 'again'] as const satisfies readonly JournalEntry['state'][]

export type Failed = Extract<JournalEntry, { state: 'failed' }>

/** A short key of two texts: of a hundred thousand files, the entries themselves would take much memory. */
const keyOf = (file: string, text: string) =>
  createHash('sha256').update(`${text} ${file}`).digest().subarray(0, 15).toString('base64url')

/** The journal of a rule: a file of one JSON object a line, each synced before work goes on. In memory is where which line is. */
export class Journal implements AsyncDisposable {
  readonly #path: string
  /** The newest line about a file with a content, or with a stamp: its position, times the number of states, and its state. */
  readonly #lines = new Map<string, number>()
  #done = 0
  readonly #failed = new Map<string, Failed>()
  #file: FileHandle | undefined
  #end = 0
  #last: Promise<void> = Promise.resolve()
  #damaged = 0

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Opens a journal to be written. A line that a kill cut off is dropped: what it records had not happened yet. If others are damaged, a
   * copy is kept beside.
   * @throws RequestError server.unavailable if nothing of it can be read, and the system's errors
   */
  static async open(path: string): Promise<Journal> {
    await makeFolder(dirname(path), 0o700)
    const journal = new Journal(path)
    journal.#file = await open(path, 'a+', 0o600)
    try {
      await journal.readOn()
      const { size } = await journal.#file.stat()
      if (journal.#damaged > 0) await keepDamaged(path)
      if (journal.#damaged > 0 && journal.#lines.size === 0)
        throw new RequestError('server.unavailable', message('watch.journal_damaged'))
      if (size > journal.#end) await journal.#file.truncate(journal.#end)
      return journal
    } catch (error) {
      await journal.#file.close()
      throw error
    }
  }

  /** How many results it records. */
  get done(): number {
    return this.#done
  }

  /** Files whose last attempt failed. */
  get failed(): readonly Failed[] {
    return [...this.#failed.values()]
  }

  /** Reads what was added since, also by another process; nothing if there is no file. */
  readOn(): Promise<void> {
    return this.#next(() => this.#readOn())
  }

  /** Does what moves the end of what was read, one after another. */
  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #readOn(): Promise<void> {
    let rest = Buffer.alloc(0)
    try {
      for await (const chunk of createReadStream(this.#path, { start: this.#end })) {
        rest = Buffer.concat([rest, chunk as Buffer])
        for (let to = rest.indexOf(10); to >= 0; to = rest.indexOf(10)) {
          this.#readLine(rest.subarray(0, to))
          rest = rest.subarray(to + 1)
        }
      }
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }

  #readLine(line: Buffer): void {
    const at = this.#end
    this.#end += line.length + 1
    try {
      this.#put(JSON.parse(line.toString()) as JournalEntry, at)
    } catch {
      if (line.length > 0) this.#damaged++
    }
  }

  #put(entry: JournalEntry, at: number): void {
    const { file, content, stamp } = entry
    const key = keyOf(file, content)
    if (entry.state === 'done' && this.stateOf(file, content) !== 'done') this.#done++
    const line = at * states.length + states.indexOf(entry.state)
    this.#lines.set(key, line)
    if (stamp !== undefined) this.#lines.set(keyOf(file, stamp), line)
    if (entry.state === 'failed') this.#failed.set(file, entry)
    else this.#failed.delete(file)
  }

  /** The newest entry about a file with a content, or by its stamp. */
  async get(file: string, text: string): Promise<JournalEntry | undefined> {
    const line = this.#lines.get(keyOf(file, text))
    if (line === undefined) return undefined
    const start = Math.floor(line / states.length)
    for await (const text of createInterface(createReadStream(this.#path, { start })))
      return JSON.parse(text) as JournalEntry
    return undefined
  }

  /** What the newest entry about a file with a content or a stamp says, without reading it. */
  stateOf(file: string, text: string): JournalEntry['state'] | undefined {
    const line = this.#lines.get(keyOf(file, text))
    return line === undefined ? undefined : states[line % states.length]
  }

  /** Adds an entry, one after another; on the disk when this resolves. */
  add(entry: JournalEntry): Promise<void> {
    return this.#next(async () => {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`)
      const at = this.#end
      try {
        await this.#file?.appendFile(line)
        await this.#file?.datasync()
      } catch (error) {
        // Half a line would spoil the one after it.
        await this.#file?.truncate(at).catch(() => {})
        throw error
      }
      this.#end += line.length
      this.#put(entry, at)
    })
  }

  /** Has what failed tried again, each under a new key. */
  async retry(): Promise<void> {
    for (const { file, content, attempt = 0 } of this.failed)
      await this.add({ file, content, attempt: attempt + 1, state: 'again' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close()
  }
}
