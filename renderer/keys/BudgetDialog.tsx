import { useState } from 'react'
import type { ApiKey } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { DialogForm } from '../ui/dialog/DialogForm.tsx'
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
  return (
    <DialogForm
      submit={text('common.save')}
      onSubmit={() => useKeys.getState().setBudget(apiKey.id, budget)}
      onDone={onClose}
    >
      {() => <BudgetField value={budget} onChange={setBudget} focused />}
    </DialogForm>
  )
}
