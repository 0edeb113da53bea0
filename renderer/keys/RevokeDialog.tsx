import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey } from '../../service/app/types.ts'
import { messages } from '../messages.ts'
import { tell, tellProblem } from '../ui/notify.ts'
import classes from './Dialogs.module.css'
import { useKeys } from './store.ts'

interface Props {
  apiKey: ApiKey | null
  onClose: () => void
}

export function RevokeDialog({ apiKey, onClose }: Props) {
  const [busy, setBusy] = useState(false)
  const words = messages.keys
  const revoke = async () => {
    if (!apiKey) return
    setBusy(true)
    try {
      await useKeys.getState().revoke(apiKey.id)
      tell(words.revoked(apiKey.name))
      onClose()
    } catch (error) {
      tellProblem(error)
    } finally {
      setBusy(false)
    }
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
