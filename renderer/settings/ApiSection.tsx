import { Button, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { Copyable } from '../keys/Copyable.tsx'
import { exampleOf, MASKED_KEY } from '../keys/example.ts'
import { Keys } from '../keys/Keys.tsx'
import { Webhooks } from '../keys/Webhooks.tsx'
import { text } from '../messages/text.ts'
import { Panel } from '../ui/Panel.tsx'
import { hrefOf } from '../ui/route.ts'
import classes from './Settings.module.css'

/** What a person needs to let programs convert: the address, the keys and the webhook deliveries. */
export function ApiSection() {
  const { origin, port } = location
  return (
    <>
      <Panel
        title={text('common.address')}
        note={text('api.accessNote')}
        actions={
          <Button
            component="a"
            href="/reference"
            target="_blank"
            rel="noreferrer"
            size="xs"
            variant="default"
            rightSection={<IconExternalLink size={15} stroke={1.8} aria-hidden="true" />}
          >
            {text('api.reference')}
          </Button>
        }
      >
        <dl className={classes.about}>
          <dt>{text('common.address')}</dt>
          <dd>
            <code className={classes.code}>{origin}</code>
          </dd>
          <dt>{text('api.port')}</dt>
          <dd>
            <code className={classes.code}>{port || '80'}</code>
          </dd>
        </dl>
        <Text component="h3" fz="var(--text-md)" fw={650} m="20px 0 2px">
          {text('api.example')}
        </Text>
        <p className={`${classes.note} remark`}>{text('api.exampleNote', { placeholder: MASKED_KEY })}</p>
        <Copyable
          content={exampleOf(MASKED_KEY, origin)}
          label={text('api.example')}
          copyLabel={text('common.copyExample')}
        />
        <p className={classes.more}>
          <a href={hrefOf('programs')}>{text('api.programs')}</a>
        </p>
      </Panel>
      <Keys />
      <Webhooks />
    </>
  )
}
