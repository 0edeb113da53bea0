import { Button } from '@mantine/core'
import type { About } from '../../service/app/types.ts'
import { desktop } from '../api/desktop.ts'
import { messages } from '../messages.ts'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import classes from './Settings.module.css'

interface Props {
  about: About
}

export function AboutTable({ about }: Props) {
  const words = messages.settings
  const { done, total } = about.converters
  const { reveal } = desktop()
  return (
    <dl className={classes.about}>
      <dt>{words.version}</dt>
      <dd>{about.version}</dd>
      <dt>{words.address}</dt>
      <dd>
        <code className={classes.code}>{about.url}</code>
      </dd>
      <dt>{words.dataFolder}</dt>
      <dd>
        <code className={classes.code}>{about.dataFolder}</code>
        {reveal && (
          <Button size="compact-sm" variant="light" onClick={() => void reveal(about.dataFolder)}>
            {words.reveal}
          </Button>
        )}
      </dd>
      <dt>{words.converters}</dt>
      <dd>
        <div className={classes.converters}>
          {words.convertersText(done, total)}
          <ProgressLine label={words.converters} percent={total > 0 ? (done / total) * 100 : 0} />
        </div>
      </dd>
    </dl>
  )
}
