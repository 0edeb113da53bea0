import { Text } from '@mantine/core'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import { Panel } from '../ui/Panel.tsx'
import { readingStore, useReading } from '../ui/reading.ts'
import classes from './Settings.module.css'

const limits = ['files', 'systemCalls', 'network'] as const

const useHealth = readingStore(api.health)

/** How the system confines the processes that read files; the page is complete without it. */
export function Sandbox() {
  const health = useHealth()
  useReading(health)
  if (!health.value) return null
  const { sandbox } = health.value
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
