import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isBundle } from '../../convert/catalogue/bundle.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type { SubmissionKey } from '../../store/interfaces/jobs.ts'
import { urlRefused } from '../../work/intake/fetch/refusals.ts'
import { joinedFile, uploadedParts } from '../../work/intake/joined.ts'
import { findEdge, furtherSteps, optionsFor, prepare } from '../../work/intake/prepare.ts'
import { receive } from '../../work/intake/source.ts'
import type { UploadedFile } from '../../work/intake/upload.ts'
import { checkMayNotify } from '../../work/webhooks/target.ts'
import { forRole } from '../http/access.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { object, optional, type Routes, type Static, string } from '../http/schema.ts'
import { idempotencyKey } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { statusOf } from './jobs.ts'
import { type ConvertFields, readFields } from './request-fields.ts'
import { JobAccepted, JobStatusResponse } from './shapes.ts'

/** Of a submission. */
export const Query = object({ targetFormat: optional(string()) })
export const Headers = object({
  'idempotency-key': idempotencyKey(
    'A key of your own, such as a UUID. For 24 hours the same request with the same key gets the answer of the first and makes no second job, unless the first failed by a fault of the service.',
  ),
  prefer: optional(
    string({
      description:
        '`wait=N`: if the job ends within N seconds, at most 60, the answer is the job with status 200. `Preference-Applied` says how long was waited for.',
    }),
  ),
})

/** All that a submission says. */
interface Submitted {
  fields: ConvertFields
  /** Hashed when they came; none for an address, whose content is not part of what was sent. */
  files: readonly Pick<UploadedFile, 'name' | 'sha256'>[]
}

/** SHA-256 of a submission in hex: of its fields, and of the names and bytes of its files in their order. */
function digestOf({ fields, files }: Submitted): string {
  const content = [fields, files.map(({ name, sha256 }) => [name, sha256])]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

/** How long an answer may be waited for at most: longer, and proxies close the connection. */
export const LONGEST_WAIT_SECONDS = 60

/** `POST /convert`: receives a file, charges for it and queues its conversion. */
export function convertRoutes(app: Routes, services: Services): void {
  const account = forRole('account', app)
  account.post(
    '/convert',
    {
      schema: {
        summary: 'Submit a file for conversion',
        description:
          'Takes one file as a form, or the address of one as a form or as JSON. With `sourceFormat=files` before them, several parts `file` become one PDF in their order, with `sourceFormat=videos` one video, with `sourceFormat=recordings` one recording. With `steps` instead of `targetFormat` it becomes one format after another, at most five, within one job. Credits are charged now, and refunded if the job fails or is canceled.',
        operationId: 'convert',
        querystring: Query,
        headers: Headers,
        response: { 200: JobStatusResponse, 202: JobAccepted },
      },
    },
    async (request, reply) => {
      const signal = disconnectSignal(reply)
      const job = await submit({ request, services, signal })
      const seconds = secondsToWait(request)
      if (seconds !== undefined) {
        reply.header('preference-applied', `wait=${seconds}`)
        const ended = await services.jobs.ended(job.id, seconds * 1000, signal)
        if (ended) return reply.code(200).send(statusOf(ended, services))
      }
      return reply.code(202).send({ id: job.id, status: 'Queued', creditCost: job.creditCost })
    },
  )
}

/** What a header `Prefer: wait=N` asks for (RFC 7240, section 4.3); undefined without one. */
export function secondsToWait({ headers }: ConvertRequest): number | undefined {
  const [, seconds] = /(?:^|[,;])\s*wait\s*=\s*"?(\d+)"?\s*(?:$|[,;])/i.exec(headers.prefer ?? '') ?? []
  return seconds === undefined ? undefined : Math.min(Number(seconds), LONGEST_WAIT_SECONDS)
}

export type ConvertRequest = FastifyRequest<{
  Querystring: Static<typeof Query>
  Headers: Static<typeof Headers>
}>

/** A request that submits something. */
interface Call {
  request: ConvertRequest
  services: Services
  /** Aborts when the caller has gone. */
  signal: AbortSignal
}

/** Receives what a request submits, charges for it and queues its conversion. */
export async function submit(call: Call) {
  const type = (call.request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type === 'multipart/form-data') return submitForm(call)
  if (type === 'application/json') return submitJson(call)
  throw new RequestError('request.invalid_content_type')
}

async function submitForm(call: Call) {
  const { request, services, signal } = call
  await using received = await receive(
    { kind: 'upload', request: request.raw, isHashed: submissionKeyOf(request) !== undefined },
    services,
  )
  const { file } = received
  // A text field of this name is not a file, as sent by `curl -F file=photo.jpg` without the @.
  if (!file && received.fields.has('file')) throw new RequestError('request.no_files')
  const fields = readFields(Object.fromEntries(received.fields), request.query.targetFormat)
  if (file && fields.inputUrl !== undefined) throw urlRefused('url_fetch.mutually_exclusive')
  if (fields.inputUrl !== undefined) return await submitUrl(call, fields.inputUrl, fields)
  if (!file) throw new RequestError('request.no_files')
  const submitReceived = (whole: UploadedFile) =>
    once(call, { fields, files: received.files }, key => submitFile(call, whole, fields, key))
  const { sourceFormat } = fields
  if (isBundle(sourceFormat)) {
    const waiter = { accountId: request.caller.accountId, signal }
    const parts = await uploadedParts(services, sourceFormat, received.files, waiter)
    await using joined = await joinedFile(services, sourceFormat, parts)
    return await submitReceived(joined)
  }
  return await submitReceived(file)
}

const submissionKeyOf = ({ headers }: ConvertRequest) => headers['idempotency-key']

/** Submits, unless the same was submitted under the same key before, which a queue that is full by now does not change. */
async function once<Job>(
  { request, services }: Call,
  submitted: Submitted,
  submit: (key: SubmissionKey | undefined) => Promise<Job>,
) {
  const given = submissionKeyOf(request)
  if (given === undefined) return await submit(undefined)
  const key = { key: given, digest: digestOf(submitted) }
  return (await services.jobs.submittedBefore(request.caller.accountId, key)) ?? (await submit(key))
}

async function submitFile(
  { request, services, signal }: Call,
  file: UploadedFile,
  { inputUrl: _, webhook, ...fields }: ConvertFields,
  submissionKey: SubmissionKey | undefined,
) {
  const { accountId, origin, keyId } = request.caller
  if (webhook) checkMayNotify(request.caller, services.config)
  const job = await prepare(services, file, { accountId, origin, keyId, ...fields }, signal)
  // If the caller has gone, it would pay for a job whose id it never receives.
  signal.throwIfAborted()
  return services.jobs.submitOnce({ ...job, webhook, submissionKey }, key =>
    services.stores.blobs.put(key, file.path),
  )
}

async function submitJson(call: Call) {
  const { body, query } = call.request
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new RequestError('request.malformed', message('request.not_an_object'))
  }
  if ('options' in body && typeof body.options === 'string')
    throw new RequestError('convert.invalid_options', message('convert.options_not_an_object'))
  const fields = readFields(body as Record<string, unknown>, query.targetFormat)
  if (fields.inputUrl === undefined)
    throw new RequestError('request.no_files', message('request.no_input_url'))
  return submitUrl(call, fields.inputUrl, fields)
}

const submitUrl = (call: Call, url: string, fields: ConvertFields) =>
  once(call, { fields, files: [] }, key => submitFetched(call, url, fields, key))

/** Fetches a file and submits it. Everything that can be checked without fetching is checked first, in the contract's order. */
async function submitFetched(call: Call, url: string, fields: ConvertFields, key: SubmissionKey | undefined) {
  const { request, services, signal } = call
  const { catalogue, config } = services
  const { accountId, guest } = request.caller
  if (guest) throw urlRefused('url_fetch.guest_not_allowed')
  if (fields.sourceFormat === undefined) throw urlRefused('url_fetch.missing_source_format')
  const edge = findEdge(catalogue, fields.sourceFormat, fields.targetFormat)
  optionsFor(edge, fields.options, config)
  furtherSteps(services, edge, fields.furtherSteps)
  const format = catalogue.sourceOf(fields.sourceFormat)
  const maxBytes = Math.min(edge.converter.limits.bytes, config.maxFileBytes)
  await using file = await services.fetcher.fetch({ url, accountId, format, maxBytes, signal })
  return await submitFile(call, file, fields, key)
}
