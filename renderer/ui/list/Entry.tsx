import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { inLine } from '../../messages/text.ts'
import classes from './Entry.module.css'

interface Props {
  name: string
  /** Tooltip of the name. */
  title?: string
  icon?: ReactNode
  /** What stands beside the name as a mark; absent ones are left out. */
  badges: readonly (string | false)[]
  /** What stands beside the name before the marks. */
  beside?: ReactNode
  facts: readonly string[]
  /** Tooltip of the facts. */
  factsTitle?: string
  /** Whether it is out of use at present, such as an expired key. */
  idle?: boolean
  /** Buttons. */
  actions?: ReactNode
  /** What follows the facts. */
  children?: ReactNode
}

/** One of the things that a person has made, such as a key or an account: its name, facts about it and what can be done with it. */
export function Entry(props: Props) {
  const { name, title, icon, badges, beside, facts, factsTitle, idle = false, actions, children } = props
  return (
    <li className={classes.row} aria-label={name} data-idle={idle || undefined}>
      {icon && <span className={classes.icon}>{icon}</span>}
      <div className={classes.words}>
        <p className={classes.name} title={title}>
          <bdi>{name}</bdi>
          {beside}
          {badges.map(
            badge =>
              badge && (
                <Box key={badge} component="span" className="badge" ms={9}>
                  {badge}
                </Box>
              ),
          )}
        </p>
        <p className={`${classes.facts} numbers`} title={factsTitle}>
          {inLine(facts)}
        </p>
        {children}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </li>
  )
}

interface ListProps {
  label: string
  /** What to say without any. */
  empty?: string
  children: readonly ReactNode[]
}

/** A card of entries. */
export function EntryList({ label, empty, children }: ListProps) {
  if (empty && children.length === 0) return <p className={classes.facts}>{empty}</p>
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  )
}
