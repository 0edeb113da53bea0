import { Button, Stack } from '@mantine/core'
import type { About } from '../../service/web/app/types.ts'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import classes from './Settings.module.css'

export function AboutTable({ about }: { about: About }) {
  const { done, total } = about.converters
  const { reveal } = desktop()
  return (
    <dl className={classes.about}>
      <dt>{text('settings.version')}</dt>
      <dd>{about.version}</dd>
      <dt>{text('common.address')}</dt>
      <dd>
        <code className={classes.code}>{about.url}</code>
      </dd>
      <dt>{text('settings.dataFolder')}</dt>
      <dd>
        <code className={classes.code}>{about.dataFolder}</code>
        {reveal && (
          <Button size="compact-sm" variant="light" onClick={() => void reveal(about.dataFolder)}>
            {text('settings.reveal')}
          </Button>
        )}
      </dd>
      <dt>{text('settings.converters')}</dt>
      <dd>
        <Stack gap={6} w="min(100%, 340px)">
          {text('settings.convertersText', { done, total })}
          <ProgressLine label={text('settings.converters')} percent={total > 0 ? (done / total) * 100 : 0} />
        </Stack>
      </dd>
    </dl>
  )
}
