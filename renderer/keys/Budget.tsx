import { useState } from 'react'
import type { ApiKey } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { DialogForm } from '../ui/dialog/DialogForm.tsx'
import { NumberField } from '../ui/NumberField.tsx'
import { useKeys } from './store.ts'

const MOST = 1_000_000_000

interface Props {
  /** Credits; null for no limit. */
  value: number | null
  onChange: (value: number | null) => void
  focused?: boolean
}

/** The monthly budget of a key. */
export const BudgetField = ({ value, onChange, focused = false }: Props) => (
  <NumberField
    label={text('keys.budget')}
    description={text('keys.budgetHint')}
    least={0}
    most={MOST}
    value={value ?? undefined}
    onChange={entered => onChange(entered ?? null)}
    focused={focused}
  />
)

/** Changes the monthly budget of a key. */
export function BudgetForm({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
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
