import type { TeamAccount } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { notify } from '../ui/notify.ts'
import { useAccounts } from './store.ts'

interface Props {
  account: TeamAccount | null
  onClose: () => void
}

export function CloseDialog({ account, onClose }: Props) {
  const close = async () => {
    if (!account) return
    await useAccounts.getState().close(account.id)
    notify(text('accounts.wasClosed', { name: account.name }))
  }
  return (
    <ConfirmDialog
      opened={account !== null}
      title={text('accounts.closeTitle', { name: account?.name ?? '' })}
      explanation={text('accounts.closeText')}
      confirm={text('accounts.closeAccount')}
      onConfirm={close}
      onClose={onClose}
    />
  )
}
