import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAdjustments, IconFolderSearch, IconRefresh, IconTrash, IconX } from '@tabler/icons-react'
import type { HistoryRow } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { desktop } from '../api/desktop.ts'
import { showReopened } from '../convert/state/actions.ts'
import { isActive } from '../jobs/known.ts'
import { resultName } from '../jobs/output.ts'
import { SaveLink } from '../jobs/SaveLink.tsx'
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

interface Props {
  row: HistoryRow
}

const symbol = (Icon: typeof IconX) => <Icon size={18} stroke={1.8} aria-hidden="true" />

/** Opens the input on the Convert screen, with its target and options, or reports why it is gone. */
async function edit({ id, inputName }: HistoryRow): Promise<void> {
  await showReopened(await api.reopen(id))
  goTo('convert')
  notify(text('history.reopened', { name: inputName }))
}

/** Removes a row, with ten seconds to undo it. */
function remove({ id, inputName }: HistoryRow): void {
  removals.start(id)
  const notice = notifications.show({
    color: 'pine',
    autoClose: UNDO_MS,
    closeButtonProps: { 'aria-label': text('app.closeNotification') },
    message: (
      <>
        {text('history.removed', { name: inputName })}{' '}
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            removals.undo(id)
            notifications.hide(notice)
          }}
        >
          {text('history.undo')}
        </Button>
      </>
    ),
  })
}

/** The actions for a row of the history. */
export function HistoryActions({ row }: Props) {
  const { busy, act } = useAction()
  const now = useNow()
  const name = row.inputName
  const { reveal } = desktop()
  const { savedTo, output } = row
  if (isActive(row)) {
    return (
      <div className={classes.actions}>
        <div className={classes.icons}>
          <IconAction
            label={text('jobs.cancel', { name })}
            symbol={symbol(IconX)}
            disabled={busy}
            onClick={() => void act(() => useJobs.getState().cancel(row.id))}
          />
        </div>
      </div>
    )
  }
  const isKept = output !== null && Date.parse(row.expiresAt ?? '') > now
  return (
    <div className={classes.actions}>
      <div className={classes.buttons}>
        {isKept && <SaveLink jobId={row.id} fileName={output.fileName} act={act} />}
        {row.origin === 'app' && <ConvertAs row={row} busy={busy} act={act} />}
      </div>
      <div className={classes.icons}>
        {savedTo !== null && reveal && (
          <IconAction
            label={text('jobs.showInFolder', { name: resultName(row) ?? name })}
            symbol={symbol(IconFolderSearch)}
            disabled={busy}
            onClick={() => void act(() => reveal(savedTo))}
          />
        )}
        {row.canRetry && (
          <IconAction
            label={text('history.again', { name })}
            symbol={symbol(IconRefresh)}
            disabled={busy}
            onClick={() => void act(() => useJobs.getState().retry(row.id))}
          />
        )}
        {row.origin === 'app' && (
          <IconAction
            label={text('history.edit', { name })}
            symbol={symbol(IconAdjustments)}
            disabled={busy}
            onClick={() => void act(() => edit(row))}
          />
        )}
        <IconAction
          label={text('history.remove', { name })}
          symbol={symbol(IconTrash)}
          disabled={busy}
          onClick={() => remove(row)}
        />
      </div>
    </div>
  )
}
