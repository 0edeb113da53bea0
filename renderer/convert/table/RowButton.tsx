import type { ReactNode } from 'react'
import classes from './FileTable.module.css'

interface Looks {
  label: string
  symbol: ReactNode
  tabIndex: number
  /** Whether Enter on the line activates it. */
  primary?: boolean
}

interface ButtonProps extends Looks {
  /** Whether it is shown only where the pointer or the focus is. */
  quiet?: boolean
  onClick: () => void
}

interface LinkProps extends Looks {
  href: string
  /** The name that the file is saved under. */
  download: string
}

/** An icon button in a line of the table; an element of the page's own, since scrolling draws hundreds a second. */
export const RowButton = ({ label, symbol, tabIndex, primary, quiet, onClick }: ButtonProps) => (
  <button
    type="button"
    className={`${classes.action} ${quiet ? classes.quiet : ''}`}
    aria-label={label}
    tabIndex={tabIndex}
    data-primary={primary || undefined}
    onClick={onClick}
  >
    {symbol}
  </button>
)

/** The same for a file to be saved. */
export const RowLink = ({ label, symbol, tabIndex, primary, href, download }: LinkProps) => (
  <a
    href={href}
    download={download}
    className={classes.action}
    aria-label={label}
    tabIndex={tabIndex}
    data-primary={primary || undefined}
  >
    {symbol}
  </a>
)
