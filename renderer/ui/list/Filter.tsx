import { Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

const SEARCH_DELAY_MS = 250

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
}

interface ChoiceProps extends Props {
  /** What the choice of nothing is called. */
  any: string
  choices: readonly { value: string; label: string }[]
}

/** One of the things that a list can be narrowed to. */
export const FilterChoice = ({ label, any, choices, value, onChange }: ChoiceProps) => (
  <Select
    aria-label={label}
    data={[{ value: '', label: any }, ...choices]}
    value={value}
    allowDeselect={false}
    onChange={chosen => onChange(chosen ?? '')}
  />
)

/** Words that a list is narrowed to, a moment after they were typed. */
export function SearchField({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const notify = useDebouncedCallback(onChange, SEARCH_DELAY_MS)
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={17} stroke={1.8} aria-hidden="true" />}
      maxLength={200}
      value={typed}
      onChange={event => {
        setTyped(event.currentTarget.value)
        notify(event.currentTarget.value)
      }}
    />
  )
}
