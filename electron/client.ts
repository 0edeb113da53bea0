import { RefileError } from '../sdk/src/errors.ts'
import type { ServerEvent } from '../sdk/src/events.ts'
import { OwnerClient, type Question } from '../service/host/owner.ts'
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
import { ShellProblem } from './serve-channels.ts'
import { shellLanguage, translate } from './words.ts'

/** What the shell asks of the service; what it refuses is thrown as a ShellProblem with the service's reason. */
export class ServiceClient {
  readonly #owner: OwnerClient

  /** @param service its origin, and what returns a one-time URL that opens the page with a session */
  constructor(service: { readonly url: string; openUrl(): Promise<string> }) {
    // In the language of the page, so that answers match.
    this.#owner = new OwnerClient(service, () => `; refile_language=${shellLanguage()}`)
  }

  /** A one-time URL that opens the page with a session. */
  openUrl(): Promise<string> {
    return this.#owner.openUrl()
  }

  /** Stages a file of this machine, like a drop on the page. The service reads it in place. */
  stage(path: string): Promise<StagedFile> {
    const body: LocalFile = { path }
    return this.#ask('/app/files', { method: 'POST', body })
  }

  createBatch(body: NewBatch): Promise<Batch> {
    return this.#ask('/app/batches', { method: 'POST', body })
  }

  /** Open batches, and those that ended in the last day. */
  batches(): Promise<Batch[]> {
    return this.#ask('/app/batches')
  }

  settings(): Promise<Settings> {
    return this.#ask('/app/settings')
  }

  /** The path of a saved result of a batch that still exists; null if there is none. */
  async savedPath(batchId: string): Promise<string | null> {
    const { items } = await this.#ask<Page<BatchItem>>(`/app/batches/${batchId}/items?limit=50`)
    const ids = items.flatMap(item => (item.savedTo === null ? [] : (item.job?.id ?? [])))
    return ids.length === 0 ? null : ((await this.savedPaths(ids))[0] ?? null)
  }

  /** The paths of saved results of these jobs that still exist. */
  savedPaths(jobIds: readonly string[]): Promise<string[]> {
    return this.#ask(`/app/saved?ids=${jobIds.join(',')}`)
  }

  /** The service's live events until the signal aborts or the stream ends; once it is open, no change is missed. */
  events(signal: AbortSignal): Promise<AsyncIterable<ServerEvent>> {
    return this.#owner.events('/app/events', signal)
  }

  /** A job's output as a stream. */
  async download(jobId: string): Promise<ReadableStream<Uint8Array>> {
    const body = await this.#owner.stream(`/convert/job/${jobId}/download`).catch(explain)
    if (!body) throw new ShellProblem(translate(message('shell.empty_result')))
    return body
  }

  #ask<Answer>(path: string, question?: Question): Promise<Answer> {
    return this.#owner.ask<Answer>(path, question).catch(explain)
  }
}

function explain(error: unknown): never {
  if (!(error instanceof RefileError)) throw error
  const { code, status } = error
  throw new ShellProblem(
    code.startsWith('http.')
      ? translate(message('shell.unexpected_status', { status: String(status) }))
      : error.message,
  )
}
