import { defaultRetries, type RetryPolicy, withRetries } from './retry.ts'
import type { ClientSettings } from './types.ts'

const DEFAULT_URL = 'http://127.0.0.1:7421'

/** Sends requests to a service, with the headers of its client, again and again where that helps. */
export class Transport {
  readonly #baseUrl: string
  readonly #headers: Readonly<Record<string, string>>
  readonly retries: RetryPolicy
  readonly #fetch: typeof fetch
  #knowsKeys: boolean | undefined

  constructor({ baseUrl = DEFAULT_URL, apiKey, headers = {}, ...settings }: ClientSettings) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
    this.#headers = { ...headers, ...(apiKey === undefined ? {} : { 'x-service-api-key': apiKey }) }
    this.retries = { ...defaultRetries, ...settings.retries }
    this.#fetch = settings.fetch ?? ((input, init) => fetch(input, init))
  }

  /**
   * Sends a request to a path.
   * @param request makes what is sent in each attempt
   * @param repeatsLost whether it may be sent again when nobody knows if it arrived; by default it may
   * @throws RefileError for an answer that is not a success
   * @throws ConnectionError if the service cannot be reached
   */
  send(
    path: string,
    request: () => RequestInit = () => ({}),
    signal?: AbortSignal,
    repeatsLost?: () => Promise<boolean>,
  ): Promise<Response> {
    return withRetries(() => this.once(path, request(), signal), this.retries, signal, repeatsLost)
  }

  /** Sends a request once, and returns whatever the answer is. */
  once(path: string, init: RequestInit = {}, signal?: AbortSignal): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as object) }
    return this.#fetch(`${this.#baseUrl}${path}`, { ...init, headers, signal: signal ?? null })
  }

  /** Whether the service's own description says that it knows idempotency keys; one that has just gone is waited for. */
  async knowsIdempotencyKeys(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#knowsKeys === undefined) {
      const answer = await this.send('/openapi.json', undefined, signal).catch(() => undefined)
      const described = (await answer?.json().catch(() => undefined)) as Description | undefined
      if (!described) return false
      const parameters = described.paths?.['/convert']?.post?.parameters ?? []
      this.#knowsKeys = parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')
    }
    return this.#knowsKeys
  }
}

/** What of a description of an API tells whether it knows idempotency keys. */
interface Description {
  paths?: Record<string, { post?: { parameters?: { name: string }[] } }>
}
