import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import dialog from '../ui/Dialog.module.css'
import { Dialog } from '../ui/Dialog.tsx'
import { useAction } from '../ui/useAction.ts'
import { BudgetField } from './BudgetField.tsx'
import { useKeys } from './store.ts'

interface Props {
  apiKey: ApiKey | null
  onClose: () => void
}

/** Changes the monthly budget of a key. */
export function BudgetDialog({ apiKey, onClose }: Props) {
  return (
    <Dialog
      opened={apiKey !== null}
      onClose={onClose}
      title={text('keys.budgetTitle', { name: apiKey?.name ?? '' })}
    >
      {apiKey && <BudgetForm apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  )
}

function BudgetForm({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [budget, setBudget] = useState(apiKey.monthlyBudget)
  const { busy, act } = useAction()
  const save = () =>
    act(async () => {
      await useKeys.getState().setBudget(apiKey.id, budget)
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
      <BudgetField value={budget} onChange={setBudget} focused />
      <Button type="submit" fullWidth loading={busy}>
        {text('keys.budgetSave')}
      </Button>
    </form>
  )
}
