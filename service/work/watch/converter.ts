import { setTimeout as pause } from 'node:timers/promises'
import type { Funds } from '../../accounts/funds.ts'
import { RequestError } from '../../shared/errors.ts'
import { render } from '../../shared/messages/render.ts'
import type { BlobStore } from '../../store/interfaces/blobs.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { jobBlobs } from '../../store/interfaces/keys.ts'
import { sourceAt } from '../../store/interfaces/source.ts'
import type { Converter, Results } from '../../watch/converter.ts'
import { type PrepareParts, prepare } from '../intake/prepare.ts'
import { receive, type SourceParts } from '../intake/source.ts'
import type { Jobs } from '../jobs/jobs.ts'

export interface ConverterParts extends PrepareParts, Pick<SourceParts, 'incoming' | 'fetcher'> {
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
export class OwnConverter implements Converter {
  readonly #parts: ConverterParts
  readonly #accountId: string

  constructor(parts: ConverterParts, accountId: string) {
    this.#parts = parts
    this.#accountId = accountId
  }

  credits(): Promise<number> {
    return this.#parts.funds.available({ accountId: this.#accountId })
  }

  async convert(
    ...[{ path }, targetFormat, { options, key, signal }]: Parameters<Converter['convert']>
  ): Promise<Results> {
    const { jobs } = this.#parts
    const submissionKey = { key: `watch-${key}`, digest: key }
    const before = await jobs.submittedBefore(this.#accountId, submissionKey)
    const { id } = before ?? (await this.#submit(path, targetFormat, options, submissionKey, signal))
    try {
      const job = await this.#end(id, signal)
      const { fileName = '', fileCount = 1 } = job.output ?? {}
      return {
        ...{ fileName, fileCount, warnings: job.warnings.map(warning => render(warning, 'en')) },
        content: async () => (await jobs.openOutput(job)).stream,
        remove: () => jobs.remove(id, this.#accountId),
      }
    } catch (error) {
      if (signal.aborted) await jobs.cancel(id, this.#accountId).catch(() => {})
      throw error
    }
  }

  async #submit(
    path: string,
    targetFormat: string,
    options: Record<string, unknown>,
    submissionKey: { key: string; digest: string },
    signal: AbortSignal,
  ) {
    const { jobs, blobs } = this.#parts
    await using received = await receive({ kind: 'path', path }, this.#parts)
    const { file } = received
    if (!file) throw new RequestError('request.no_files')
    const request = { accountId: this.#accountId, origin: 'app', targetFormat, options } as const
    const job = await prepare(this.#parts, file, request, signal)
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
  async #end(id: string, signal: AbortSignal): Promise<Job> {
    for (;;) {
      const job =
        (await this.#parts.jobs.ended(id, WAIT_MS, signal)) ??
        (await this.#parts.jobs.get(id, this.#accountId))
      signal.throwIfAborted()
      if (job.status === 'Succeeded') return job
      if (job.status === 'Canceled')
        throw Object.assign(new Error('The job was canceled.'), { code: 'jobs.canceled' })
      if (job.status === 'Failed') {
        const { code = 'jobs.conversion_failed', reason } = job.error ?? {}
        throw Object.assign(new Error(reason ? render(reason, 'en') : 'It failed.'), { code })
      }
    }
  }
}
