import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A small HTTP server with one-time links and sessions like the service's, for testing the shell's side. */
export class ServiceDouble {
  readonly requests: { method: string; path: string; body: Buffer; headers: IncomingMessage['headers'] }[] =
    []
  readonly #server: Server
  #links = 0
  /** The only valid session; change it to end the existing ones. */
  session = 'first'
  /** The batches that the service reports, and the streams of its followers. */
  batches: object[] = []
  readonly #followers = new Set<ServerResponse>()
  /** Answers a request with a valid session. */
  answer: (request: ServiceDouble['requests'][number], response: ServerResponse) => void = (_, response) =>
    void response.end()

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async openUrl(): Promise<string> {
    return `${this.url}/open?token=${++this.#links}`
  }

  get linksIssued(): number {
    return this.#links
  }

  /** Sends an event to the followers, once there is one. */
  publish(name: string, data: object): void {
    for (const follower of this.#followers)
      follower.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  get followers(): number {
    return this.#followers.size
  }

  /** Breaks the streams off. */
  breakStreams(): void {
    for (const follower of this.#followers) follower.destroy()
    this.#followers.clear()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (path.startsWith('/open')) {
      const cookie = `session=${this.session}; HttpOnly; SameSite=Strict; Path=/`
      response.writeHead(303, { location: `/#session=half-of-${this.session}`, 'set-cookie': cookie }).end()
      return
    }
    const body = Buffer.concat(await request.toArray())
    const isKnown =
      (request.headers.cookie ?? '').split('; ').includes(`session=${this.session}`) &&
      request.headers['x-service-session'] === `half-of-${this.session}`
    if (isKnown) {
      if (path === '/app/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        return void this.#followers.add(response)
      }
      if (path === '/app/batches' && request.method === 'GET')
        return void response.end(JSON.stringify(this.batches))
    }
    const received = { method: request.method ?? '', path, body, headers: request.headers }
    this.requests.push(received)
    if (isKnown) this.answer(received, response)
    else response.writeHead(401).end('{"error":"session.required","detail":"Open Refile again."}')
  }
}
