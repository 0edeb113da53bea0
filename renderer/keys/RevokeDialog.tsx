import type { ApiKey } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { notify } from '../ui/notify.ts'
import { useKeys } from './store.ts'

interface Props {
  apiKey: ApiKey | null
  onClose: () => void
}

export function RevokeDialog({ apiKey, onClose }: Props) {
  const revoke = async () => {
    if (!apiKey) return
    await useKeys.getState().revoke(apiKey.id)
    notify(text('keys.revoked', { name: apiKey.name }))
  }
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      title={text('keys.revokeTitle', { name: apiKey?.name ?? '' })}
      explanation={text('keys.revokeText')}
      confirm={text('keys.revoke')}
      onConfirm={revoke}
      onClose={onClose}
    />
  )
}
