import { IconFolderSearch, IconRefresh, IconTrash, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AppJob } from '../../service/web/app/types.ts'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import { IconAction } from '../ui/IconAction.tsx'
import { useAction } from '../ui/useAction.ts'
import { useNow } from '../ui/useNow.ts'
import classes from './JobActions.module.css'
import { isActive } from './known.ts'
import { hasOutput, resultName } from './output.ts'
import { SaveLink } from './SaveLink.tsx'
import { useJobs } from './store.ts'

interface Props {
  job: AppJob
  onRemoved: ((id: string) => void) | undefined
}

/** The actions available for a job in its current state. */
export function JobActions({ job, onRemoved }: Props) {
  const { busy, act } = useAction()
  const now = useNow()
  const { cancel, retry, remove } = useJobs.getState()
  const name = job.inputName

  const icon = (label: string, symbol: ReactNode, action: () => Promise<void>) => (
    <IconAction label={label} symbol={symbol} disabled={busy} onClick={() => void act(action)} />
  )

  if (isActive(job)) {
    return (
      <div className={classes.actions}>
        {icon(text('jobs.cancel', { name }), <IconX size={18} stroke={1.8} aria-hidden="true" />, () =>
          cancel(job.id),
        )}
      </div>
    )
  }
  const { savedTo } = job
  const { reveal } = desktop()
  return (
    <div className={classes.actions}>
      {savedTo !== null &&
        reveal &&
        icon(
          text('jobs.showInFolder', { name: resultName(job) ?? name }),
          <IconFolderSearch size={18} stroke={1.8} aria-hidden="true" />,
          () => reveal(savedTo),
        )}
      {job.output && hasOutput(job, now) && (
        <SaveLink jobId={job.id} fileName={job.output.fileName} act={act} />
      )}
      {job.canRetry &&
        icon(text('jobs.retry', { name }), <IconRefresh size={18} stroke={1.8} aria-hidden="true" />, () =>
          retry(job.id),
        )}
      {icon(
        text('jobs.remove', { name }),
        <IconTrash size={18} stroke={1.7} aria-hidden="true" />,
        async () => {
          await remove(job.id)
          onRemoved?.(job.id)
        },
      )}
    </div>
  )
}
