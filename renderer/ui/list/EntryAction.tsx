import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'

interface Props {
  label: string
  /** The label with the name of the entry, for screen readers. */
  named: string
  onClick: () => void
  /** Whether it takes something away. */
  danger?: boolean
  loading?: boolean
}

/** What can be done with an entry of a list. */
export function EntryAction({ label, named, onClick, danger = false, loading = false }: Props) {
  return (
    <Button
      size="xs"
      variant="subtle"
      {...(danger ? { color: 'brick' } : {})}
      loading={loading}
      aria-label={named}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}

/** Adds an entry to a list. */
export function CreateEntry({ label, onClick }: Pick<Props, 'label' | 'onClick'>) {
  return (
    <Button size="xs" leftSection={<IconPlus size={16} stroke={1.9} aria-hidden="true" />} onClick={onClick}>
      {label}
    </Button>
  )
}
