import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  /** What it does, for screen readers and as a tooltip. */
  label: string
  symbol: ReactNode
  disabled?: boolean
  onClick: () => void
}

/** A button with only an icon. */
export const IconAction = ({ label, symbol, disabled = false, onClick }: Props) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="lg"
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={onClick}
  >
    {symbol}
  </ActionIcon>
)
