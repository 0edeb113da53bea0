/**
 * Does something for a key at once, and again at most once in an interval: however often it is asked for meanwhile, it is
 * done once at the end of the interval.
 */
export class Throttle {
  readonly #action: (key: string) => void
  readonly #intervalMs: number
  /** Keys within their interval, and whether they were asked for since it began. */
  readonly #resting = new Map<string, { timer: NodeJS.Timeout; again: boolean }>()

  #stopped = false

  constructor(intervalMs: number, action: (key: string) => void) {
    this.#intervalMs = intervalMs
    this.#action = action
  }

  call(key: string): void {
    if (this.#stopped) return
    const resting = this.#resting.get(key)
    if (resting) resting.again = true
    else this.#act(key)
  }

  /** Does nothing from now on, nor what is still to be done. */
  stop(): void {
    this.#stopped = true
    for (const { timer } of this.#resting.values()) clearTimeout(timer)
    this.#resting.clear()
  }

  #act(key: string): void {
    const timer = setTimeout(() => {
      const again = this.#resting.get(key)?.again
      this.#resting.delete(key)
      if (again) this.#act(key)
    }, this.#intervalMs).unref()
    this.#resting.set(key, { timer, again: false })
    this.#action(key)
  }
}
