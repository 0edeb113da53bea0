import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { JobFailure, RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import { type SchemaError, validationMessage } from '../../shared/messages/validation.ts'
import { OutcomeUnknown, StoreUnavailable, storageFailed, storeFault } from '../../store/interfaces/errors.ts'
import { ErrorLog } from './error-log.ts'
import { languageOf } from './language.ts'
import { noteMethods } from './methods.ts'
import { RETRY_SECONDS } from './readiness.ts'
import type { Routes } from './schema.ts'

/** Largest JSON body. */
export const JSON_LIMIT_BYTES = 2 ** 20
/** Longest detail. It may quote what a caller sent, which may be as long as a body. */
const DETAIL_LENGTH = 500
/** How long a refused upload may keep sending before its connection is closed. */
const LINGER_MS = 2000

/** The body of a refusal, from its detail in the caller's language, and its status if that is another. */
export type Envelope = (
  error: RequestError,
  detail: string,
) => { type: string; body: unknown; status?: number | undefined }

/** That of the contract. */
const contractEnvelope: Envelope = ({ code, context }, detail) => ({
  type: 'application/json',
  body: { error: code, detail, ...context },
})

/** Answers every error, those of routes with an envelope of their own with that. */
export function answerErrors(app: Routes, log: Logger): void {
  const methodsOf = noteMethods(app)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url)
    if (allowed === '') return send(request, reply, new RequestError('request.not_found'))
    reply.header('allow', allowed)
    send(request, reply, new RequestError('request.method_not_allowed'))
  })
  answerIn(app, log)
}

/** Answers the errors of the routes of this scope. */
export function answerIn(app: Routes, log: Logger, envelope?: Envelope): void {
  const errors = new ErrorLog(log)
  app.setErrorHandler((error: ServerError, request, reply) => {
    const refusal = asRequestError(error)
    if (refusal.status >= 500 && !isInterrupted(error)) {
      errors.write(error, { url: request.routeOptions.url, ip: request.ip })
    }
    send(request, reply, refusal, envelope)
  })
}

type ServerError = Error & { code?: string; statusCode?: number; validation?: SchemaError[] }

/** What fastify itself refuses, by its error codes. */
const refusedByFastify = new Map<string | undefined, () => RequestError>([
  [
    'FST_ERR_CTP_BODY_TOO_LARGE',
    () =>
      new RequestError('request.file_too_large', message('request.body_too_large'), {
        context: { megabytes: Math.floor(JSON_LIMIT_BYTES / 1e6) },
      }),
  ],
  [
    'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    () => new RequestError('request.invalid_content_type', message('request.unknown_content_type')),
  ],
  [
    'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
    () => new RequestError('request.invalid_content_type', message('request.wrong_length')),
  ],
])

/** Whether a worker was ended because the service is shutting down, which is no fault. */
const isInterrupted = (error: Error): error is JobFailure =>
  error instanceof JobFailure && error.code === 'jobs.interrupted'

/** What a caller is told of an error. */
export function asRequestError(error: ServerError): RequestError {
  if (error instanceof RequestError) return error
  if (isInterrupted(error)) {
    return new RequestError('server.unavailable', error.reason, { retryAfter: RETRY_SECONDS })
  }
  if (error instanceof StoreUnavailable) {
    const reason = error instanceof OutcomeUnknown ? message('server.outcome_unknown') : undefined
    return new RequestError('server.unavailable', reason, { retryAfter: RETRY_SECONDS })
  }
  const fault = storeFault(error)
  if (fault === 'full') return new RequestError('server.disk_full')
  // No caller is to blame for errors of the disk and of the process's own limits.
  if (fault) return new RequestError('server.internal_error', storageFailed(error))
  const [problem] = error.validation ?? []
  if (problem) return new RequestError('request.invalid_parameter', validationMessage(problem))
  return refusedByFastify.get(error.code)?.() ?? byStatus(error.statusCode)
}

/** Errors from any other part of the server: the caller is to blame only if their status says so. */
function byStatus(status = 500): RequestError {
  if (status < 400 || status >= 500) return new RequestError('server.internal_error')
  return new RequestError(status === 403 || status === 404 ? 'request.not_found' : 'request.malformed')
}

/** Whether a request says that a body follows. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  error: RequestError,
  envelope = contractEnvelope,
): void {
  if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
  if (hasBody(request) && !request.raw.readableEnded) {
    // The rest of a refused upload is not needed. A connection that closes meanwhile would lose the answer: clients that are still
    // sending see only that they cannot.
    const { raw } = request
    raw.resume()
    reply.raw.once('finish', () =>
      setTimeout(() => {
        if (!raw.complete) raw.socket.destroy()
      }, LINGER_MS).unref(),
    )
  }
  const {
    type,
    body,
    status = error.status,
  } = envelope(error, shortened(render(error.reason, languageOf(request))))
  reply.code(status).type(type).send(body)
}

const shortened = (text: string): string =>
  text.length <= DETAIL_LENGTH ? text : `${text.slice(0, DETAIL_LENGTH - 1).toWellFormed()}…`

/** `Content-Disposition: attachment` with the name in both forms of RFC 6266. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
