import { Button, Group, Text } from '@mantine/core'
import { text } from '../../messages/text.ts'
import { notify } from '../notifications/notify.ts'
import { useAction } from '../useAction.ts'
import { Dialog } from './Dialog.tsx'

interface Props {
  /** Of what it is about; undefined while the dialog is closed. */
  name: string | undefined
  title: (name: string) => string
  /** What will happen. */
  explanation: string
  /** Label of the button that does it. */
  confirm: string
  onConfirm: () => Promise<unknown> | null
  /** What to say once it is done, unless that is said already. */
  done?: (name: string) => string
  onClose: () => void
}

/** Asks before something that cannot be undone; closes itself once it is done, and stays with a notice if it fails. */
export function ConfirmDialog({ name, title, explanation, confirm, onConfirm, done, onClose }: Props) {
  const { busy, act } = useAction()
  const run = () =>
    act(async () => {
      if (name === undefined) return
      await onConfirm()
      if (done) notify(done(name))
      onClose()
    })
  return (
    <Dialog opened={name !== undefined} onClose={onClose} title={title(name ?? '')}>
      <Text c="var(--ink-2)">{explanation}</Text>
      <Group gap={10} justify="flex-end" mt={26}>
        <Button variant="default" onClick={onClose}>
          {text('common.cancel')}
        </Button>
        <Button color="brick" loading={busy} onClick={run}>
          {confirm}
        </Button>
      </Group>
    </Dialog>
  )
}
