import { message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import { OutboundError } from '../../shared/net/errors.ts'
import type { Outbound } from '../../shared/net/outbound.ts'
import { SerialLoop } from '../../shared/serial-loop.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import type { AttemptResult, Delivery } from '../../store/interfaces/webhooks.ts'
import { issueDownloadToken } from './download-token.ts'
import { ANSWER_BYTES, isFinal, isRetried, RETRY_DELAYS_MS } from './sending.ts'
import { signatureHeaders } from './signature.ts'

/** Constants of the contract. */
const JOB_TYPE = 'convert'
const SITE = 'refile'
const DETAIL_LENGTH = 256

/**
 * The body of a webhook, as the contract defines it.
 * @param downloadUrl where the output can be fetched without a key; unused if the job failed
 */
function payloadOf({ eventId, jobId, attempts, job }: Delivery, downloadUrl: string): object {
  const { status, output, error, startedAt, finishedAt, expiresAt } = job
  const succeeded = status === 'Succeeded'
  return {
    event: succeeded ? 'job.succeeded' : 'job.failed',
    eventId,
    jobId,
    jobType: JOB_TYPE,
    site: SITE,
    status,
    deliveryAttempt: attempts,
    ...(succeeded && output
      ? { output: { ...output, downloadUrl, expiresAt: new Date(expiresAt ?? finishedAt).toISOString() } }
      : {}),
    ...(error ? { error: { code: error.code, detail: render(error.reason).slice(0, DETAIL_LENGTH) } } : {}),
    metrics: {
      inputBytes: job.inputBytes,
      ...(succeeded ? { outputBytes: job.outputBytes } : {}),
      creditCost: succeeded ? job.creditCost : 0,
      processingTimeMs: startedAt === null ? null : Math.max(0, finishedAt - startedAt),
    },
    ...(job.warnings.length > 0 ? { warnings: job.warnings.map(warning => render(warning)) } : {}),
    completedAt: new Date(finishedAt).toISOString(),
  }
}

/** How long a receiver may take to answer. */
const ANSWER_TIMEOUT_MS = 10_000
/** How long an attempt may take before another host, or the next start, may repeat it. */
const LEASE_MS = 30_000
/** Concurrent deliveries over all accounts. */
const MAX_AT_ONCE = 32
/** Longest possible timer; a delivery is never due later than that. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

interface DelivererParts {
  stores: Pick<Stores, 'webhooks' | 'events' | 'secrets' | 'jobs'>
  outbound: Outbound
  /** Address at which receivers can reach this service. */
  publicUrl: () => string
  onError: (error: unknown, jobId?: string) => void
  /** Shorter in tests. */
  retryDelaysMs?: readonly number[]
  answerTimeoutMs?: number
}

/** Delivers webhooks when they are due, and retries those that a receiver could not accept. */
export class WebhookDeliverer {
  readonly #parts: DelivererParts
  readonly #claiming: SerialLoop
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #unsubscribe = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor(parts: DelivererParts) {
    this.#parts = parts
    this.#claiming = new SerialLoop(() => this.#claim(), parts.onError)
  }

  start(): void {
    // Every finished job publishes a change; only the store knows whether it has a webhook.
    this.#unsubscribe = this.#parts.stores.events.subscribe(event => {
      if (event.type === 'job' && event.now === 'ended') this.wake()
    })
    this.wake()
  }

  /** Checks for deliveries that are due. */
  wake(): void {
    this.#claiming.wake()
  }

  /** Running attempts are interrupted, and repeated after the next start. */
  async stop(): Promise<void> {
    this.#unsubscribe()
    clearTimeout(this.#timer)
    this.#stopping.abort()
    await this.#claiming.stop()
    await Promise.all(this.#running)
  }

  async #claim(): Promise<void> {
    const { webhooks } = this.#parts.stores
    clearTimeout(this.#timer)
    let wait = await webhooks.dueIn()
    if (wait === 0) {
      await this.#begin(MAX_AT_ONCE - this.#running.size)
      wait = await webhooks.dueIn()
    }
    // If all places are taken, the end of an attempt checks again.
    if (wait === undefined || this.#running.size >= MAX_AT_ONCE) return
    this.#timer = setTimeout(() => this.wake(), Math.min(wait, LONGEST_WAIT_MS)).unref()
  }

  /** Starts attempts for deliveries that are due, at most `most`. */
  async #begin(most: number): Promise<void> {
    if (most <= 0) return
    for (const delivery of await this.#parts.stores.webhooks.claim(most, LEASE_MS)) {
      const attempt = this.#deliver(delivery)
        .catch(error => this.#parts.onError(error, delivery.jobId))
        .finally(() => {
          this.#running.delete(attempt)
          this.wake()
        })
      this.#running.add(attempt)
    }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const result = await this.#attempt(delivery)
    if (!this.#stopping.signal.aborted) await this.#parts.stores.webhooks.settle(delivery, result)
  }

  async #attempt(delivery: Delivery): Promise<AttemptResult> {
    const { outbound, answerTimeoutMs = ANSWER_TIMEOUT_MS } = this.#parts
    const { url, secret, eventId, attempts } = delivery
    const body = JSON.stringify(payloadOf(delivery, this.#downloadUrl(delivery)))
    const timestamp = Math.floor(this.#parts.stores.jobs.now() / 1000)
    const timeout = AbortSignal.timeout(answerTimeoutMs)
    try {
      await using answer = await outbound(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-service-event-id': eventId,
          'x-service-delivery-attempt': String(attempts),
          ...signatureHeaders({ eventId, secret, timestamp, body }),
        },
        maxBytes: ANSWER_BYTES,
        maxRedirects: 0,
        signal: AbortSignal.any([this.#stopping.signal, timeout]),
      })
      return this.#answered(answer.status, attempts)
    } catch (error) {
      const reason = timeout.aborted ? message('webhook.timeout') : reasonOf(error)
      return { status: null, problem: reason, ...(isFinal(error) ? OVER : this.#next(attempts)) }
    }
  }

  #answered(status: number, attempts: number): AttemptResult {
    if (status >= 200 && status < 300) {
      return { state: 'delivered', retryInMs: null, status, problem: null }
    }
    const problem = message('webhook.refused', { status })
    return { status, problem, ...(isRetried(status) ? this.#next(attempts) : OVER) }
  }

  /** When to retry after this many attempts. */
  #next(attempts: number): Pick<AttemptResult, 'state' | 'retryInMs'> {
    const delay = (this.#parts.retryDelaysMs ?? RETRY_DELAYS_MS)[attempts - 1]
    return delay === undefined ? OVER : { state: 'pending', retryInMs: delay }
  }

  #downloadUrl({ jobId, accountId, job }: Delivery): string {
    const expiresAt = job.expiresAt ?? job.finishedAt
    const token = issueDownloadToken(this.#parts.stores.secrets, { jobId, accountId, expiresAt })
    return `${this.#parts.publicUrl()}/api/convert/job/${jobId}/download?token=${token}`
  }
}

const OVER = { state: 'failed', retryInMs: null } as const

const reasonOf = (error: unknown) =>
  error instanceof OutboundError ? error.reason : message('webhook.not_delivered')
