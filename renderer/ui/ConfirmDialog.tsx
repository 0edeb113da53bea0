import { Button } from '@mantine/core'
import { text } from '../messages/text.ts'
import classes from './Dialog.module.css'
import { Dialog } from './Dialog.tsx'
import { useAction } from './useAction.ts'

interface Props {
  opened: boolean
  title: string
  /** What will happen. */
  explanation: string
  /** Label of the button that does it. */
  confirm: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something that cannot be undone; closes itself once it is done, and stays with a notice if it fails. */
export function ConfirmDialog({ opened, title, explanation, confirm, onConfirm, onClose }: Props) {
  const { busy, act } = useAction()
  const run = () =>
    act(async () => {
      await onConfirm()
      onClose()
    })
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <p className={classes.text}>{explanation}</p>
      <div className={classes.choice}>
        <Button variant="default" onClick={onClose}>
          {text('common.cancel')}
        </Button>
        <Button color="brick" loading={busy} onClick={run}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
