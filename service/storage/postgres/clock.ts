/** How often the clock is set again. */
const SET_EVERY_MS = 60_000

/**
 * The clock of a database, which all of its hosts share. In between it goes by the monotonic clock of this machine, whose
 * date and time may be wrong or be set.
 */
export class DatabaseClock {
  readonly #ask: () => Promise<number>
  /** Time of the database at the origin of the monotonic clock. */
  #origin = 0
  readonly #timer: NodeJS.Timeout

  /** @param ask asks the database for milliseconds since 1970 */
  constructor(ask: () => Promise<number>) {
    this.#ask = ask
    // Out of reach, the clock goes on as it does.
    this.#timer = setInterval(() => void this.set().catch(() => {}), SET_EVERY_MS).unref()
  }

  /** Sets the clock; the answer is taken to be from the middle of the time that it took. */
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
