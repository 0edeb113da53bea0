import { refusalOf } from '../../sdk/src/errors.ts'
import { readEvents, type ServerEvent } from '../../sdk/src/events.ts'

/** The headers of a session, of which a program sends both halves of its token as the app's page does. */
export interface SessionHeaders extends Record<string, string> {
  cookie: string
  'x-service-session': string
}

/** Signs in with a one-time link, as a browser does. */
export async function signIn(pageUrl: string): Promise<SessionHeaders> {
  const answer = await fetch(pageUrl, { redirect: 'manual' })
  await answer.body?.cancel()
  return sessionIn(answer)
}

/** The session that an answer opens. */
export function sessionIn({ headers }: Response): SessionHeaders {
  const cookies = headers.getSetCookie().map(line => line.split(';', 1)[0])
  const [, page = ''] = /#session=(.*)/.exec(headers.get('location') ?? '') ?? []
  return { cookie: cookies.join('; '), 'x-service-session': page }
}

type Init = RequestInit & { headers?: Record<string, string> }

/** What is sent to a route of the owner's session; with GET by default. */
export interface Question {
  method?: string
  body?: object | undefined
}

/** A client of the first-party routes of a running service, with a session like the page's. */
export class OwnerClient {
  readonly url: string
  /** Returns a one-time link that opens a session. */
  readonly openUrl: () => Promise<string>
  readonly #cookies: () => string
  #session: Promise<SessionHeaders> | undefined

  /** @param cookies what is sent beside the session's cookie */
  constructor(service: { url: string; openUrl: () => Promise<string> }, cookies = () => '') {
    this.url = service.url
    this.openUrl = () => service.openUrl()
    this.#cookies = cookies
  }

  /** Sends a request; signs in if there is no session, and again if it has ended and the request can be repeated. */
  async send(path: string, init: Init = {}): Promise<Response> {
    const attempt = async () => {
      const { cookie, ...half } = await this.#signIn()
      const headers = { ...init.headers, ...half, cookie: `${cookie}${this.#cookies()}` }
      return fetch(`${this.url}${path}`, { ...init, headers })
    }
    const answer = await attempt()
    if (answer.status !== 401 || init.body instanceof ReadableStream) return answer
    await answer.body?.cancel()
    this.#session = undefined
    return attempt()
  }

  /**
   * Asks a route.
   * @throws RefileError if it refuses
   */
  async ask<Answer>(path: string, { method = 'GET', body }: Question = {}): Promise<Answer> {
    const content = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await this.#succeed(path, { method, ...content })
    const text = await answer.text()
    return text === '' ? (undefined as Answer) : JSON.parse(text)
  }

  /**
   * The body of an answer, or null if it has none.
   * @throws RefileError if it is refused
   */
  async stream(path: string): Promise<Response['body']> {
    return (await this.#succeed(path)).body
  }

  /** The live events of a route, once the stream is open: no change is missed from there on. */
  async events(path: string, signal: AbortSignal): Promise<AsyncIterable<ServerEvent>> {
    const { body } = await this.#succeed(path, { signal })
    return readEvents(body ?? new Blob([]).stream())
  }

  async #succeed(path: string, init: Init = {}): Promise<Response> {
    const answer = await this.send(path, init)
    if (!answer.ok) throw await refusalOf(answer)
    return answer
  }

  /** Once for all requests, and again after a failure. */
  #signIn(): Promise<SessionHeaders> {
    this.#session ??= this.openUrl()
      .then(signIn)
      .catch(error => {
        this.#session = undefined
        throw error
      })
    return this.#session
  }
}
