/** How often the clock is synchronised. */
const SET_EVERY_MS = 60_000
/** An answer that took longer says too little: it may have been held up on either way. */
const LONGEST_MS = 200
const ATTEMPTS = 5

/**
 * The clock of a database, shared by all its hosts. Between synchronisations it uses the monotonic clock of this machine,
 * whose date and time may be wrong or changed.
 */
export class DatabaseClock {
  readonly #ask: () => Promise<number>
  /** Database time at the origin of the monotonic clock. */
  #origin = 0
  #isSet = false
  readonly #timer: NodeJS.Timeout

  /** @param ask returns the database's milliseconds since 1970 */
  constructor(ask: () => Promise<number>) {
    this.#ask = ask
    // While the database is out of reach, the clock just continues.
    this.#timer = setInterval(() => void this.set().catch(() => {}), SET_EVERY_MS).unref()
  }

  /**
   * Synchronises the clock, assuming that the answer is from the middle of the time it took. While all answers are slow, the clock
   * just continues, or begins with the fastest.
   */
  async set(): Promise<void> {
    let fastest = this.#isSet ? LONGEST_MS : Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const asked = performance.now()
      const time = await this.#ask()
      const answered = performance.now()
      const took = answered - asked
      if (took <= fastest) {
        fastest = took
        this.#origin = time - (asked + answered) / 2
        this.#isSet = true
      }
      if (took <= LONGEST_MS) return
    }
  }

  now(): number {
    return Math.round(this.#origin + performance.now())
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
