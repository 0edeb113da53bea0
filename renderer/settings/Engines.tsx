import type { About } from '../../service/app/types.ts'
import { messages } from '../messages.ts'
import classes from './Settings.module.css'

interface Props {
  engines: About['engines']
}

export function Engines({ engines }: Props) {
  const words = messages.settings
  return (
    <ul className={classes.engines} aria-label={words.engines}>
      {engines.map(engine => (
        <li key={engine.name} className={classes.engine}>
          <span className={classes.mark} data-available={engine.available || undefined} aria-hidden="true" />
          <div className={classes.words}>
            <p className={classes.name}>{engine.name}</p>
            {engine.hint && <p className={classes.hint}>{engine.hint}</p>}
          </div>
          <span className={`${classes.version} numbers`}>{engine.version}</span>
          <span className={classes.state}>{engine.available ? words.available : words.unavailable}</span>
        </li>
      ))}
    </ul>
  )
}
