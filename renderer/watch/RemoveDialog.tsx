import type { WatchRule } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { notify } from '../ui/notify.ts'
import { nameOf } from './name.ts'
import { useWatch } from './store.ts'

interface Props {
  rule: WatchRule | null
  onClose: () => void
}

export function RemoveDialog({ rule, onClose }: Props) {
  const name = rule ? nameOf(rule) : ''
  const remove = async () => {
    if (!rule) return
    await useWatch.getState().remove(rule.id)
    notify(text('watch.removed', { name }))
  }
  return (
    <ConfirmDialog
      opened={rule !== null}
      title={text('watch.removeTitle', { name })}
      explanation={text('watch.removeText')}
      confirm={text('watch.remove')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
