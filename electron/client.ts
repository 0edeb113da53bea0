import { type SessionHeaders, signIn } from '../service/host/running.ts'
import { message } from '../service/shared/messages/message.ts'
import type {
  Batch,
  BatchItem,
  LocalFile,
  NewBatch,
  Page,
  Settings,
  StagedFile,
} from '../service/web/app/types.ts'
import { ShellProblem } from './ipc.ts'
import { shellLanguage, translate } from './words.ts'

/** The part of a running service that the shell uses. */
export interface ServiceAddress {
  /** Origin of the service, such as `http://127.0.0.1:7421`. */
  readonly url: string
  /** A one-time URL that opens the page with a session. */
  openUrl(): Promise<string>
}

/** Listeners for the service's live events. */
export interface EventListeners {
  /** The stream is open: no change is missed from here on. */
  open(): Promise<void>
  event(name: string, data: unknown): void
}

/** The shell's own client of the service, over HTTP with a session like the page's. */
export class ServiceClient {
  readonly #service: ServiceAddress
  #session: Promise<SessionHeaders> | undefined

  constructor(service: ServiceAddress) {
    this.#service = service
  }

  /** A one-time URL that opens the page with a session. */
  openUrl(): Promise<string> {
    return this.#service.openUrl()
  }

  /**
   * Stages a file of this machine, like a drop on the page. The service reads it in place.
   * @throws ShellProblem with the service's reason
   */
  async stage(path: string): Promise<StagedFile> {
    const file: LocalFile = { path }
    return this.#post<StagedFile>('/app/files', file)
  }

  /** @throws ShellProblem with the service's reason */
  createBatch(batch: NewBatch): Promise<Batch> {
    return this.#post<Batch>('/app/batches', batch)
  }

  /** Open batches, and those that ended in the last day. */
  batches(): Promise<Batch[]> {
    return this.#get<Batch[]>('/app/batches')
  }

  settings(): Promise<Settings> {
    return this.#get<Settings>('/app/settings')
  }

  /** The path of a saved result of a batch that still exists; null if there is none. */
  async savedPath(batchId: string): Promise<string | null> {
    const { items } = await this.#get<Page<BatchItem>>(`/app/batches/${batchId}/items?limit=50`)
    const ids = items.flatMap(item => (item.savedTo === null ? [] : (item.job?.id ?? [])))
    return ids.length === 0 ? null : ((await this.savedPaths(ids))[0] ?? null)
  }

  /** The paths of saved results of these jobs that still exist. */
  savedPaths(jobIds: readonly string[]): Promise<string[]> {
    return this.#get<string[]>(`/app/saved?ids=${jobIds.join(',')}`)
  }

  /** Reads the service's live events until the signal aborts or the stream ends. */
  async events(signal: AbortSignal, { open, event }: EventListeners): Promise<void> {
    const answer = await this.#fetch('/app/events', { signal })
    await open()
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of answer.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? []
        if (name !== undefined && data !== undefined) event(name, JSON.parse(data))
      }
    }
  }

  /**
   * A job's output as a stream.
   * @throws ShellProblem with the service's reason, such as an output that has expired
   */
  async download(jobId: string): Promise<ReadableStream<Uint8Array>> {
    const answer = await this.#fetch(`/app/jobs/${jobId}/download`, {})
    if (!answer.body) throw new ShellProblem(translate(message('shell.empty_result')))
    return answer.body
  }

  async #get<T>(path: string): Promise<T> {
    return (await (await this.#fetch(path, {})).json()) as T
  }

  async #post<T>(path: string, body: object): Promise<T> {
    const answer = await this.#fetch(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    return (await answer.json()) as T
  }

  /** Signs in if there is no session, and again if it has ended. */
  async #fetch(
    path: string,
    request: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Response> {
    const send = async (session: SessionHeaders) =>
      fetch(new URL(path, this.#service.url), {
        ...request,
        // In the language of the page, so that answers match.
        headers: {
          ...request.headers,
          ...session,
          cookie: `${session.cookie}; refile_language=${shellLanguage()}`,
        },
      })
    let answer = await send(await this.#signIn())
    if (answer.status === 401) {
      await answer.body?.cancel()
      this.#session = undefined
      answer = await send(await this.#signIn())
    }
    if (answer.ok) return answer
    const { detail } = (await answer.json().catch(() => ({}))) as { detail?: string | null }
    throw new ShellProblem(
      detail ?? translate(message('shell.unexpected_status', { status: String(answer.status) })),
    )
  }

  /** Once for all requests, and again after a failure. */
  #signIn(): Promise<SessionHeaders> {
    this.#session ??= this.#service
      .openUrl()
      .then(signIn)
      .catch(error => {
        this.#session = undefined
        throw error
      })
    return this.#session
  }
}
