import { render } from '../../shared/messages/render.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { errorInWords, isTerminal } from '../../work/jobs/job.ts'
import { forRole } from '../http/access.ts'
import { integer, nothing, object, optional, type Routes, string } from '../http/schema.ts'
import { streamEvents } from '../http/server-sent-events.ts'
import { periodOf } from '../http/times.ts'
import type { Services } from '../services.ts'
import { JobList, JobStatusResponse, jobStatus } from './shapes.ts'

/** How many jobs a page has, unless another number is asked for. */
const PAGE = 50
const querystring = object({
  status: optional(jobStatus),
  since: optional(string({ description: 'Submitted from this time on, such as 2026-11-22T08:00:00Z.' })),
  cursor: optional(integer({ minimum: 0, description: 'What `next` of the page before says.' })),
  limit: optional(integer({ minimum: 1, maximum: 200 })),
})
const params = object({ id: string({ description: 'Job id, a GUID of version 7.' }) })

/** The endpoints of one job: status, cancel, delete, live events. */
export function jobRoutes(app: Routes, services: Services): void {
  const account = forRole('account', app)
  const { jobs, stores } = services

  account.get(
    '/convert/jobs',
    {
      schema: {
        summary: 'List jobs',
        description:
          'The jobs that were submitted with this key, newest first. `next` is the `cursor` of the jobs after these; null at the end.',
        operationId: 'listJobs',
        querystring,
        response: { 200: JobList },
      },
    },
    async ({ caller: { accountId, keyId }, query: { status, since, cursor, limit = PAGE } }) => {
      const filter = { status, keyId: keyId ?? undefined, since: periodOf({ from: since }).from }
      const found = await stores.jobs.list(accountId, cursor ?? null, limit, filter)
      return {
        jobs: found.map(job => ({
          ...statusOf(job, services),
          job: job.job,
          fileName: job.inputName,
          createdAt: new Date(job.createdAt).toISOString(),
          finishedAt: job.finishedAt === null ? null : new Date(job.finishedAt).toISOString(),
        })),
        next: found.length === limit ? (found.at(-1)?.seq ?? null) : null,
      }
    },
  )

  account.get(
    '/convert/job/:id',
    {
      schema: {
        summary: 'Status of a job',
        description:
          'Poll every 1 or 2 seconds for images, every 3 to 5 seconds for documents and recordings.',
        operationId: 'getJob',
        params,
        response: { 200: JobStatusResponse },
      },
    },
    async request => statusOf(await jobs.get(request.params.id, request.caller.accountId), services),
  )

  account.post(
    '/convert/job/:id/cancel',
    {
      schema: {
        summary: 'Cancel a job',
        description: 'Stops a queued or running job and refunds its credits.',
        operationId: 'cancelJob',
        params,
        response: { 202: nothing() },
      },
    },
    async (request, reply) => {
      await jobs.cancel(request.params.id, request.caller.accountId)
      return reply.header('location', `/convert/job/${request.params.id}`).code(202).send()
    },
  )

  account.delete(
    '/convert/job/:id',
    {
      schema: {
        summary: 'Delete a finished job',
        description: 'Removes the job and its output at once.',
        operationId: 'deleteJob',
        params,
        response: { 204: nothing() },
      },
    },
    async request => {
      await jobs.remove(request.params.id, request.caller.accountId)
    },
  )

  account.get(
    '/convert/job/:id/events',
    {
      schema: {
        summary: 'Follow a job live',
        description:
          'Server-sent events named `job`, each the status of the job with its live percentage, until the job ends.',
        operationId: 'watchJob',
        params,
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      let current = await jobs.get(request.params.id, accountId)
      const { id } = current
      const stream = streamEvents(request, reply)
      const push = async (isProgress = false) => {
        // Progress changes nothing of a running job that is stored.
        if (!isProgress || current.status !== 'Running') current = await jobs.get(id, accountId)
        const live = jobs.live(current)
        const status = statusOf(current, services)
        const percent = live?.percent ?? status.progress.percent
        stream.send('job', { ...status, progress: { ...status.progress, percent, eta: live?.eta ?? null } })
        if (isTerminal(current.status)) stream.end()
      }
      stream.queue(() => push())
      const unsubscribe = stores.events.subscribe(event => {
        if ((event.type !== 'job' && event.type !== 'progress') || event.jobId !== id) return
        const isProgress = event.type === 'progress' && event.progress !== null
        stream.queue(() => push(isProgress))
      })
      stream.onClose(unsubscribe)
    },
  )
}

/** A job as the contract shows it: without live progress, and with an output only while it can be downloaded. */
export function statusOf(job: Job, services: Services): JobStatusResponse {
  const ended = isTerminal(job.status)
  const live = services.jobs.live(job)
  const phase = ended ? null : (live?.phase ?? 'preparing')
  const warnings = (live?.warnings ?? job.warnings).map(warning => render(warning))
  return {
    id: job.id,
    status: job.status,
    progress: { percent: job.status === 'Succeeded' ? 100 : 0, phase },
    metrics: {
      inputBytes: ended ? job.inputBytes : 0,
      outputBytes: ended ? job.outputBytes : 0,
      creditCost: job.creditCost,
    },
    error: job.status === 'Failed' ? errorInWords(job) : null,
    output: services.jobs.hasOutput(job) ? job.output : null,
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}
