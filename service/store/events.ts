import type { Events, ServiceEvent } from './interfaces/events.ts'

/** Events within one process. */
export class LocalEvents implements Events {
  readonly #listeners = new Set<(event: ServiceEvent) => void>()
  readonly #onError: (error: unknown) => void
  readonly hosts: number = 1

  /** @param onError called with errors of listeners */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  publish(event: ServiceEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  subscribe(listener: (event: ServiceEvent) => void): () => void {
    // Wrapped, so that a listener that subscribes twice is called twice and can unsubscribe twice.
    const own = (event: ServiceEvent) => listener(event)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** There is nobody else. */
  subscribeElsewhere(): () => void {
    return () => {}
  }
}
