/** How often the clock is synchronised. */
const SET_EVERY_MS = 60_000

/**
 * The clock of a database, shared by all its hosts. Between synchronisations it uses the monotonic clock of this machine,
 * whose date and time may be wrong or changed.
 */
export class DatabaseClock {
  readonly #ask: () => Promise<number>
  /** Database time at the origin of the monotonic clock. */
  #origin = 0
  readonly #timer: NodeJS.Timeout

  /** @param ask returns the database's milliseconds since 1970 */
  constructor(ask: () => Promise<number>) {
    this.#ask = ask
    // While the database is out of reach, the clock just continues.
    this.#timer = setInterval(() => void this.set().catch(() => {}), SET_EVERY_MS).unref()
  }

  /** Synchronises the clock, assuming that the answer is from the middle of the time it took. */
  async set(): Promise<void> {
    const asked = performance.now()
    const time = await this.#ask()
    this.#origin = time - (asked + performance.now()) / 2
  }

  now(): number {
    return Math.round(this.#origin + performance.now())
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
