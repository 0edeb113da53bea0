import { Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './PageFrame.module.css'
import { hasMoved } from './route.ts'

interface Props {
  title: string
  intro?: string
  /** Buttons for the whole page. */
  actions?: ReactNode
  width?: 'wide' | 'narrow'
  children: ReactNode
}

/** A page with its heading, actions and content. The heading takes the focus when the page changes. */
export function PageFrame({ title, intro, actions, width = 'wide', children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasMoved()) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={classes.page} data-width={width}>
      <Group component="header" gap="12px 24px" justify="space-between" wrap="nowrap" mih={40}>
        <div>
          <h1 ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          {intro && <p className={classes.intro}>{intro}</p>}
        </div>
        {actions && (
          <Group gap={10} wrap="nowrap" flex="none">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </div>
  )
}
