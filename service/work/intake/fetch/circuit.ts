/** This many failures within `WINDOW_MS` block a host. */
const MAX_FAILURES = 5
const WINDOW_MS = 60_000
/** How long a host is blocked. */
const OPEN_MS = 60_000
/** How many hosts are remembered; those whose last failure is oldest are forgotten first. */
const MAX_HOSTS = 1000

/** A circuit breaker for each host, as one account sees it: one that keeps failing is not asked for a while, which saves both sides the waiting. */
export class CircuitBreaker {
  /** Times of each host's recent failures; the host that failed last comes last. */
  readonly #failures = new Map<string, number[]>()
  readonly #now: () => number

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Milliseconds until the host may be asked again; 0 if it may be asked now. */
  openFor(host: string): number {
    const failures = this.#failures.get(host)
    const last = failures?.at(-1)
    if (!failures || last === undefined || failures.length < MAX_FAILURES) return 0
    return Math.max(0, last + OPEN_MS - this.#now())
  }

  failed(host: string): void {
    const now = this.#now()
    const recent = (this.#failures.get(host) ?? []).filter(time => now - time < WINDOW_MS)
    this.#failures.delete(host)
    this.#failures.set(host, [...recent, now].slice(-MAX_FAILURES))
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_HOSTS && oldest !== undefined) this.#failures.delete(oldest)
  }

  succeeded(host: string): void {
    this.#failures.delete(host)
  }
}
