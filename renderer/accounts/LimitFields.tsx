import { text } from '../messages/text.ts'
import { NumberField } from '../ui/NumberField.tsx'

const MOST = 1_000_000

export interface Limits {
  running?: number | undefined
  open?: number | undefined
}

/** How many jobs of an account run at once, and are open. */
export const LimitFields = ({ value, onChange }: { value: Limits; onChange: (limits: Limits) => void }) => (
  <>
    {(['running', 'open'] as const).map(limit => (
      <NumberField
        key={limit}
        label={text(`accounts.${limit}`)}
        description={text(`accounts.${limit}Hint`)}
        least={1}
        most={MOST}
        value={value[limit]}
        onChange={entered => onChange({ ...value, [limit]: entered })}
      />
    ))}
  </>
)
