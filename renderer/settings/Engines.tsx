import { Text } from '@mantine/core'
import type { About } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Panel } from '../ui/Panel.tsx'
import classes from './Settings.module.css'

export function Engines({ engines }: { engines: About['engines'] }) {
  return (
    <Panel title={text('settings.engines')} note={text('settings.enginesText')}>
      <ul className="plain-list" aria-label={text('settings.engines')}>
        {engines.map(engine => (
          <li key={engine.name} className={classes.engine}>
            <span
              className={classes.mark}
              data-available={engine.available || undefined}
              aria-hidden="true"
            />
            <div className={classes.words}>
              <Text fw={550}>{engine.name}</Text>
              {engine.hint && (
                <p className="remark" data-tone="attention">
                  {engine.hint}
                </p>
              )}
            </div>
            <span className="remark numbers">{engine.version}</span>
            <Text component="span" className="aside" miw={92} ta="end">
              {engine.available ? text('settings.available') : text('settings.unavailable')}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
