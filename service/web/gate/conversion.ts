/** Conversions whose results are the answer to a request. They are jobs as all others. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Options } from '../../convert/catalogue/task.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { joinedFile, uploadedParts } from '../../work/intake/joined.ts'
import { prepare, type RequestedStep } from '../../work/intake/prepare.ts'
import { type Incoming, receive } from '../../work/intake/source.ts'
import { receiveBody, type UploadedFile } from '../../work/intake/upload.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { statusOfFailure } from '../http/failures.ts'
import type { Services } from '../services.ts'

/** Longer than any client waits. */
const LONGEST_WAIT_MS = 3_600_000

/** A field with a value that it cannot have. */
export const unknownValue = (name: string, value: string) =>
  new RequestError('request.invalid_parameter', message('gate.unknown_value', { name, value }))

/** What is sent, without what is empty. */
export const given = (options: Record<string, unknown>): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== ''))

/** A request that is answered with what becomes of its files. */
export interface Call {
  request: FastifyRequest
  services: Services
  /** Aborts when the caller has gone. */
  signal: AbortSignal
}

export const callOf = (request: FastifyRequest, reply: FastifyReply, services: Services): Call => ({
  request,
  services,
  signal: disconnectSignal(reply),
})

/** The form of a request, with all of its files. @throws RequestError */
export const formOf = ({ request, services }: Call): Promise<Incoming> =>
  receive({ kind: 'upload', request: request.raw, isOpen: true }, services)

/**
 * @param furtherSteps what the result becomes within the same job
 * @throws RequestError as a submission is refused, and for a file that cannot be converted
 */
export async function converted(
  { request, services, signal }: Call,
  file: UploadedFile,
  targetFormat: string,
  options: Options = {},
  furtherSteps: readonly RequestedStep[] = [],
): Promise<Job> {
  const { accountId, origin, keyId } = request.caller
  const wanted = { accountId, origin, keyId, targetFormat, options, furtherSteps }
  const job = await prepare(services, file, wanted, signal)
  signal.throwIfAborted()
  const { id } = await services.jobs.submit(job, key => services.stores.blobs.put(key, file.path))
  const ended = await services.jobs.ended(id, LONGEST_WAIT_MS, signal)
  if (signal.aborted) await services.jobs.cancel(id, accountId).catch(() => {})
  signal.throwIfAborted()
  if (!ended) throw new RequestError('jobs.unfinished')
  if (!ended.error) return ended
  const { code, reason } = ended.error
  const isOurs = statusOfFailure(code) === 500
  throw new RequestError(isOurs ? 'server.internal_error' : 'convert.failed', reason)
}

/** Several files as one PDF in their order. @throws RequestError */
export async function joined(
  call: Call,
  files: readonly UploadedFile[],
  options: Options = {},
  furtherSteps: readonly RequestedStep[] = [],
): Promise<Job> {
  const { services, request, signal } = call
  const { accountId } = request.caller
  const parts = await uploadedParts(services, 'files', files, { accountId, signal })
  await using whole = await joinedFile(services, 'files', parts)
  return await converted(call, whole, 'pdf', options, furtherSteps)
}

/** The content of a result. */
export const contentOf = async ({ services }: Call, job: Job) => (await services.jobs.openOutput(job)).stream

export async function textOf(call: Call, job: Job): Promise<string> {
  const stream = await contentOf(call, job)
  return Buffer.concat(await stream.toArray()).toString()
}

/** A result as the source of the next conversion. */
export const resultFile = async (call: Call, job: Job) =>
  receiveBody(await contentOf(call, job), call.services.incoming, Number.POSITIVE_INFINITY, nameOf(job))

export const nameOf = ({ output, inputName }: Job): string => output?.fileName ?? inputName
