import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../../store/interfaces/blobs.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import type { Services } from '../services.ts'
import { sendInRanges } from './ranges.ts'
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
  const { contentType: type, disposition } = savedAs(job)
  const open = async (range: ByteRange | undefined) => {
    const { stream } = await services.jobs.openOutput(job, range)
    reply.headers({ etag, 'content-disposition': disposition })
    return stream
  }
  return sendInRanges({ bytes: job.outputBytes, type, open }, isSame ? headers.range : undefined, reply)
}
