interface Running {
  promise: Promise<unknown>
  abort: AbortController
  waiting: number
}

/**
 * Work that several callers may ask for at the same time: it runs once, and is stopped when the last caller has gone.
 */
export class Shared {
  readonly #running = new Map<string, Running>()

  /**
   * @param key identifies the work
   * @param signal aborts when this caller has gone
   * @throws the signal's reason; what the work throws
   */
  async run<T>(key: string, signal: AbortSignal, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const running = this.#running.get(key) ?? this.#start(key, work)
    running.waiting++
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([running.promise as Promise<T>, left])
    } finally {
      signal.removeEventListener('abort', leave)
      running.waiting--
      if (running.waiting === 0) {
        // Later callers start the work again.
        if (this.#running.get(key) === running) this.#running.delete(key)
        running.abort.abort(signal.reason)
      }
    }
  }

  #start<T>(key: string, work: (stop: AbortSignal) => Promise<T>): Running {
    const abort = new AbortController()
    const promise = work(abort.signal)
    const running: Running = { promise, abort, waiting: 0 }
    this.#running.set(key, running)
    const evict = () => {
      if (this.#running.get(key) === running) this.#running.delete(key)
    }
    promise.then(evict, evict)
    return running
  }
}
