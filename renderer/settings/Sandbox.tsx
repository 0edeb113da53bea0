import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import type { Health } from '../api/contract.ts'
import { text } from '../messages/text.ts'
import { Panel } from '../ui/Panel.tsx'
import classes from './Settings.module.css'

const limits = ['files', 'systemCalls', 'network'] as const

/** How the system confines the processes that read files. */
export function Sandbox() {
  const [sandbox, setSandbox] = useState<Health['sandbox'] | null>(null)
  useEffect(() => {
    // The page is complete without it.
    api.health().then(
      health => setSandbox(health.sandbox),
      () => {},
    )
  }, [])
  if (!sandbox) return null
  return (
    <Panel title={text('settings.sandbox')} note={text('settings.sandboxText')}>
      <ul className="plain-list" aria-label={text('settings.sandbox')}>
        {limits.map(kind => (
          <li key={kind} className={classes.engine}>
            <span className={classes.mark} data-available={sandbox[kind] || undefined} aria-hidden="true" />
            <span className={classes.words}>{text(`settings.sandbox.${kind}`)}</span>
            <Text component="span" className="aside" miw={92} ta="end">
              {stateOf(sandbox[kind])}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const stateOf = (shut: boolean | null): string =>
  text(shut === null ? 'settings.sandboxUnknown' : shut ? 'settings.sandboxOn' : 'settings.sandboxOff')
