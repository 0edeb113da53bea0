import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconAdjustments,
  IconDownload,
  IconFolderSearch,
  IconRefresh,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import type { AppJob } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { desktop } from '../api/desktop.ts'
import { showReopened } from '../convert/state/actions.ts'
import { isActive } from '../jobs/known.ts'
import { hasOutput, resultName } from '../jobs/output.ts'
import { outputUrl } from '../jobs/save.ts'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { IconAction } from '../ui/IconAction.tsx'
import { notify } from '../ui/notifications/notify.ts'
import { goTo } from '../ui/route.ts'
import { useAction } from '../ui/useAction.ts'
import { useNow } from '../ui/useNow.ts'
import { ConvertAs } from './ConvertAs.tsx'
import classes from './HistoryView.module.css'
import { removals, UNDO_MS } from './removals.ts'

/** Opens the input on the Convert screen, with its target and options, or reports why it is gone. */
async function edit({ id, inputName }: AppJob): Promise<void> {
  await showReopened(await api.reopen(id))
  goTo('convert')
  notify(text('history.reopened', { name: inputName }))
}

/** Removes a row, with ten seconds to undo it. */
export function remove(id: string, name: string): void {
  removals.start(id)
  const notice = notifications.show({
    color: 'pine',
    autoClose: UNDO_MS,
    closeButtonProps: { 'aria-label': text('app.closeNotification') },
    message: (
      <>
        {text('history.removed', { name })}{' '}
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            removals.undo(id)
            notifications.hide(notice)
          }}
        >
          {text('common.undo')}
        </Button>
      </>
    ),
  })
}

/** The actions for a job, as the history and the programs show it. */
export function HistoryActions({ row }: { row: AppJob }) {
  const { busy, act } = useAction()
  const now = useNow()
  const name = row.inputName
  const { reveal } = desktop()
  const { savedTo, output } = row
  // The desktop shell asks for a location; a browser follows the link.
  const save = (event: MouseEvent) => {
    const { saveOutput } = desktop()
    if (!saveOutput || !output) return
    event.preventDefault()
    void act(() => saveOutput({ jobId: row.id, fileName: output.fileName }))
  }
  const icon = (label: string, Icon: typeof IconX, action: () => unknown) => (
    <IconAction
      label={label}
      symbol={<Icon size={18} stroke={1.8} aria-hidden="true" />}
      disabled={busy}
      onClick={() => void act(async () => action())}
    />
  )
  if (isActive(row)) {
    return (
      <div className={classes.actions}>
        <div className={classes.icons}>
          {icon(text('jobs.cancel', { name }), IconX, () => useJobs.getState().cancel(row.id))}
        </div>
      </div>
    )
  }
  const result = resultName(row) ?? name
  return (
    <div className={classes.actions}>
      <div className={classes.buttons}>
        {output && hasOutput(row, now) && (
          <Button
            component="a"
            href={outputUrl(row.id)}
            download={output.fileName}
            onClick={save}
            size="xs"
            variant="light"
            leftSection={<IconDownload size={16} stroke={1.9} aria-hidden="true" />}
            aria-label={text('jobs.save', { name: output.fileName })}
          >
            {text('common.save')}
          </Button>
        )}
        {row.origin === 'app' && <ConvertAs row={row} busy={busy} act={act} />}
      </div>
      <div className={classes.icons}>
        {savedTo !== null &&
          reveal &&
          icon(text('jobs.showInFolder', { name: result }), IconFolderSearch, () => reveal(savedTo))}
        {row.canRetry &&
          icon(text('jobs.retry', { name }), IconRefresh, () => useJobs.getState().retry(row.id))}
        {row.origin === 'app' && icon(text('history.edit', { name }), IconAdjustments, () => edit(row))}
        {icon(text('history.remove', { name }), IconTrash, () => remove(row.id, name))}
      </div>
    </div>
  )
}
