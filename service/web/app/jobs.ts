import { lstat } from 'node:fs/promises'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { portableName } from '../../shared/names/names.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { renameResult } from '../../work/batches/renaming.ts'
import { prepareStaged } from '../../work/intake/prepare.ts'
import { forRole } from '../http/access.ts'
import { archiveOf } from '../http/archive.ts'
import { attachment } from '../http/replies.ts'
import { object, type Routes, string } from '../http/schema.ts'
import { ById, PageQuery } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import type { AppJob, Page } from './types.ts'
import { appJob, appJobs } from './views.ts'

/** The name that a result is to have, without its suffix. */
const NewName = object({ name: string({ minLength: 1, maxLength: 255 }) })

/** Whether a path is a file, or the folder of several, rather than a link that somebody put in its place. */
const isResult = (path: string): Promise<boolean> =>
  lstat(path).then(
    found => found.isFile() || found.isDirectory(),
    () => false,
  )

/** The jobs in a list of ids that still exist: a deleted one does not block access to the others. */
async function existing({ jobs }: Services, ids: string, accountId: string): Promise<Job[]> {
  const found = await Promise.all(
    ids.split(',').map(id =>
      jobs.get(id, accountId).catch(error => {
        if (error instanceof RequestError && error.code === 'jobs.not_found') return null
        throw error
      }),
    ),
  )
  return found.filter(job => job !== null)
}

/** Jobs as the app submits and shows them. */
export function appJobRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  const owner = forRole('owner', app)
  const { jobs } = services

  member.post('/app/jobs/:id/retry', { schema: { params: ById } }, async (request, reply) => {
    const job = await repeat(await jobs.get(request.params.id, request.caller.accountId), services)
    return reply.code(202).send(await appJob(job, services))
  })

  member.patch(
    '/app/jobs/:id',
    { schema: { params: ById, body: NewName } },
    async ({ params, body, caller }): Promise<AppJob> => {
      const job = await jobs.get(params.id, caller.accountId)
      return appJob(await renameResult(services.stores, job, body.name), services)
    },
  )

  member.get('/app/jobs', { schema: { querystring: PageQuery } }, async (request): Promise<Page<AppJob>> => {
    const { before = null, limit = 50 } = request.query
    const found = await services.stores.jobs.list(request.caller.accountId, before, limit)
    const next = found.length === limit ? String(found.at(-1)?.seq) : null
    return { items: await appJobs(found, services), next }
  })

  owner.get(
    '/app/saved',
    { schema: { querystring: object({ ids: string({ minLength: 1, maxLength: 8000 }) }) } },
    async ({ query, caller }): Promise<string[]> => {
      const found = await existing(services, query.ids, caller.accountId)
      const paths = found.flatMap(({ savedTo }) => savedTo ?? [])
      const areThere = await Promise.all(paths.map(isResult))
      return paths.filter((_, index) => areThere[index])
    },
  )

  member.get(
    '/app/download',
    { schema: { querystring: object({ ids: string({ minLength: 1 }) }) } },
    async (request, reply) => {
      const wanted = await existing(services, request.query.ids, request.caller.accountId)
      const ready = wanted.filter(job => jobs.hasOutput(job))
      if (ready.length === 0) throw new RequestError('jobs.expired', message('jobs.all_expired'))
      const members = ready.map(job => ({
        name: portableName(job.output?.fileName ?? 'output'),
        open: () =>
          jobs.openOutput(job).then(
            ({ stream }) => stream,
            () => undefined,
          ),
      }))
      return reply
        .header('content-disposition', attachment('refile.zip'))
        .type('application/zip')
        .send(archiveOf(members))
    },
  )
}

/** Submits again what a job converted. */
async function repeat(
  { id, accountId, fileId, targetKey: targetFormat, options, furtherSteps: steps }: Job,
  services: Services,
): Promise<Job> {
  const staged = await services.files.unchanged(fileId ?? '', accountId)
  const furtherSteps = steps.map(({ targetKey, options }) => ({ targetFormat: targetKey, options }))
  const wanted = { accountId, origin: 'app', targetFormat, options, furtherSteps } as const
  const job = prepareStaged(services, staged, wanted)
  return services.jobs.submit({ ...job, inputSource: staged.source, retryOf: id }, key =>
    services.files.copyTo(staged, key),
  )
}
