import { Button, Group } from '@mantine/core'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { notify } from '../ui/notifications/notify.ts'
import { useAction } from '../ui/useAction.ts'
import { useHistory } from './store.ts'

interface Props {
  opened: boolean
  total: number
  isFiltered: boolean
  onClose: () => void
}

/** Asks for confirmation before rows are removed permanently. */
export function ClearDialog({ opened, total, isFiltered, onClose }: Props) {
  const { busy, act } = useAction()
  const clear = () =>
    act(async () => {
      const removed = await useHistory.getState().clear()
      notify(text('history.cleared', { removed }))
      onClose()
    })
  return (
    <Dialog opened={opened} onClose={onClose} title={text('history.clearTitle')}>
      <p>{text('history.clearText', { total })}</p>
      {isFiltered && <p>{text('history.clearFiltered')}</p>}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {text('common.cancel')}
        </Button>
        <Button color="brick" loading={busy} onClick={clear}>
          {text('history.clearNow')}
        </Button>
      </Group>
    </Dialog>
  )
}
