import { useState } from 'react'
import type { TeamAccount } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { DialogForm } from '../ui/dialog/DialogForm.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { LimitFields, type Limits } from './LimitFields.tsx'
import { MOST_CREDITS } from './NewAccountForm.tsx'
import { useAccounts } from './store.ts'

/** Changes the limits of an account, and gives it credits. */
export function ChangeForm({ account, onClose }: { account: TeamAccount; onClose: () => void }) {
  const [credits, setCredits] = useState<number>()
  const [limits, setLimits] = useState<Limits>({ running: account.running, open: account.open })
  const save = () => {
    // Limits that were not touched stay the usual ones, whatever those become.
    const { running, open } = limits
    return useAccounts.getState().change(account.id, {
      running: running === account.running ? undefined : running,
      open: open === account.open ? undefined : open,
      credits,
    })
  }
  return (
    <DialogForm submit={text('common.save')} onSubmit={save} onDone={onClose}>
      {() => (
        <>
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
        </>
      )}
    </DialogForm>
  )
}
