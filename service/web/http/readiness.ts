import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import { StoreUnavailable } from '../../store/interfaces/errors.ts'
import type { Stores } from '../../store/interfaces/stores.ts'

/** Retry-After: by then a store may answer again, and a load balancer has noticed that the service drains. */
export const RETRY_SECONDS = 5
/** How long a store has to answer. */
const CHECK_TIMEOUT_MS = 3000

/** Whether this host should get requests. */
export class Readiness {
  readonly #stores: Pick<Stores, 'blobs' | 'check'>
  readonly #canClaim: () => boolean
  #isDraining = false
  #checking: Promise<'ready' | 'unavailable'> | undefined

  /** @param canClaim whether the last search for a job got an answer */
  constructor(stores: Pick<Stores, 'blobs' | 'check'>, canClaim: () => boolean) {
    this.#stores = stores
    this.#canClaim = canClaim
  }

  /** From now on the host reports that it should get no requests, and refuses those that still come. */
  drain(): void {
    this.#isDraining = true
  }

  /** Callers that ask at the same time share one check of the stores. */
  async state(): Promise<'ready' | 'draining' | 'unavailable'> {
    if (this.#isDraining) return 'draining'
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  /** Hook that refuses all requests while the service drains, except those about its health. */
  readonly refuseWhileDraining = async ({ url }: FastifyRequest): Promise<void> => {
    if (!this.#isDraining || /^\/health\b/.test(url)) return
    throw new RequestError('server.unavailable', undefined, { retryAfter: RETRY_SECONDS })
  }

  async #check(): Promise<'ready' | 'unavailable'> {
    if (!this.#canClaim()) return 'unavailable'
    const done = new AbortController()
    try {
      await Promise.race([
        Promise.all([this.#stores.blobs.check(), this.#stores.check()]),
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
