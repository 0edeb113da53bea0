import { setTimeout as pause } from 'node:timers/promises'
import type { Funds } from '../../accounts/funds.ts'
import { JobFailure, RequestError } from '../../shared/errors.ts'
import { render } from '../../shared/messages/render.ts'
import type { BlobStore } from '../../store/interfaces/blobs.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { jobBlobs } from '../../store/interfaces/keys.ts'
import { sourceAt } from '../../store/interfaces/source.ts'
import type { Converter } from '../../watch/converter.ts'
import { type PrepareParts, prepare } from '../intake/prepare.ts'
import { receiveLocal, type SourceParts } from '../intake/source.ts'
import type { Jobs } from '../jobs/jobs.ts'

export interface ConverterParts extends PrepareParts {
  config: PrepareParts['config'] & SourceParts['config']
  jobs: Jobs
  blobs: BlobStore
  funds: Funds
}

/** How long a job is waited for until it is looked at again. */
const WAIT_MS = 60_000
/** How often a queue that is full is tried again; it empties by itself. */
const FULL_MS = 2_000

/** Converts files of this machine for an account, in this process. */
export const ownConverter = (parts: ConverterParts, accountId: string): Converter => ({
  credits: () => parts.funds.available({ accountId }),

  async convert({ path }, targetFormat, { options, key, signal }) {
    const { jobs } = parts
    const submissionKey = { key: `watch-${key}`, digest: key }
    const before = await jobs.submittedBefore(accountId, submissionKey)
    const request = { accountId, origin: 'app', targetFormat, options } as const
    const { id } = before ?? (await submit(path, request, submissionKey, parts, signal))
    try {
      const job = await ended(jobs, id, accountId, signal)
      const { fileName = '', fileCount = 1 } = job.output ?? {}
      return {
        ...{ fileName, fileCount, warnings: job.warnings.map(warning => render(warning, 'en')) },
        content: async () => (await jobs.openOutput(job)).stream,
        remove: () => jobs.remove(id, accountId),
      }
    } catch (error) {
      if (signal.aborted) await jobs.cancel(id, accountId).catch(() => {})
      throw error
    }
  },
})

async function submit(
  path: string,
  request: Parameters<typeof prepare>[2],
  submissionKey: { key: string; digest: string },
  parts: ConverterParts,
  signal: AbortSignal,
): Promise<Pick<Job, 'id'>> {
  const { jobs, blobs } = parts
  const { file } = await receiveLocal({ path }, parts.config)
  const job = await prepare(parts, file, request, signal)
  for (;;) {
    signal.throwIfAborted()
    const source = await sourceAt(file.path)
    // Its bytes are shared where the disk supports that, and otherwise read where they are.
    const isCloned = await blobs.clone(jobBlobs.input(job.id), file.path)
    try {
      return await jobs.submitOnce(
        { ...job, submissionKey, ...(!isCloned && { inputSource: source }) },
        async () => {},
      )
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== 'queue.limit_exceeded') throw error
    }
    await pause(FULL_MS, undefined, { signal })
  }
}

/** The job, succeeded. @throws an error with the code and reason of one that failed */
async function ended(jobs: Jobs, id: string, accountId: string, signal: AbortSignal): Promise<Job> {
  for (;;) {
    const job = (await jobs.ended(id, WAIT_MS, signal)) ?? (await jobs.get(id, accountId))
    signal.throwIfAborted()
    if (job.status === 'Succeeded') return job
    if (job.status === 'Canceled')
      throw Object.assign(new Error('The job was canceled.'), { code: 'jobs.canceled' })
    if (job.error) throw new JobFailure(job.error.code, job.error.reason)
  }
}
