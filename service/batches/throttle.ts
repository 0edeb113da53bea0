/**
 * Runs an action for a key at once, and then at most once per interval: however often it is requested meanwhile, it runs
 * once at the end of the interval.
 */
export class Throttle {
  readonly #action: (key: string) => void
  readonly #intervalMs: number
  /** Keys within their interval, and whether they were requested since it began. */
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

  /** Drops pending actions and ignores later ones. */
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
