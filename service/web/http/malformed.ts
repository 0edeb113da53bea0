import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { RequestError, type RequestErrorCode } from '../../shared/errors.ts'

// An import of the module would also load Node's HTTP client, at the start of every service.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** What the HTTP parser refuses, by its error codes; everything else is malformed. */
const refusedByParser = new Map<
  string | undefined,
  RequestErrorCode & ('request.headers_too_large' | 'request.timeout')
>([
  ['HPE_HEADER_OVERFLOW', 'request.headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request.timeout'],
])

/** Answers with the contract's envelope when the input is not a valid request and so reaches no route. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy()
    return
  }
  write(socket, new RequestError(refusedByParser.get(error.code) ?? 'request.malformed'))
}

/** Handles requests that Node would otherwise answer itself, without a body. */
export function answerUnusual(server: Server): void {
  // Without a listener Node drops the connection. This service is not a proxy.
  server.on('connect', (_request: IncomingMessage, socket: Socket) =>
    write(socket, new RequestError('request.not_found')),
  )
  // An unknown expectation may be ignored; see RFC 9110, section 10.1.1.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  )
}

function write(socket: Socket, { status, code, detail }: RequestError): void {
  const body = JSON.stringify({ error: code, detail })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  // Stops reading from a sender that keeps sending.
  socket.once('finish', () => socket.destroySoon())
}
