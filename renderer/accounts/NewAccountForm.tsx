import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../messages/text.ts'
import { DialogForm } from '../ui/dialog/DialogForm.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { LimitFields, type Limits } from './LimitFields.tsx'
import { useAccounts } from './store.ts'

export function NewAccountForm({ onClose }: { onClose: () => void }) {
  const accounts = useAccounts(state => state.value)
  const [typed, setTyped] = useState('')
  const [credits, setCredits] = useState<number>()
  const [limits, setLimits] = useState<Limits>({})
  const name = typed.trim()
  const isTaken = accounts?.some(account => account.closed === null && account.name === name) ?? false
  const problem = name === '' ? 'accounts.nameRequired' : isTaken ? 'accounts.nameTaken' : undefined

  // JSON drops what was not entered.
  const create = () => useAccounts.getState().create({ name, ...limits, credits })

  return (
    <DialogForm
      submit={text('accounts.create')}
      isComplete={problem === undefined}
      onSubmit={create}
      onDone={onClose}
    >
      {tried => (
        <>
          <TextInput
            data-autofocus
            label={text('common.name')}
            description={text('accounts.nameHint')}
            maxLength={200}
            value={typed}
            error={tried && problem ? text(problem) : undefined}
            onChange={event => setTyped(event.currentTarget.value)}
          />
          <NumberField
            label={text('accounts.firstCredits')}
            description={text('accounts.firstCreditsHint')}
            least={0}
            most={MOST_CREDITS}
            value={credits}
            onChange={setCredits}
          />
          <LimitFields value={limits} onChange={setLimits} />
        </>
      )}
    </DialogForm>
  )
}

/** The most that can be given at once. */
export const MOST_CREDITS = 1_000_000_000
