import { Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'

interface Props {
  tone: 'attention' | 'danger' | 'info'
  title?: string
  children?: ReactNode
  /** Buttons at the end of the line. */
  actions?: ReactNode
}

export function Notice({ tone, title, children, actions }: Props) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon className={classes.icon} size={19} stroke={1.8} aria-hidden="true" />
      <div className={classes.body}>
        {title && <Text fw={650}>{title}</Text>}
        {children}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}
