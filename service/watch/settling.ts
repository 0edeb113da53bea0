import { open, readdir, readFile, readlink } from 'node:fs/promises'
import type { Seen } from './looking.ts'

/** The clocks: one that never jumps, and that of the files' times; both in milliseconds. */
export interface Clock {
  now(): number
  date(): number
}

export const systemClock: Clock = { now: () => performance.now(), date: () => Date.now() }

/** Files that came or changed, until nobody writes to them any more. */
export class Settling {
  readonly #quietMs: number
  readonly #clock: Clock
  readonly #files = new Map<string, { seen: Seen; since: number }>()

  /** @param quietMs for how long a file has to be as it is */
  constructor(quietMs: number, clock: Clock = systemClock) {
    this.#quietMs = quietMs
    this.#clock = clock
  }

  get files(): string[] {
    return [...this.#files.keys()]
  }

  get size(): number {
    return this.#files.size
  }

  /** Notes how a file was found; what is as it was before goes on waiting. */
  note(seen: Seen): void {
    if (this.#files.get(seen.file)?.seen.stamp !== seen.stamp)
      this.#files.set(seen.file, { seen, since: this.#clock.now() })
  }

  forget(file: string): void {
    this.#files.delete(file)
  }

  /** Milliseconds until the next file may have settled. */
  get nextMs(): number {
    const firsts = [...this.#files.values()].map(({ since }) => since + this.#quietMs - this.#clock.now())
    return Math.max(0, Math.min(...firsts))
  }

  /** The files that have been as they are for long enough, whose time is as old, and that nobody has open for writing. */
  async take(isWritten: (paths: readonly string[]) => Promise<Set<string>> = writtenNow): Promise<Seen[]> {
    const [now, date] = [this.#clock.now(), this.#clock.date()]
    const quiet: Seen[] = []
    for (const { seen, since } of this.#files.values()) {
      // A time in the future, of a camera with a wrong clock, says nothing.
      const isOld = date - seen.modifiedAt >= this.#quietMs || seen.modifiedAt > date
      if (now - since >= this.#quietMs && isOld) quiet.push(seen)
    }
    const written = quiet.length > 0 ? await isWritten(quiet.map(({ path }) => path)) : new Set()
    const settled = quiet.filter(({ path }) => !written.has(path))
    for (const { file } of settled) this.#files.delete(file)
    // Whoever has it open may still write, and is asked about again after the same time.
    for (const seen of quiet) if (written.has(seen.path)) this.#files.set(seen.file, { seen, since: now })
    return settled
  }
}

/** Those of the files that another process has open for writing, as far as the system says so. */
export async function writtenNow(paths: readonly string[]): Promise<Set<string>> {
  if (process.platform === 'win32') {
    const held = await Promise.all(paths.map(async path => ((await isHeld(path)) ? path : undefined)))
    return new Set(held.filter(path => path !== undefined))
  }
  const [wanted, written] = [new Set(paths), new Set<string>()]
  // Elsewhere than on Linux there is no such folder; and each user sees the files of their own processes.
  for (const pid of (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))) {
    for (const number of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const path = await readlink(`/proc/${pid}/fd/${number}`).catch(() => '')
      if (!wanted.has(path)) continue
      const info = await readFile(`/proc/${pid}/fdinfo/${number}`, 'utf8').catch(() => '')
      // The last octal digit of the flags has the mode of access: 0 is for reading alone.
      if (/^flags:\s*\d*[1-35-7]$/m.test(info)) written.add(path)
    }
  }
  return written
}

/** Whether Windows refuses to let us write to a file as somebody else has it open. */
async function isHeld(path: string): Promise<boolean> {
  try {
    await (await open(path, 'r+')).close()
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EBUSY'
  }
}
