import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Job } from '../../store/interfaces/jobs.ts'
import type { Services } from '../services.ts'
import { rangeOf, sayRange } from './ranges.ts'
import { attachment } from './replies.ts'

/** Whether the caller has what it asks for: one of its entity tags is ours, or it takes any (RFC 9110, section 13.1.2). */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some(tag => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false

const savedAs = ({ output }: Job) => ({
  disposition: attachment(output?.fileName ?? 'output'),
  contentType: output?.contentType ?? 'application/octet-stream',
})

/** Sends a job's output as a file to save, or redirects the caller if the storage serves it itself. */
export async function sendOutput(
  job: Job,
  services: Services,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const link = await services.jobs.linkToOutput(job, savedAs(job))
  return link === undefined ? sendBytes(job, services, headers, reply) : reply.redirect(link)
}

/**
 * Sends a job's output as a file to save. An interrupted download can resume with a Range header (RFC 9110, section 14); the output of a
 * job never changes, so its id is its entity tag.
 */
export async function sendBytes(
  job: Job,
  services: Services,
  headers: FastifyRequest['headers'],
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = `"${job.id}"`
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).header('etag', etag).send()
  const isSame = (headers['if-range'] ?? etag) === etag
  const range = isSame ? rangeOf(headers.range, job.outputBytes) : undefined
  const opened = range === null ? undefined : await services.jobs.openOutput(job, range)
  sayRange(reply, range, job.outputBytes)
  if (!opened) return reply.send()
  return reply
    .headers({ 'accept-ranges': 'bytes', etag })
    .header('content-disposition', savedAs(job).disposition)
    .header('content-length', opened.bytes)
    .type(savedAs(job).contentType)
    .send(opened.stream)
}
