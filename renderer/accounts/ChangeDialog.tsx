import { Button } from '@mantine/core'
import { useState } from 'react'
import type { TeamAccount } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import dialog from '../ui/Dialog.module.css'
import { Dialog } from '../ui/Dialog.tsx'
import { useAction } from '../ui/useAction.ts'
import { enteredLimits, LimitFields, type Limits } from './LimitFields.tsx'
import { MOST_CREDITS } from './NewAccountDialog.tsx'
import { NumberField } from './NumberField.tsx'
import { useAccounts } from './store.ts'

interface Props {
  account: TeamAccount | null
  onClose: () => void
}

/** Changes the limits of an account, and gives it credits. */
export function ChangeDialog({ account, onClose }: Props) {
  return (
    <Dialog
      opened={account !== null}
      onClose={onClose}
      title={text('accounts.changeTitle', { name: account?.name ?? '' })}
    >
      {account && <ChangeForm account={account} onClose={onClose} />}
    </Dialog>
  )
}

function ChangeForm({ account, onClose }: { account: TeamAccount; onClose: () => void }) {
  const [credits, setCredits] = useState<number>()
  const [limits, setLimits] = useState<Limits>({ running: account.running, open: account.open })
  const { busy, act } = useAction()
  const save = () =>
    act(async () => {
      // Limits that were not touched stay the usual ones, whatever those become.
      const { running, open } = limits
      const changed = {
        running: running === account.running ? undefined : running,
        open: open === account.open ? undefined : open,
      }
      await useAccounts
        .getState()
        .change(account.id, { ...enteredLimits(changed), ...(credits ? { credits } : {}) })
      onClose()
    })
  return (
    <form
      className={dialog.form}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <NumberField
        label={text('accounts.addCredits')}
        description={text('accounts.addCreditsHint', { credits: account.credits })}
        least={0}
        most={MOST_CREDITS}
        value={credits}
        onChange={setCredits}
        focused
      />
      <LimitFields value={limits} onChange={setLimits} />
      <Button type="submit" fullWidth loading={busy}>
        {text('accounts.save')}
      </Button>
    </form>
  )
}
