import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'
import { StoreUnavailable } from '../stores/errors.ts'
import type { Stores } from '../stores/stores.ts'

/** After this a store that does not answer may be there again, and a balancer knows that a service drains. */
export const RETRY_SECONDS = 5
/** Time a store has to answer. */
const CHECK_TIMEOUT_MS = 3000

/** Whether requests should come here. */
export class Readiness {
  readonly #stores: Pick<Stores, 'blobs' | 'settings'>
  #isDraining = false
  #checking: Promise<'ready' | 'unavailable'> | undefined

  constructor(stores: Pick<Stores, 'blobs' | 'settings'>) {
    this.#stores = stores
  }

  /** From now on no requests should come, and those that do are refused. */
  drain(): void {
    this.#isDraining = true
  }

  /** One look at the stores answers all who ask meanwhile. */
  async state(): Promise<'ready' | 'draining' | 'unavailable'> {
    if (this.#isDraining) return 'draining'
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  /** Hook that refuses what comes to a service that drains, all but questions of how it is. */
  readonly refuseWhileDraining = async ({ url }: FastifyRequest): Promise<void> => {
    if (!this.#isDraining || /^\/health\b/.test(url)) return
    throw new RequestError('server.unavailable', undefined, { retryAfter: RETRY_SECONDS })
  }

  async #check(): Promise<'ready' | 'unavailable'> {
    const { blobs, settings } = this.#stores
    const done = new AbortController()
    try {
      await Promise.race([
        // Any question shows whether the database answers.
        Promise.all([blobs.check(), settings.get('', '')]),
        delay(CHECK_TIMEOUT_MS, undefined, { signal: done.signal }).then(() => {
          throw new StoreUnavailable('The stores do not answer in time.')
        }),
      ])
      return 'ready'
    } catch {
      return 'unavailable'
    } finally {
      done.abort()
    }
  }
}
