import type { FastifyReply } from 'fastify'
import type { Services } from '../services.ts'
import type { Job } from '../stores/jobs.ts'
import { attachment } from './replies.ts'

/** Sends a job's output as a file to save, or the caller to where the storage gives it out itself. */
export async function sendOutput(job: Job, services: Services, reply: FastifyReply): Promise<FastifyReply> {
  const disposition = attachment(job.output?.fileName ?? 'output')
  const contentType = job.output?.contentType ?? 'application/octet-stream'
  const link = await services.jobs.linkToOutput(job, { disposition, contentType })
  if (link !== undefined) return reply.redirect(link)
  const { stream, bytes } = await services.jobs.openOutput(job)
  return reply
    .header('content-disposition', disposition)
    .header('content-length', bytes)
    .type(contentType)
    .send(stream)
}
