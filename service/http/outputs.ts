import type { FastifyReply } from 'fastify'
import type { Services } from '../services.ts'
import type { Job } from '../stores/jobs.ts'
import { attachment } from './replies.ts'

/** Sends a job's output as a file to save. */
export async function sendOutput(job: Job, services: Services, reply: FastifyReply): Promise<FastifyReply> {
  const { stream, bytes } = await services.jobs.openOutput(job)
  return reply
    .header('content-disposition', attachment(job.output?.fileName ?? 'output'))
    .header('content-length', bytes)
    .type(job.output?.contentType ?? 'application/octet-stream')
    .send(stream)
}
