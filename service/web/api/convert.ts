import type { FastifyRequest } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { checkUrl } from '../../work/intake/fetch/fetcher.ts'
import { urlRefused } from '../../work/intake/fetch/refusals.ts'
import { findEdge, optionsFor, prepare } from '../../work/intake/prepare.ts'
import { receive } from '../../work/intake/source.ts'
import type { UploadedFile } from '../../work/intake/upload.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { object, optional, type Routes, type Static, string } from '../http/schema.ts'
import { ErrorResponse } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { type ConvertFields, readFields } from './request-fields.ts'
import { JobAccepted } from './shapes.ts'

const Query = object({ targetFormat: optional(string()) })

/** `POST /convert`: receives a file, charges for it and queues its conversion. */
export function convertRoutes(app: Routes, services: Services): void {
  app.post(
    '/convert',
    {
      schema: {
        summary: 'Submit a file for conversion',
        operationId: 'convert',
        querystring: Query,
        response: { 202: JobAccepted, '4xx': ErrorResponse },
      },
    },
    async (request, reply) => {
      const job = await submit(request, services, disconnectSignal(reply))
      return reply.code(202).send({ id: job.id, status: 'Queued', creditCost: job.creditCost })
    },
  )
}

type ConvertRequest = FastifyRequest<{ Querystring: Static<typeof Query> }>

async function submit(request: ConvertRequest, services: Services, signal: AbortSignal) {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'multipart/form-data') return submitForm(request, services, signal)
  if (type === 'application/json') return submitJson(request, services, signal)
  throw new RequestError('request.invalid_content_type')
}

async function submitForm(request: ConvertRequest, services: Services, signal: AbortSignal) {
  await using received = await receive({ kind: 'upload', request: request.raw }, services)
  const { file } = received
  // A text field of this name is not a file, as sent by `curl -F file=photo.jpg` without the @.
  if (!file && received.fields.has('file')) throw new RequestError('request.no_files')
  const fields = readFields(Object.fromEntries(received.fields), request.query.targetFormat)
  if (file && fields.inputUrl !== undefined) throw urlRefused('url_fetch.mutually_exclusive')
  if (fields.inputUrl !== undefined)
    return await submitUrl(request, services, fields.inputUrl, fields, signal)
  if (!file) throw new RequestError('request.no_files')
  return await submitFile(request, services, file, fields, signal)
}

async function submitFile(
  request: ConvertRequest,
  services: Services,
  file: UploadedFile,
  { targetFormat, sourceFormat, options, webhook }: ConvertFields,
  signal: AbortSignal,
) {
  const { accountId, origin, keyId } = request.caller
  if (webhook && services.config.offline) {
    throw new RequestError('convert.invalid_webhook', message('webhook.offline'))
  }
  const wanted = { accountId, origin, keyId, targetFormat, sourceFormat, options }
  const job = await prepare(services, file, wanted, signal)
  // If the caller has gone, it would pay for a job whose id it never receives.
  signal.throwIfAborted()
  return services.jobs.submit({ ...job, webhook }, key => services.stores.blobs.put(key, file.path))
}

async function submitJson(request: ConvertRequest, services: Services, signal: AbortSignal) {
  const body = request.body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new RequestError('request.invalid_content_type', message('request.not_an_object'))
  }
  if ('options' in body && typeof body.options === 'string')
    throw new RequestError('convert.invalid_options', message('convert.options_not_an_object'))
  const fields = readFields(body as Record<string, unknown>, request.query.targetFormat)
  if (fields.inputUrl === undefined)
    throw new RequestError('request.no_files', message('request.no_input_url'))
  return submitUrl(request, services, fields.inputUrl, fields, signal)
}

/** Fetches a file and submits it. Everything that can be checked without fetching is checked first, in the contract's order. */
async function submitUrl(
  request: ConvertRequest,
  services: Services,
  url: string,
  fields: ConvertFields,
  signal: AbortSignal,
) {
  const { catalogue, config } = services
  const { accountId, guest } = request.caller
  if (guest) throw urlRefused('url_fetch.guest_not_allowed')
  if (fields.sourceFormat === undefined) throw urlRefused('url_fetch.missing_source_format')
  const edge = findEdge(catalogue, fields.sourceFormat, fields.targetFormat)
  optionsFor(edge, fields.options)
  checkUrl(url)
  if (!config.urlInput || config.offline) throw urlRefused('url_fetch.disabled')
  const format = catalogue.sourceOf(fields.sourceFormat)
  const maxBytes = Math.min(edge.converter.limits.bytes, config.maxFileBytes)
  await using received = await receive({ kind: 'url', url, accountId, format, maxBytes, signal }, services)
  const { file } = received
  if (!file) throw new RequestError('request.no_files')
  return await submitFile(request, services, file, fields, signal)
}
