import type { FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'
import type { Routes } from './schema.ts'

/**
 * Keeps web pages and other hosts out, before anything else is looked at: the Host header must be ours (a
 * rebound DNS name is not), and so must the Origin when there is one.
 */
export function guardOrigin(app: Routes, listening: () => { host: string; port: number }): void {
  app.addHook('onRequest', async request => {
    const hosts = ownHosts(listening())
    if (!hosts.has((request.headers.host ?? '').toLowerCase())) {
      throw new RequestError('request.forbidden_origin', message('request.foreign_host'))
    }
    const { origin } = request.headers
    const foreign = origin !== undefined && !hosts.has(origin.toLowerCase().replace(/^https?:\/\//, ''))
    if (foreign || request.headers['sec-fetch-site'] === 'cross-site') {
      throw new RequestError('request.forbidden_origin')
    }
  })
}

function ownHosts({ host, port }: { host: string; port: number }): Set<string> {
  const names = new Set(['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host])
  return new Set([...names].map(name => `${name}:${port}`))
}

/** Most addresses that are remembered; the least recently seen ones are forgotten. */
const REMEMBERED_ADDRESSES = 10_000

/** Token bucket for each address: `perSecond` requests a second, twice as many at once. */
export class RateLimiter {
  readonly #buckets = new Map<string, { tokens: number; at: number }>()
  readonly #perSecond: number

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** Takes one token; returns 0, or the seconds until there is one. */
  take(address: string, now = Date.now()): number {
    const burst = this.#perSecond * 2
    const known = this.#buckets.get(address) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, known.tokens + ((now - known.at) / 1000) * this.#perSecond)
    this.#buckets.delete(address)
    this.#buckets.set(address, { tokens: Math.max(0, tokens - 1), at: now })
    if (this.#buckets.size > REMEMBERED_ADDRESSES) this.#buckets.delete(this.#buckets.keys().next().value!)
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.#perSecond))
  }
}

/** Refuses an address's requests beyond the rate with 429; a rate of 0 turns the limit off. */
export function rateLimiting(perSecond: number): (request: FastifyRequest) => Promise<void> {
  const limiter = new RateLimiter(perSecond)
  return async request => {
    const wait = perSecond > 0 ? limiter.take(request.ip) : 0
    if (wait > 0) {
      throw new RequestError('rate_limited', message('rate_limited', { perSecond }), { retryAfter: wait })
    }
  }
}
