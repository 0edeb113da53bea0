import type { LocalFile, StagedFile } from '../service/app/types.ts'
import { ShellProblem } from './ipc.ts'

/** The part of a running service the shell talks to. */
export interface ServiceAddress {
  /** Origin of the service, such as `http://127.0.0.1:7421`. */
  readonly url: string
  /** A one-time address that opens the page with a session. */
  openUrl(): Promise<string>
}

/** The shell's own visits to the service, over HTTP and with a session like the page's. */
export class ServiceClient {
  readonly #service: ServiceAddress
  #cookie: Promise<string> | undefined

  constructor(service: ServiceAddress) {
    this.#service = service
  }

  /**
   * Stages a file of this machine, as a drop on the page would. The service reads it where it is.
   * @throws ShellProblem with the service's reason
   */
  async stage(path: string): Promise<StagedFile> {
    const file: LocalFile = { path }
    const answer = await this.#fetch('/app/files', {
      method: 'POST',
      body: JSON.stringify(file),
      headers: { 'content-type': 'application/json' },
    })
    return (await answer.json()) as StagedFile
  }

  /**
   * A job's output, to be streamed.
   * @throws ShellProblem with the service's reason, such as an output that has expired
   */
  async download(jobId: string): Promise<ReadableStream<Uint8Array>> {
    const answer = await this.#fetch(`/app/jobs/${jobId}/download`, {})
    if (!answer.body) throw new ShellProblem('The result is empty.')
    return answer.body
  }

  /** Signs in when there is no session, and once more when it has ended. */
  async #fetch(
    path: string,
    request: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
  ): Promise<Response> {
    const send = async () => {
      this.#cookie ??= this.#signIn()
      return fetch(new URL(path, this.#service.url), {
        ...request,
        headers: { ...request.headers, cookie: await this.#cookie },
      })
    }
    let answer = await send()
    if (answer.status === 401) {
      await answer.body?.cancel()
      this.#cookie = undefined
      answer = await send()
    }
    if (answer.ok) return answer
    const { detail } = (await answer.json().catch(() => ({}))) as { detail?: string | null }
    throw new ShellProblem(detail ?? `The service answered with status ${answer.status}.`)
  }

  async #signIn(): Promise<string> {
    const answer = await fetch(await this.#service.openUrl(), { redirect: 'manual' })
    await answer.body?.cancel()
    return answer.headers
      .getSetCookie()
      .map(cookie => cookie.split(';', 1)[0])
      .join('; ')
  }
}
