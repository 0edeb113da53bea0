import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { StagedFile } from '../service/app/types.ts'
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
   * Takes a file from disk in, streaming it, as a drop on the page would.
   * @throws ShellProblem with the service's reason
   */
  async stage(path: string): Promise<StagedFile> {
    const blob = await openAsBlob(path)
    const answer = await this.#fetch('/app/files', () => {
      const form = new FormData()
      form.set('file', blob, basename(path))
      return { method: 'POST', body: form }
    })
    return (await answer.json()) as StagedFile
  }

  /**
   * A job's output, to be streamed.
   * @throws ShellProblem with the service's reason, such as an output that has expired
   */
  async download(jobId: string): Promise<ReadableStream<Uint8Array>> {
    const answer = await this.#fetch(`/app/jobs/${jobId}/download`, () => ({}))
    if (!answer.body) throw new ShellProblem('The result is empty.')
    return answer.body
  }

  /** Makes the request anew for each try: a session may have ended, and a body can be sent only once. */
  async #fetch(path: string, request: () => RequestInit): Promise<Response> {
    const send = async () => {
      this.#cookie ??= this.#signIn()
      return fetch(new URL(path, this.#service.url), {
        ...request(),
        headers: { cookie: await this.#cookie },
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
