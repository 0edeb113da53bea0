import { NumberInput } from '@mantine/core'

interface Props {
  label: string
  description?: string
  least: number
  most: number
  /** Undefined while nothing is entered. */
  value: number | undefined
  onChange: (value: number | undefined) => void
  focused?: boolean
}

/** A whole number that may be left out. */
export const NumberField = ({ label, description, least, most, value, onChange, focused = false }: Props) => (
  <NumberInput
    {...(focused ? { 'data-autofocus': true } : {})}
    label={label}
    description={description}
    min={least}
    max={most}
    allowDecimal={false}
    allowNegative={false}
    thousandSeparator
    value={value ?? ''}
    onChange={typed => onChange(typed === '' ? undefined : Number(typed))}
  />
)
