import { ActionIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './FileTable.module.css'

interface Props {
  label: string
  symbol: ReactNode
  tabIndex: number
  /** Whether Enter on the line activates it. */
  primary?: boolean
  /** Whether it is shown only where the pointer or the focus is. */
  quiet?: boolean
  onClick: () => void
}

/** An icon button in a line of the table. */
export const RowButton = ({ label, symbol, tabIndex, primary, quiet, onClick }: Props) => (
  <ActionIcon
    className={`${classes.tipped} ${quiet ? classes.quiet : ''}`}
    variant="subtle"
    color="gray"
    size={32}
    aria-label={label}
    tabIndex={tabIndex}
    data-primary={primary || undefined}
    onClick={onClick}
  >
    {symbol}
  </ActionIcon>
)
