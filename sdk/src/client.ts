import { resumable } from './download.ts'
import { ConnectionError, JobError, RefileError } from './errors.ts'
import { readEvents } from './events.ts'
import { fileFrom } from './file.ts'
import { bodyOf } from './form.ts'
import { pause } from './retry.ts'
import { Transport } from './transport.ts'
import type {
  ClientSettings,
  Conversions,
  ConvertAllSettings,
  Converted,
  Entitlements,
  Estimate,
  FollowSettings,
  Input,
  Inspection,
  Job,
  JobAccepted,
  JobList,
  Preset,
  Result,
  SubmitSettings,
  Target,
} from './types.ts'

/** How long a submission may still take, once the signal has aborted, to say which job has to be canceled. */
const LAST_ANSWER_MS = 500
/** How long the service, which may be gone, is then told to cancel it. */
const CANCEL_MS = 800
/** Pauses between two polls: short for short jobs, longer for long ones. */
const FIRST_POLL_MS = 500
const LONGEST_POLL_MS = 4_000

/** Files on their way at once: as many as an account may have running, and as many that wait; it may have 18. */
const AT_ONCE = 12

/** A client of the conversion API. */
export class Refile {
  readonly #transport: Transport

  constructor(settings: ClientSettings = {}) {
    this.#transport = new Transport(settings)
  }

  /**
   * Converts a file, by its path or itself: submits it, follows its job, and returns the result to be downloaded. If the signal aborts, the job is canceled.
   * `onSubmitted` is called with the job's id once it is queued.
   * @throws FileError if the file changes while it is sent
   * @throws RefileError if the submission is refused
   * @throws JobError if the job fails or is canceled
   * @throws ConnectionError if the service cannot be reached
   */
  async convert(
    input: Input,
    target: Target,
    settings: SubmitSettings & FollowSettings & { onSubmitted?: (id: string) => void } = {},
  ): Promise<Result> {
    const { signal } = settings
    const { id } = await this.#submitPatiently(input, target, settings)
    settings.onSubmitted?.(id)
    try {
      return this.resultOf(await this.follow(id, settings))
    } catch (error) {
      if (signal?.aborted) await this.cancel(id, AbortSignal.timeout(CANCEL_MS)).catch(() => {})
      throw error
    }
  }

  /**
   * Converts many files to one target, and gives each as soon as it has ended; the next file is taken when there is a place for it. One
   * that fails costs only itself. If the signal aborts, or the loop ends early, what has started is canceled.
   * @throws the signal's reason
   */
  async *convertAll<Each extends Input>(
    inputs: Iterable<Each> | AsyncIterable<Each>,
    target: Target,
    { atOnce = AT_ONCE, signal, ...settings }: ConvertAllSettings = {},
  ): AsyncGenerator<Converted<Each>> {
    const stop = new AbortController()
    const signals = signal ? AbortSignal.any([stop.signal, signal]) : stop.signal
    const started = new Set<Promise<() => Converted<Each>>>()
    const begin = (input: Each) => {
      const ended = (converted: Converted<Each>) => () => {
        started.delete(one)
        return converted
      }
      const one = this.convert(input, target, { ...settings, signal: signals }).then(
        result => ended({ input, result }),
        (error: Error) => ended({ input, error }),
      )
      started.add(one)
    }
    const next = async () => {
      const take = await Promise.race(started)
      signal?.throwIfAborted()
      return take()
    }
    try {
      for await (const input of inputs) {
        begin(input)
        if (started.size >= atOnce) yield await next()
      }
      while (started.size > 0) yield await next()
    } finally {
      stop.abort(new Error('The loop over the results ended.'))
      await Promise.all(started)
    }
  }

  /** Submits, and gives a job whose id is on its way when the signal aborts a moment to arrive, so that it can be canceled. */
  async #submitPatiently(input: Input, target: Target, settings: SubmitSettings): Promise<JobAccepted> {
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
  async submit(input: Input, target: Target, settings: SubmitSettings = {}): Promise<JobAccepted> {
    const idempotencyKey = settings.idempotencyKey ?? crypto.randomUUID()
    const source = typeof input === 'string' ? await fileFrom(input) : input
    const answer = await this.#transport.send(
      '/convert',
      () => {
        const { headers, ...body } = bodyOf(source, target, settings)
        return {
          method: 'POST',
          ...body,
          headers: { ...headers, 'idempotency-key': idempotencyKey },
          // To be able to follow a redirect, Node keeps all that it has sent: the whole file, in memory.
          redirect: 'error',
        }
      },
      settings.signal,
      // Elsewhere a submission whose answer was lost would run, and cost, twice.
      () => this.#transport.knowsIdempotencyKeys(settings.signal),
    )
    return (await answer.json()) as JobAccepted
  }

  /**
   * What a file is, what it can become, and for how many credits. Nothing is charged, and nothing of it kept.
   * @param query `thumbnail`: a picture of it, too, whose longest edge has so many pixels
   */
  async inspect(
    input: Exclude<Input, { readonly url: string }>,
    signal?: AbortSignal,
    query: { thumbnail?: number } = {},
  ): Promise<Inspection> {
    const source = typeof input === 'string' ? await fileFrom(input) : input
    const request = () => ({ method: 'POST', ...bodyOf(source, undefined, {}) })
    const path = `/convert/inspect${searchOf(query)}`
    return (await this.#transport.send(path, request, signal)).json() as Promise<Inspection>
  }

  /** The status of a job. */
  async job(id: string, signal?: AbortSignal): Promise<Job> {
    return (await (await this.#transport.send(jobPath(id), undefined, signal)).json()) as Job
  }

  /** The jobs that were submitted with this key, newest first; `cursor` is what `next` of the list before says. */
  jobs(
    query: { cursor?: number; limit?: number; since?: string; status?: Job['status'] } = {},
    signal?: AbortSignal,
  ): Promise<JobList> {
    return this.#get('/convert/jobs', query, signal)
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
    const first = await this.#transport.send(path, undefined, signal)
    const tag = first.headers.get('etag')
    const resumes = tag !== null && first.headers.get('accept-ranges') === 'bytes'
    const from = async (offset: number) => {
      const headers = { range: `bytes=${offset}-`, 'if-range': tag ?? '' }
      const answer = await this.#transport.send(path, () => ({ headers }), signal)
      if (answer.status !== 206) throw new ConnectionError('The rest of the download is no longer there.')
      return answer.body
    }
    return resumes
      ? resumable(first.body, from, this.#transport.retries.retries)
      : (first.body ?? new Blob([]).stream())
  }

  /** Cancels a queued or running job; one that has ended stays as it is. */
  async cancel(id: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#transport.send(`${jobPath(id)}/cancel`, () => ({ method: 'POST' }), signal)
    } catch (error) {
      if (!(error instanceof RefileError && error.code === 'jobs.not_cancellable')) throw error
    }
  }

  /** Removes a finished job and its output. */
  async remove(id: string): Promise<void> {
    await this.#transport.send(jobPath(id), () => ({ method: 'DELETE' }))
  }

  /** The catalogue; `extended` adds what the service has beyond the contract. */
  conversions(
    query: { formats?: string; category?: string; extended?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<Conversions> {
    return this.#get('/convert/conversions', query, signal)
  }

  /** What a conversion would cost. */
  estimate(
    from: string,
    to: string,
    query: { fileSizeBytes?: number; pageCount?: number; durationMinutes?: number; variant?: string } = {},
    signal?: AbortSignal,
  ): Promise<Estimate> {
    return this.#get(`/convert/estimate/${segment(from)}/${segment(to)}`, query, signal)
  }

  /** JSON Schema of a conversion's options. */
  schema(from: string, to: string, signal?: AbortSignal): Promise<Record<string, unknown>> {
    return this.#get(`/convert/schema/${segment(from)}/${segment(to)}`, {}, signal)
  }

  /** The presets of the account: for each source format a target and options. A service of the contract alone has none. */
  presets(signal?: AbortSignal): Promise<Preset[]> {
    return this.#get('/convert/presets', {}, signal)
  }

  /** Plan and credits of the caller. */
  entitlements(signal?: AbortSignal): Promise<Entitlements> {
    return this.#get('/convert/entitlements/me', {}, signal)
  }

  /** The job at its end; undefined if it cannot be followed live. */
  async #followLive(
    id: string,
    notify: (job: Job) => Job | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Job | undefined> {
    try {
      const answer = await this.#transport.once(`${jobPath(id)}/events`, {}, signal)
      if (!answer.ok || !answer.body) {
        await answer.body?.cancel()
        return undefined
      }
      for await (const { event, data } of readEvents(answer.body)) {
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

  async #get<Answer>(
    path: string,
    query: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    return (
      await this.#transport.send(`${path}${searchOf(query)}`, undefined, signal)
    ).json() as Promise<Answer>
  }
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  )
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

const segment = encodeURIComponent
const jobPath = (id: string) => `/convert/job/${segment(id)}`
const ended = ({ status }: Job) => status !== 'Queued' && status !== 'Running'
