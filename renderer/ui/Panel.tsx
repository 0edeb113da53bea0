import { Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './Panel.module.css'

interface Props {
  title: ReactNode
  note?: string
  actions?: ReactNode
  children?: ReactNode
}

/** A titled region of a page. */
export function Panel({ title, note, actions, children }: Props) {
  const id = useId()
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <header className={classes.header}>
        <div>
          <Text component="h2" id={id} fz="var(--text-md)" fw={650}>
            {title}
          </Text>
          {note && (
            <Text className="aside" mt={2}>
              {note}
            </Text>
          )}
        </div>
        {actions}
      </header>
      {children}
    </section>
  )
}
