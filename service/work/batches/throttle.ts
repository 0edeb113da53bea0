/** When an action that failed is repeated, for example because the disk was full. */
const RETRY_MS = 1000

/**
 * Runs an action for a key at once, and then at most once per interval: however often it is requested meanwhile, it runs
 * once at the end of the interval. An action that fails is repeated, since nobody else may request it again.
 */
export class Throttle {
  readonly #action: (key: string) => unknown
  readonly #onError: (error: unknown) => void
  readonly #intervalMs: number
  /** Keys within their interval, and whether they were requested since it began. */
  readonly #resting = new Map<string, { timer: NodeJS.Timeout; again: boolean }>()

  #stopped = false

  constructor(intervalMs: number, action: (key: string) => unknown, onError: (error: unknown) => void) {
    this.#intervalMs = intervalMs
    this.#action = action
    this.#onError = onError
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
    Promise.try(this.#action, key).catch(error => {
      this.#onError(error)
      setTimeout(() => this.call(key), RETRY_MS).unref()
    })
  }
}
