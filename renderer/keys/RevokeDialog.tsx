import { Button } from '@mantine/core'
import type { ApiKey } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { notify } from '../ui/notify.ts'
import { useAction } from '../ui/useAction.ts'
import classes from './Dialogs.module.css'
import { useKeys } from './store.ts'

interface Props {
  apiKey: ApiKey | null
  onClose: () => void
}

export function RevokeDialog({ apiKey, onClose }: Props) {
  const { busy, act } = useAction()
  const revoke = async () => {
    if (!apiKey) return
    await act(async () => {
      await useKeys.getState().revoke(apiKey.id)
      notify(text('keys.revoked', { name: apiKey.name }))
      onClose()
    })
  }
  return (
    <Dialog
      opened={apiKey !== null}
      onClose={onClose}
      title={text('keys.revokeTitle', { name: apiKey?.name ?? '' })}
    >
      <p className={classes.text}>{text('keys.revokeText')}</p>
      <div className={classes.choice}>
        <Button variant="default" onClick={onClose}>
          {text('common.cancel')}
        </Button>
        <Button color="brick" loading={busy} onClick={revoke}>
          {text('keys.revoke')}
        </Button>
      </div>
    </Dialog>
  )
}
