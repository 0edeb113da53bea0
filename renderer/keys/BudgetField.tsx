import { text } from '../messages/text.ts'
import { NumberField } from '../ui/NumberField.tsx'

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
