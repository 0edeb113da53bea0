import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { RequestError, type RequestErrorCode } from '../errors.ts'

/** What the parser of HTTP refuses, by its codes; everything else is malformed. */
const refusedByParser = new Map<
  string | undefined,
  RequestErrorCode & ('request.headers_too_large' | 'request.timeout')
>([
  ['HPE_HEADER_OVERFLOW', 'request.headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request.timeout'],
])

/** Answers what is no request at all, and so reaches no route, with the contract's envelope. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy()
    return
  }
  write(socket, new RequestError(refusedByParser.get(error.code) ?? 'request.malformed'))
}

/** Takes care of requests that Node would answer by itself, without a body. */
export function answerUnusual(server: Server): void {
  // Without a listener Node drops the connection: this is no proxy.
  server.on('connect', (_request: IncomingMessage, socket: Socket) =>
    write(socket, new RequestError('request.not_found')),
  )
  // An expectation that is not understood may be passed over; see RFC 9110, section 10.1.1.
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
  // A sender that goes on regardless is not listened to.
  socket.once('finish', () => socket.destroySoon())
}
