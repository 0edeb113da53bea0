import { Button, Modal } from '@mantine/core'
import type { ApiKey } from '../../service/app/types.ts'
import { messages } from '../messages.ts'
import { tell } from '../ui/notify.ts'
import { useAction } from '../ui/useAction.ts'
import classes from './Dialogs.module.css'
import { useKeys } from './store.ts'

interface Props {
  apiKey: ApiKey | null
  onClose: () => void
}

export function RevokeDialog({ apiKey, onClose }: Props) {
  const { busy, act } = useAction()
  const words = messages.keys
  const revoke = async () => {
    if (!apiKey) return
    await act(async () => {
      await useKeys.getState().revoke(apiKey.id)
      tell(words.revoked(apiKey.name))
      onClose()
    })
  }
  return (
    <Modal
      opened={apiKey !== null}
      onClose={onClose}
      title={words.revokeTitle(apiKey?.name ?? '')}
      closeButtonProps={{ 'aria-label': messages.common.close }}
    >
      <p className={classes.text}>{words.revokeText}</p>
      <div className={classes.choice}>
        <Button variant="default" onClick={onClose}>
          {messages.common.cancel}
        </Button>
        <Button color="brick" loading={busy} onClick={revoke}>
          {words.revoke}
        </Button>
      </div>
    </Modal>
  )
}
