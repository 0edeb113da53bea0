import { resultOf } from '../convert/state/submit/totals.ts'
import { isActive, isOpen } from '../jobs/known.ts'
import type { JobsState } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { formatName } from '../session/format-name.ts'
import { notify } from '../ui/notifications/notify.ts'
import { pageOfHash } from '../ui/route.ts'

/** A result to announce. */
export interface Finished {
  /** Of the batch or the job; a batch that got more files after its end ends again. */
  id: string
  /** What it was; null for several things at once. */
  title: string | null
  succeeded: number
  failed: number
}

/** Batches that were open and have now ended by themselves, if both states are known. */
export function finishedBatches(before: JobsState['batches'], after: JobsState['batches']): Finished[] {
  const wasOpen = (id: string) => {
    const known = before.get(id)
    return known !== undefined && isOpen(known)
  }
  return [...after.values()]
    .filter(({ id, state }) => state === 'done' && wasOpen(id))
    .map(({ id, source, targetLabel, counts: { succeeded, failed } }) => ({
      id,
      title: text('batches.finishedTitle', { from: formatName(source), to: targetLabel }),
      succeeded,
      failed,
    }))
    .filter(({ succeeded, failed }) => succeeded + failed > 0)
}

/** The app's own jobs outside batches (those that were converted again) that have now ended. */
export function finishedJobs(before: JobsState['jobs'], after: JobsState['jobs']): Finished[] {
  const finished: Finished[] = []
  for (const job of after.values()) {
    const known = before.get(job.id)
    if (!known || !isActive(known) || isActive(job)) continue
    if (job.batchId !== null || job.origin !== 'app' || job.status === 'Canceled') continue
    const failed = Number(job.status === 'Failed')
    finished.push({ id: job.id, title: job.inputName, succeeded: 1 - failed, failed })
  }
  return finished
}

/** Several results as one. */
export const together = (finished: readonly Finished[]): Omit<Finished, 'id'> => ({
  title: finished.length === 1 ? (finished[0]?.title ?? null) : null,
  succeeded: finished.reduce((sum, { succeeded }) => sum + succeeded, 0),
  failed: finished.reduce((sum, { failed }) => sum + failed, 0),
})

/** Whether anything is converted now; what is paused waits for somebody. */
export const isRunning = ({ batches, jobs }: Pick<JobsState, 'batches' | 'jobs'>): boolean =>
  batches.values().some(({ state }) => state === 'active') ||
  jobs.values().some(job => job.batchId === null && job.origin === 'app' && isActive(job))

/**
 * Notifies the person in the window that something has finished. The desktop shell notifies people who look elsewhere.
 */
export function announce({ title, succeeded, failed }: Omit<Finished, 'id'>): void {
  // The main screen shows it anyway.
  if (pageOfHash(location.hash) === 'convert') return
  notify(resultOf({ succeeded, failed }), title ?? undefined, failed > 0)
}
