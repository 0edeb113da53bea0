import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { ConnectionError, JobError, RefileError } from './errors.ts'
import { readEvents } from './events.ts'
import { defaultRetries, pause, type RetryPolicy, withRetries } from './retry.ts'

export type Job = components['schemas']['Job']
export type JobAccepted = components['schemas']['JobAccepted']
export type Conversions = components['schemas']['Conversions']
export type Estimate = components['schemas']['Estimate']
export type Entitlements = components['schemas']['Entitlements']

/** A file to convert: its bytes with a name, or an address that the service fetches. */
export type Input =
  | File
  | { readonly data: Blob; readonly name: string }
  | { readonly url: string; readonly sourceFormat: string }

export interface ClientSettings {
  /** Origin of the service; by default a Refile on this machine. */
  baseUrl?: string
  /** Sent as `X-Service-Api-Key`. */
  apiKey?: string
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>
  /** How requests are sent; the runtime's own `fetch` by default. */
  fetch?: typeof fetch
  retries?: Partial<RetryPolicy>
}

export interface SubmitSettings {
  /** Overrides the format that the file's name and content suggest. */
  sourceFormat?: string
  /** Options of the conversion; see `schema()`. */
  options?: Readonly<Record<string, unknown>>
  webhook?: { url: string; secret: string; events?: readonly ('succeeded' | 'failed')[] }
  /** Of the submission, the same in every attempt; random by default. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export interface FollowSettings {
  signal?: AbortSignal
  /** Called with each status of the job that differs from the last one. */
  onProgress?: (job: Job) => void
}

/** A finished conversion. */
export interface Result {
  readonly job: Job
  readonly fileName: string
  readonly contentType: string
  /** More than 1 for a ZIP of several files. */
  readonly fileCount: number
  /** What was lost or missed in converting. */
  readonly warnings: readonly string[]
  /** Opens the result; each call downloads it again. */
  stream(): Promise<ReadableStream<Uint8Array>>
  blob(): Promise<Blob>
  /** Removes the job and its result from the service. */
  remove(): Promise<void>
}

const DEFAULT_URL = 'http://127.0.0.1:7421'
/** How long a submission may still take to say which job has to be canceled. */
const LAST_ANSWER_MS = 500
/** The service sends a comment every 15 seconds. */
const SILENCE_MS = 60_000
/** Pauses between two polls: short for short jobs, longer for long ones. */
const FIRST_POLL_MS = 500
const LONGEST_POLL_MS = 4_000

/** A client of the conversion API. */
export class Refile {
  /** Typed access to every endpoint of the API. */
  readonly api: Client<paths>
  readonly #baseUrl: string
  readonly #headers: Record<string, string>
  readonly #fetch: typeof fetch
  readonly #retries: RetryPolicy
  #repeatsSubmissions: Promise<boolean> | undefined

  constructor({ baseUrl = DEFAULT_URL, apiKey, headers = {}, ...settings }: ClientSettings = {}) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '')
    this.#headers = { ...headers, ...(apiKey === undefined ? {} : { 'x-service-api-key': apiKey }) }
    this.#fetch = settings.fetch ?? ((input, init) => fetch(input, init))
    this.#retries = { ...defaultRetries, ...settings.retries }
    this.api = createClient<paths>({
      baseUrl: this.#baseUrl,
      headers: this.#headers,
      fetch: request => withRetries(() => this.#fetch(request.clone()), this.#retries, request.signal),
    })
  }

  /**
   * Converts a file: submits it, follows its job, and returns the result to be downloaded. If the signal aborts, the job is canceled.
   * `onSubmitted` is called with the job's id once it is queued.
   * @throws RefileError if the submission is refused
   * @throws JobError if the job fails or is canceled
   * @throws ConnectionError if the service cannot be reached
   */
  async convert(
    input: Input,
    target: string,
    settings: SubmitSettings & FollowSettings & { onSubmitted?: (id: string) => void } = {},
  ): Promise<Result> {
    const { signal } = settings
    const { id } = await this.#submitPatiently(input, target, settings)
    settings.onSubmitted?.(id)
    try {
      return this.resultOf(await this.follow(id, settings))
    } catch (error) {
      if (signal?.aborted) await this.cancel(id).catch(() => {})
      throw error
    }
  }

  /** Submits, and gives a job whose id is on its way when the signal aborts a moment to arrive, so that it can be canceled. */
  async #submitPatiently(input: Input, target: string, settings: SubmitSettings): Promise<JobAccepted> {
    const { signal } = settings
    if (!signal) return this.submit(input, target, settings)
    signal.throwIfAborted()
    const late = new AbortController()
    const abort = () => setTimeout(() => late.abort(signal.reason), LAST_ANSWER_MS)
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await this.submit(input, target, { ...settings, signal: late.signal })
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** Submits a file and returns its job as soon as it is queued. */
  async submit(input: Input, target: string, settings: SubmitSettings = {}): Promise<JobAccepted> {
    const idempotencyKey = settings.idempotencyKey ?? crypto.randomUUID()
    const answer = await this.#send(
      '/convert',
      () => ({
        method: 'POST',
        body: formOf(input, target, settings),
        headers: { 'idempotency-key': idempotencyKey },
        // To be able to follow a redirect, Node keeps all that it has sent: the whole file, in memory.
        redirect: 'error',
      }),
      settings.signal,
      // Elsewhere a submission whose answer was lost would run, and cost, twice.
      () => this.#knowsIdempotencyKeys(),
    )
    return (await answer.json()) as JobAccepted
  }

  /** The status of a job. */
  async job(id: string, signal?: AbortSignal): Promise<Job> {
    return (await (await this.#send(jobPath(id), undefined, signal)).json()) as Job
  }

  /**
   * Follows a job to its end, live where the service has live events, and by polling elsewhere or when the stream breaks.
   * @returns the job, succeeded
   * @throws JobError if it failed or was canceled
   */
  async follow(id: string, { signal, onProgress }: FollowSettings = {}): Promise<Job> {
    let last = ''
    const notify = (job: Job): Job | undefined => {
      const text = JSON.stringify(job)
      if (text !== last) onProgress?.(job)
      last = text
      return ended(job) ? job : undefined
    }
    const job = (await this.#followLive(id, notify, signal)) ?? (await this.#poll(id, notify, signal))
    if (job.status !== 'Succeeded') throw new JobError(id, job.error ?? null)
    return job
  }

  /** A finished job's result. */
  resultOf(job: Job): Result {
    const { fileName, contentType, fileCount } = job.output ?? { fileName: '', contentType: '', fileCount: 0 }
    const stream: Result['stream'] = () => this.download(job.id)
    return {
      ...{ job, fileName, contentType, fileCount, stream },
      warnings: job.warnings ?? [],
      blob: async () => new Response(await stream(), { headers: { 'content-type': contentType } }).blob(),
      remove: () => this.remove(job.id),
    }
  }

  /** The output of a job as a stream; a connection that breaks on the way is continued where it broke. */
  async download(id: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const path = `${jobPath(id)}/download`
    const first = await this.#send(path, undefined, signal)
    const tag = first.headers.get('etag')
    const resumes = tag !== null && first.headers.get('accept-ranges') === 'bytes'
    const from = async (offset: number) => {
      const headers = { range: `bytes=${offset}-`, 'if-range': tag ?? '' }
      const answer = await this.#send(path, () => ({ headers }), signal)
      if (answer.status !== 206) throw new ConnectionError('The rest of the download is no longer there.')
      return answer.body
    }
    return resumes
      ? resumable(first.body, from, this.#retries.retries)
      : (first.body ?? new Blob([]).stream())
  }

  /** Cancels a queued or running job; one that has ended stays as it is. */
  async cancel(id: string): Promise<void> {
    try {
      await this.#send(`${jobPath(id)}/cancel`, () => ({ method: 'POST' }))
    } catch (error) {
      if (!(error instanceof RefileError && error.code === 'jobs.not_cancellable')) throw error
    }
  }

  /** Removes a finished job and its output. */
  async remove(id: string): Promise<void> {
    await this.#send(jobPath(id), () => ({ method: 'DELETE' }))
  }

  /** The catalogue; `extended` adds what the service has beyond the contract. */
  async conversions(
    query: { formats?: string; category?: string; extended?: boolean } = {},
  ): Promise<Conversions> {
    return (await this.#get('/convert/conversions', query)) as Conversions
  }

  /** What a conversion would cost. */
  async estimate(
    from: string,
    to: string,
    query: { fileSizeBytes?: number; pageCount?: number; durationMinutes?: number; variant?: string } = {},
  ): Promise<Estimate> {
    return (await this.#get(`/convert/estimate/${segment(from)}/${segment(to)}`, query)) as Estimate
  }

  /** JSON Schema of a conversion's options. */
  async schema(from: string, to: string): Promise<Record<string, unknown>> {
    return (await this.#get(`/convert/schema/${segment(from)}/${segment(to)}`, {})) as Record<string, unknown>
  }

  /** Plan and credits of the caller. */
  async entitlements(): Promise<Entitlements> {
    return (await this.#get('/convert/entitlements/me', {})) as Entitlements
  }

  /** The job at its end; undefined if it cannot be followed live. */
  async #followLive(
    id: string,
    notify: (job: Job) => Job | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Job | undefined> {
    try {
      const answer = await this.#fetch(this.#url(`${jobPath(id)}/events`), this.#init({}, signal))
      if (!answer.ok || !answer.body) {
        await answer.body?.cancel()
        return undefined
      }
      for await (const { event, data } of readEvents(answer.body, SILENCE_MS)) {
        const job = event === 'job' ? notify(JSON.parse(data) as Job) : undefined
        if (job) return job
      }
    } catch {
      signal?.throwIfAborted()
    }
    return undefined
  }

  async #poll(
    id: string,
    notify: (job: Job) => Job | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Job> {
    for (let delay = FIRST_POLL_MS; ; delay = Math.min(delay * 1.5, LONGEST_POLL_MS)) {
      const job = notify(await this.job(id, signal))
      if (job) return job
      await pause(delay, signal)
    }
  }

  /** Whether the service's own description says that it knows idempotency keys. */
  async #knowsIdempotencyKeys(): Promise<boolean> {
    this.#repeatsSubmissions ??= this.#fetch(this.#url('/openapi.json'), this.#init({}, undefined))
      .then(async answer => {
        const { paths: described } = (await answer.json()) as {
          paths: Record<string, { post?: { parameters?: { name: string }[] } }>
        }
        const parameters = described['/convert']?.post?.parameters ?? []
        return parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')
      })
      .catch(() => {
        this.#repeatsSubmissions = undefined
        return false
      })
    return this.#repeatsSubmissions
  }

  async #get(path: string, query: Readonly<Record<string, unknown>>): Promise<unknown> {
    const given = Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    )
    const search = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
    return (await this.#send(`${path}${search}`)).json()
  }

  #send(
    path: string,
    request: () => RequestInit = () => ({}),
    signal?: AbortSignal,
    repeatsLost?: () => Promise<boolean>,
  ): Promise<Response> {
    const send = () => this.#fetch(this.#url(path), this.#init(request(), signal))
    return withRetries(send, this.#retries, signal, repeatsLost)
  }

  #url(path: string): string {
    return `${this.#baseUrl}${path}`
  }

  #init(init: RequestInit, signal: AbortSignal | undefined): RequestInit {
    return { ...init, headers: { ...this.#headers, ...(init.headers as object) }, signal: signal ?? null }
  }
}

const segment = encodeURIComponent
const jobPath = (id: string) => `/convert/job/${segment(id)}`
const ended = ({ status }: Job) => status !== 'Queued' && status !== 'Running'

function formOf(input: Input, target: string, { sourceFormat, options, webhook }: SubmitSettings): FormData {
  const fields: Record<string, string | undefined> = {
    targetFormat: target,
    sourceFormat: 'url' in input ? input.sourceFormat : sourceFormat,
    inputUrl: 'url' in input ? input.url : undefined,
    options: options && JSON.stringify(options),
    webhookUrl: webhook?.url,
    webhookSecret: webhook?.secret,
    webhookEvents: webhook?.events?.join(','),
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  // Last, so that the service knows what it is to do before the bytes come.
  if (input instanceof Blob) form.set('file', input, input.name)
  else if ('data' in input) form.set('file', input.data, input.name)
  return form
}

/** A download that goes on after a broken connection, from the byte where it broke. */
function resumable(
  first: ReadableStream<Uint8Array> | null,
  from: (offset: number) => Promise<ReadableStream<Uint8Array> | null>,
  retries: number,
): ReadableStream<Uint8Array> {
  let reader = first?.getReader()
  let [offset, left] = [0, retries]
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        try {
          const chunk = await reader?.read()
          if (!chunk || chunk.done) return controller.close()
          offset += chunk.value.byteLength
          return controller.enqueue(chunk.value)
        } catch (cause) {
          if (left-- <= 0) throw new ConnectionError('The connection broke during the download.', { cause })
          reader = (await from(offset))?.getReader()
        }
      }
    },
    cancel: reason => reader?.cancel(reason),
  })
}
