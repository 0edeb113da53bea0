import { render } from '../../shared/messages/render.ts'
import type { Delivery } from '../../store/interfaces/webhooks.ts'

/** Constants of the contract. */
const JOB_TYPE = 'convert'
const SITE = 'refile'
const DETAIL_LENGTH = 256

/**
 * The body of a webhook, as the contract defines it.
 * @param downloadUrl where the output can be fetched without a key; unused if the job failed
 */
export function payloadOf({ eventId, jobId, attempts, job }: Delivery, downloadUrl: string): object {
  const { status, output, error, startedAt, finishedAt, expiresAt } = job
  const succeeded = status === 'Succeeded'
  return {
    event: succeeded ? 'job.succeeded' : 'job.failed',
    eventId,
    jobId,
    jobType: JOB_TYPE,
    site: SITE,
    status,
    deliveryAttempt: attempts,
    ...(succeeded && output
      ? { output: { ...output, downloadUrl, expiresAt: new Date(expiresAt ?? finishedAt).toISOString() } }
      : {}),
    ...(error ? { error: { code: error.code, detail: render(error.reason).slice(0, DETAIL_LENGTH) } } : {}),
    metrics: {
      inputBytes: job.inputBytes,
      ...(succeeded ? { outputBytes: job.outputBytes } : {}),
      creditCost: succeeded ? job.creditCost : 0,
      processingTimeMs: startedAt === null ? null : Math.max(0, finishedAt - startedAt),
    },
    ...(job.warnings.length > 0 ? { warnings: job.warnings.map(warning => render(warning)) } : {}),
    completedAt: new Date(finishedAt).toISOString(),
  }
}
