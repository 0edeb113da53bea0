import { createReadStream } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { makeFolder } from '../make-folder.ts'

/** A result: its path, the hash of its content, and whether its conversion had warnings. */
export interface Made {
  output: string
  result: string
  warned?: boolean
}

/**
 * What became of a file with a certain content. `placing` is written before a result gets its name, so that after a kill it is
 * known whether the file of that name is the result. What was done by an earlier version lacks the hash.
 */
export type Entry =
  | ({ state: 'placing'; file: string; content: string } & Made)
  | ({ state: 'done'; file: string; content: string } & Pick<Made, 'output'> & Partial<Made>)
  | { state: 'failed'; file: string; content: string; code: string; detail: string }

const keyOf = ({ file, content }: Pick<Entry, 'file' | 'content'>) => `${content} ${file}`

/** Adds an entry as the newest. */
function put(entries: Map<string, Entry>, entry: Entry): void {
  entries.delete(keyOf(entry))
  entries.set(keyOf(entry), entry)
}

/** Adds what whole lines say. One that a kill cut off is ignored: what it records had not happened yet. */
function readLines(text: string, entries: Map<string, Entry>): void {
  for (const line of text.split('\n')) {
    try {
      put(entries, JSON.parse(line) as Entry)
    } catch {
      // Cut off, or the empty end.
    }
  }
}

/** The journal of a rule: a file of one JSON object a line, each synced before work goes on. */
export class Journal implements AsyncDisposable {
  readonly #file: FileHandle
  readonly #entries: Map<string, Entry>

  private constructor(file: FileHandle, entries: Map<string, Entry>) {
    this.#file = file
    this.#entries = entries
  }

  static async open(path: string): Promise<Journal> {
    await makeFolder(dirname(path), 0o700)
    const text = await readFile(path, 'utf8').catch(() => '')
    const entries = new Map<string, Entry>()
    readLines(text, entries)
    const file = await open(path, 'a', 0o600)
    if (text !== '' && !text.endsWith('\n')) await file.write('\n')
    return new Journal(file, entries)
  }

  get(file: string, content: string): Entry | undefined {
    return this.#entries.get(keyOf({ file, content }))
  }

  async add(entry: Entry): Promise<void> {
    await this.#file.write(`${JSON.stringify(entry)}\n`)
    await this.#file.datasync()
    put(this.#entries, entry)
  }

  /** What became last of every file. */
  newest(): Map<string, Entry> {
    return new Map([...this.#entries.values()].map(entry => [entry.file, entry]))
  }

  failed(): Entry[] {
    return [...this.#entries.values()].filter(({ state }) => state === 'failed')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}

/** What the journal of another watcher says, read on from where it was left. */
export class JournalView {
  readonly #path: string
  readonly #entries = new Map<string, Entry>()
  #offset = 0

  constructor(path: string) {
    this.#path = path
  }

  async get(file: string, content: string): Promise<Entry | undefined> {
    const added = await readFrom(this.#path, this.#offset)
    const whole = added.subarray(0, added.lastIndexOf('\n') + 1)
    this.#offset += whole.length
    readLines(whole.toString(), this.#entries)
    return this.#entries.get(keyOf({ file, content }))
  }
}

/** The bytes of a file from an offset; none if it cannot be read. */
async function readFrom(path: string, start: number): Promise<Buffer> {
  try {
    return await buffer(createReadStream(path, { start }))
  } catch {
    return Buffer.alloc(0)
  }
}
