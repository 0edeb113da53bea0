import { setTimeout as sleep } from 'node:timers/promises'
import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'

/** Wrong keys of an address that are answered at once, after a quiet time. */
const BURST = 100
/** From then on, the time from one answer to the next. */
const INTERVAL_MS = 250
/** Answers that would have to wait longer are refused. */
const LONGEST_WAIT_MS = 10_000
/** Most addresses that are remembered; the least recently wrong ones are forgotten. */
const REMEMBERED_ADDRESSES = 10_000

/**
 * Makes guessing keys slow: an address that is wrong again and again gets its answers one by one, four a second. Right keys are
 * not asked to wait, so that nobody can shut out others who call from the same address.
 */
export class WrongKeys {
  /** When the next answer is due by address, in milliseconds, if all came at their interval: the GCRA of ATM Forum's TM 4.0. */
  readonly #due = new Map<string, number>()

  /**
   * Counts one more wrong key.
   * @param now milliseconds of a clock that nobody sets
   * @returns milliseconds its answer has to wait
   * @throws RequestError rate_limited when too many answers wait already
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

  /** Waits for the turn of an answer to a wrong key. */
  async turn(address: string): Promise<void> {
    const wait = this.count(address)
    if (wait > 0) await sleep(wait, undefined, { ref: false })
  }
}
