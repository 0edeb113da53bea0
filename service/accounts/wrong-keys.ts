import { setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '../shared/errors.ts'
import { message } from '../shared/messages/message.ts'

/** After a quiet time, an address gets this many answers to wrong keys at once. */
const BURST = 100
/** Time between two answers from then on. */
const INTERVAL_MS = 250
/** Answers that would have to wait longer are refused. */
const LONGEST_WAIT_MS = 10_000
/** How many addresses are remembered; those whose last wrong key is oldest are forgotten. */
const REMEMBERED_ADDRESSES = 10_000

/**
 * Slows down guessing of keys: an address that keeps sending wrong keys gets its answers one by one, four a second. Right keys
 * never wait, so nobody can lock out others who call from the same address.
 */
export class WrongKeys {
  /**
   * When the next answer to an address is due, in milliseconds, if all came at this interval: the GCRA of the ATM Forum's TM
   * 4.0.
   */
  readonly #due = new Map<string, number>()

  /**
   * Counts a wrong key.
   * @param now milliseconds of a monotonic clock
   * @returns milliseconds that its answer has to wait
   * @throws RequestError rate_limited if too many answers are already waiting
   */
  count(address: string, now = performance.now()): number {
    const due = Math.max(now, this.#due.get(address) ?? 0) + INTERVAL_MS
    const wait = Math.max(0, due - now - BURST * INTERVAL_MS)
    if (wait > LONGEST_WAIT_MS) {
      throw new RequestError('rate_limited', message('rate_limited.wrong_keys'), {
        retryAfter: Math.ceil(wait / 1000),
      })
    }
    this.#due.delete(address)
    this.#due.set(address, due)
    if (this.#due.size > REMEMBERED_ADDRESSES) this.#due.delete(this.#due.keys().next().value!)
    return wait
  }

  /** Waits until a wrong key may be answered. */
  async turn(address: string): Promise<void> {
    const wait = this.count(address)
    if (wait > 0) await sleep(wait, undefined, { ref: false })
  }
}
