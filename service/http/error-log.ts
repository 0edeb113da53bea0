import type { Logger } from 'pino'

/** How long an error that comes again is only counted. */
const QUIET_MS = 60_000
/** Most kinds of errors that are told apart. */
const MOST_KINDS = 100

/** Logs errors of requests. One that comes again and again is logged once a minute, with how often it came meanwhile. */
export class ErrorLog {
  readonly #log: Logger
  readonly #seen = new Map<string, { at: number; repeated: number }>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** @param now milliseconds of a clock that nobody sets */
  write(error: Error, route: string | undefined, now = performance.now()): void {
    // The place in the code tells the kind; the message may name a file.
    const place = error.stack?.split('\n').find(line => /^\s+at /.test(line))
    const kind = [route, error.name, place ?? error.message].join(' ')
    const seen = this.#seen.get(kind)
    if (seen && now - seen.at < QUIET_MS) {
      seen.repeated++
      return
    }
    this.#log.error({ err: error, route, repeated: seen?.repeated }, 'request failed')
    this.#seen.delete(kind)
    this.#seen.set(kind, { at: now, repeated: 0 })
    if (this.#seen.size > MOST_KINDS) this.#seen.delete(this.#seen.keys().next().value!)
  }
}
