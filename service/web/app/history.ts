import { withoutSecrets } from '../../convert/catalogue/options.ts'
import { RequestError } from '../../shared/errors.ts'
import type { FileRecord } from '../../store/interfaces/files.ts'
import type { HistoryFilter } from '../../store/interfaces/history.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { jobBlobs } from '../../store/interfaces/keys.ts'
import { examine } from '../../work/intake/examine.ts'
import { receiveLocal } from '../../work/intake/source.ts'
import { checkUnchanged, fileGone } from '../../work/intake/staged.ts'
import type { UploadedFile } from '../../work/intake/upload.ts'
import { forRole } from '../http/access.ts'
import { boolean, object, optional, type Routes } from '../http/schema.ts'
import { ById, PageQuery } from '../http/shapes.ts'
import { periodOf } from '../http/times.ts'
import type { Services } from '../services.ts'
import {
  type AppJob,
  type HistoryPage,
  HistoryQuery,
  type Program,
  type Reopened,
  type TargetChoice,
} from './types.ts'
import { appJobs, stagedFile, targetsOf } from './views.ts'

const DAY_MS = 24 * 3600_000

const HistoryPageQuery = object({
  ...PageQuery.properties,
  ...HistoryQuery.properties,
  /** Whether one row stands for the files of a batch. */
  isFolded: optional(boolean()),
})

/** The history of conversions, and the activity of programs. */
export function historyRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  const { jobs, stores } = services

  member.get(
    '/app/history',
    { schema: { querystring: HistoryPageQuery } },
    async ({ caller: { accountId }, query }): Promise<HistoryPage> => {
      const { before = null, limit = 50, isFolded, ...wanted } = query
      const filter = filterOf(wanted)
      const rows = await stores.history.list(accountId, filter, before, limit, isFolded)
      const jobs = rows.map(({ job }) => job)
      const shown = await appJobs(jobs, services)
      return {
        items: rows.map(({ job: _, ...row }, index) => ({ ...shown[index]!, ...row })),
        next: rows.length === limit ? String(rows.at(-1)?.job.seq) : null,
        total: before === null ? await stores.history.count(accountId, filter) : null,
      }
    },
  )

  member.get(
    '/app/history/:id/attempts',
    { schema: { params: ById } },
    async ({ caller: { accountId }, params: { id } }): Promise<AppJob[]> => {
      const attempts = await stores.history.attempts(accountId, id)
      if (attempts.length === 0) throw new RequestError('jobs.not_found')
      return appJobs(attempts, services)
    },
  )

  member.get(
    '/app/history/:id/targets',
    { schema: { params: ById } },
    async ({ caller: { accountId }, params: { id } }): Promise<TargetChoice[]> => {
      const job = await jobs.get(id, accountId)
      const staged = await stagedInputOf(job, services)
      if (staged) return targetsOf(staged, services)
      const file = await localInputOf(job, services)
      return targetsOf({ bytes: file.bytes, ...(await examine(services, file, { accountId })) }, services)
    },
  )

  member.post('/app/history/:id/reopen', { schema: { params: ById } }, async (request, reply) => {
    const job = await jobs.get(request.params.id, request.caller.accountId)
    const declared = services.catalogue.byJob(job.job)?.options ?? {}
    const reopened: Reopened = {
      file: stagedFile(await inputOf(job, services), services),
      target: job.targetKey,
      options: withoutSecrets(job.options, declared),
    }
    return reply.code(201).send(reopened)
  })

  member.delete('/app/history/:id', { schema: { params: ById } }, async request => {
    const { accountId } = request.caller
    const { id } = await jobs.get(request.params.id, accountId)
    const removed = await stores.history.remove(accountId, [id])
    if (removed.length === 0) throw new RequestError('jobs.not_deletable')
    await purge(removed, accountId, services)
  })

  member.post(
    '/app/history/clear',
    { schema: { body: HistoryQuery } },
    async ({ caller: { accountId }, body }) => {
      const removed = await stores.history.clear(accountId, filterOf(body))
      await purge(removed, accountId, services)
      return { removed: removed.length }
    },
  )

  member.get('/app/programs', async ({ caller }): Promise<Program[]> => {
    const programs = await stores.history.programs(caller.accountId, stores.jobs.now() - DAY_MS)
    return programs.map(program => ({ ...program, lastAt: new Date(program.lastAt).toISOString() }))
  })
}

const filterOf = (query: HistoryQuery): HistoryFilter => ({ ...query, ...periodOf(query) })

/** Deletes the files of removed jobs, and publishes their removal. */
async function purge(
  ids: readonly string[],
  accountId: string,
  { cleanup, stores }: Services,
): Promise<void> {
  for (const id of ids) {
    await cleanup.blobs(jobBlobs.all(id))
    stores.events.publish({ type: 'job-removed', accountId, jobId: id })
  }
}

/**
 * The input of a job as a staged file: the one it was made from, or the file of this machine, which is staged again.
 * @throws RequestError request.no_files if it no longer exists
 */
async function inputOf(job: Job, services: Services): Promise<FileRecord> {
  const staged = await stagedInputOf(job, services)
  if (staged) return staged
  const file = await localInputOf(job, services)
  const known = await examine(services, file, { accountId: job.accountId })
  return await services.files.addLocal(job.accountId, file, known)
}

/** The staged file that a job was made from, if it is still there. */
async function stagedInputOf(job: Job, { files }: Services): Promise<FileRecord | undefined> {
  const staged = job.fileId === null ? undefined : await files.use(job.fileId, job.accountId)
  if (staged) await checkUnchanged(staged)
  return staged
}

/**
 * The file of this machine that a job was made from.
 * @throws RequestError request.no_files if it no longer exists
 */
async function localInputOf({ origin, inputSource }: Job, { config }: Services): Promise<UploadedFile> {
  if (origin !== 'app' || inputSource.kind !== 'path') throw fileGone()
  return (await receiveLocal({ path: inputSource.path }, config)).file
}
