import { randomBytes } from 'node:crypto'
import { version } from '../shared/config.ts'

/** What was done, from when until when, in milliseconds since 1970. */
export interface Span {
  /** The trace, 16 bytes in hexadecimal. */
  trace: string
  /** The span that it is a part of, 8 bytes in hexadecimal. */
  parent?: string
  id?: string
  name: string
  from: number
  to: number
  attributes: Readonly<Record<string, string | number>>
  /** Why it failed. */
  problem?: string | undefined
}

/** How long spans are collected before they are sent, and how many at most are kept meanwhile; more are dropped. */
const INTERVAL_MS = 5000
const MOST = 2048
const TIMEOUT_MS = 5000

/**
 * Sends spans to a collector as JSON by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp, version 1). What cannot be sent
 * is dropped: traces never hold up a job.
 */
export class OtlpExporter implements AsyncDisposable {
  readonly #endpoint: string
  readonly #resource: object
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #spans: Span[] = []
  #hasFailed = false

  /** @param endpoint without `/v1/traces`, as in OTEL_EXPORTER_OTLP_ENDPOINT */
  constructor(endpoint: string, host: string, onError: (error: unknown) => void) {
    this.#endpoint = `${endpoint.replace(/\/+$/, '')}/v1/traces`
    this.#resource = {
      attributes: attributesOf({ 'service.name': 'refile', 'service.version': version, 'host.id': host }),
    }
    this.#onError = onError
    this.#timer = setInterval(() => void this.flush(), INTERVAL_MS).unref()
  }

  add(span: Span): void {
    if (this.#spans.length < MOST) this.#spans.push(span)
  }

  /** Sends what there is. Never throws. */
  async flush(): Promise<void> {
    const spans = this.#spans
    if (spans.length === 0) return
    this.#spans = []
    const scopeSpans = [{ scope: { name: 'refile', version }, spans: spans.map(encoded) }]
    try {
      const answer = await fetch(this.#endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource: this.#resource, scopeSpans }] }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`The collector of traces answered ${answer.status}.`)
      this.#hasFailed = false
    } catch (error) {
      // Logged once, not every few seconds.
      if (!this.#hasFailed) this.#onError(error)
      this.#hasFailed = true
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}

const KIND_INTERNAL = 1
const STATUS_ERROR = 2

/** Protobuf's JSON has 64-bit numbers as text. */
const nanoseconds = (ms: number) => `${Math.round(ms * 1000)}000`

const encoded = ({ trace, parent, id, name, from, to, attributes, problem }: Span) => ({
  traceId: trace,
  spanId: id ?? randomBytes(8).toString('hex'),
  ...(parent === undefined ? {} : { parentSpanId: parent }),
  name,
  kind: KIND_INTERNAL,
  startTimeUnixNano: nanoseconds(from),
  endTimeUnixNano: nanoseconds(to),
  attributes: attributesOf(attributes),
  status: problem === undefined ? {} : { code: STATUS_ERROR, message: problem },
})

const attributesOf = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
