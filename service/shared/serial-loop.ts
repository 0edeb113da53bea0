import { setTimeout as delay } from 'node:timers/promises'

/** When work that failed as a whole is retried, for example because the store was unavailable. */
const RETRY_MS = 1000

/** Work that is triggered whenever there may be some, and runs one at a time. */
export class SerialLoop {
  readonly #work: (signal: AbortSignal) => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #stopping = new AbortController()
  #working: Promise<void> | undefined
  #again = false

  constructor(work: (signal: AbortSignal) => Promise<void>, onError: (error: unknown) => void) {
    this.#work = work
    this.#onError = onError
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Checks for work; if it is already running, once more after that. */
  wake(): void {
    if (this.isStopped) return
    if (this.#working) {
      this.#again = true
      return
    }
    this.#working = this.#run().finally(() => {
      this.#working = undefined
      if (!this.#again) return
      this.#again = false
      this.wake()
    })
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    try {
      await this.#work(signal)
    } catch (error) {
      if (signal.aborted) return
      this.#onError(error)
      void delay(RETRY_MS, undefined, { ref: false }).then(() => this.wake())
    }
  }

  /** Resolves once no work is running. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#working
  }
}
