import type { ReactNode } from 'react'
import classes from './RowButton.module.css'

interface Props {
  label: string
  symbol: ReactNode
  tabIndex: number
  /** Whether Enter on the line activates it. */
  primary?: boolean
  /** Whether it is shown only where the pointer or the focus is. */
  quiet?: boolean
  onClick?: () => void
  /** For a file to be saved: its address, and the name that it is saved under. */
  link?: { href: string; download: string }
}

/** An icon button in a line of the table; an element of the page's own, since scrolling draws hundreds a second. */
export function RowButton({ label, symbol, tabIndex, primary, quiet, onClick, link }: Props) {
  const Tag = link ? 'a' : 'button'
  return (
    <Tag
      {...(link ?? { type: 'button' })}
      className={`${classes.action} ${quiet ? classes.quiet : ''}`}
      aria-label={label}
      tabIndex={tabIndex}
      data-primary={primary || undefined}
      onClick={onClick}
    >
      {symbol}
    </Tag>
  )
}
