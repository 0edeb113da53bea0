import type { Logger } from 'pino'

/** How long a repeated error is only counted. */
const QUIET_MS = 60_000
/** How many different errors are tracked at most. */
const MAX_KINDS = 100

/** Logs errors of requests. A repeated error is logged once a minute, with the number of repetitions. */
export class ErrorLog {
  readonly #log: Logger
  readonly #seen = new Map<string, { at: number; repeated: number }>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** @param now milliseconds of a monotonic clock */
  write(
    error: Error,
    { url: route, ip }: { url: string | undefined; ip?: string },
    now = performance.now(),
  ): void {
    // The place in the code identifies the kind of error; the message may contain file names.
    const place = error.stack?.split('\n').find(line => /^\s+at /.test(line))
    const kind = [route, error.name, place ?? error.message].join(' ')
    const seen = this.#seen.get(kind)
    if (seen && now - seen.at < QUIET_MS) {
      seen.repeated++
      return
    }
    this.#log.error({ err: error, route, ip, repeated: seen?.repeated }, 'request failed')
    this.#seen.delete(kind)
    this.#seen.set(kind, { at: now, repeated: 0 })
    if (this.#seen.size > MAX_KINDS) this.#seen.delete(this.#seen.keys().next().value!)
  }
}
