import type { FastifyRequest } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'

/** How many addresses are remembered; the least recently seen are forgotten. */
const REMEMBERED_ADDRESSES = 10_000
/** Tolerance for rounding, so that a token that has just become available counts. */
const ROUNDING = 1e-3

/**
 * Token bucket for each address: `perSecond` requests a second, with bursts of twice as many. A refused request takes no
 * token.
 */
export class RateLimiter {
  readonly #buckets = new Map<string, { tokens: number; at: number }>()
  readonly #perSecond: number

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /**
   * Takes one token.
   * @param now milliseconds of a monotonic clock
   * @returns 0, or the seconds until a token is available
   */
  take(address: string, now = performance.now()): number {
    const burst = this.#perSecond * 2
    const known = this.#buckets.get(address) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * this.#perSecond)
    const granted = tokens >= 1 - ROUNDING
    this.#buckets.delete(address)
    this.#buckets.set(address, { tokens: granted ? tokens - 1 : tokens, at: now })
    if (this.#buckets.size > REMEMBERED_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value!)
    return granted ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.#perSecond))
  }
}

/**
 * Hook that answers an address's requests over the rate with 429; a rate of 0 turns the limit off.
 * @param isExempt whether a request comes from the page itself
 */
export function rateLimiting(
  perSecond: number,
  isExempt: (request: FastifyRequest) => Promise<boolean>,
): (request: FastifyRequest) => Promise<void> {
  const limiter = new RateLimiter(perSecond)
  return async request => {
    if (perSecond === 0 || (await isExempt(request))) return
    const wait = limiter.take(request.ip)
    if (wait > 0) {
      throw new RequestError('rate_limited', message('rate_limited', { perSecond }), { retryAfter: wait })
    }
  }
}
