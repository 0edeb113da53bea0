import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'
import { type SchemaError, validationMessage } from '../messages/validation.ts'
import type { Routes } from './schema.ts'

/** How long a refused upload may go on sending before its connection is cut. */
const LINGER_MS = 2000

/** Answers every error with the contract's envelope. */
export function answerErrors(app: Routes, log: Logger): void {
  app.setNotFoundHandler((request, reply) => {
    send(request, reply, new RequestError('request.not_found'))
  })
  app.setErrorHandler((error: ServerError, request, reply) => {
    const refusal = asRequestError(error)
    if (refusal.status >= 500) log.error({ err: error, route: request.routeOptions.url }, 'request failed')
    send(request, reply, refusal)
  })
}

type ServerError = Error & { code?: string; statusCode?: number; validation?: SchemaError[] }

/** What fastify refuses by itself, by its codes. */
const refusedByFastify: Record<string, () => RequestError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new RequestError('request.file_too_large', message('request.body_too_large')),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new RequestError('request.invalid_content_type', message('request.unknown_content_type')),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new RequestError('request.invalid_content_type', message('request.wrong_length')),
  FST_ERR_BAD_URL: () => new RequestError('request.not_found'),
}

function asRequestError(error: ServerError): RequestError {
  if (error instanceof RequestError) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT' || /disk is full/.test(error.message)) {
    return new RequestError('server.disk_full')
  }
  const [problem] = error.validation ?? []
  if (problem) return new RequestError('request.invalid_parameter', validationMessage(problem))
  return refusedByFastify[error.code ?? '']?.() ?? new RequestError('server.internal_error')
}

function send(request: FastifyRequest, reply: FastifyReply, error: RequestError): void {
  if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || request.headers['content-length'] !== undefined
  if (hasBody && !request.raw.readableEnded) {
    // The rest of a refused upload is not wanted. Cutting it at once could lose the answer on its way.
    reply.header('connection', 'close')
    request.raw.resume()
    reply.raw.once('finish', () => setTimeout(() => request.raw.socket.destroy(), LINGER_MS).unref())
  }
  const { code, detail, context } = error
  reply
    .code(error.status)
    .type('application/json')
    .send({ error: code, detail, ...context })
}

/** `Content-Disposition: attachment` with the name in both spellings of RFC 6266. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
