import { NumberInput } from '@mantine/core'
import { text } from '../messages/text.ts'

const MOST = 1_000_000_000

interface Props {
  /** Credits; null for no limit. */
  value: number | null
  onChange: (value: number | null) => void
  focused?: boolean
}

/** The monthly budget of a key. */
export const BudgetField = ({ value, onChange, focused = false }: Props) => (
  <NumberInput
    {...(focused ? { 'data-autofocus': true } : {})}
    label={text('keys.budget')}
    description={text('keys.budgetHint')}
    min={0}
    max={MOST}
    allowDecimal={false}
    allowNegative={false}
    thousandSeparator
    value={value ?? ''}
    onChange={typed => onChange(typed === '' ? null : Number(typed))}
  />
)
