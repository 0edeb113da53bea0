import type { AppJob } from '../../service/app/types.ts'
import { desktop } from '../api/desktop.ts'
import { messages } from '../messages.ts'
import { tell } from '../ui/notify.ts'

/** Tells the person that a batch is through: in the window, and by the system when they look elsewhere. */
export function announceFinished(ended: readonly AppJob[]): void {
  const done = ended.filter(job => job.status === 'Succeeded').length
  const failed = ended.filter(job => job.status === 'Failed').length
  if (done + failed === 0) return
  const text = messages.jobs.allDone(done, failed)
  tell(text, messages.jobs.allDoneTitle)
  if (!document.hasFocus()) void desktop().notify?.(messages.jobs.allDoneTitle, text)
}
