import { Box, Button, Group } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { desktop } from '../api/desktop.ts'
import { text } from '../messages/text.ts'
import { useSession } from '../session/session.ts'
import classes from './Stopped.module.css'

function Stopped({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <Box maw={480} ta="center">
        <img src="/icon.svg" alt="" width={64} height={64} />
        <h1 className={classes.title}>{title}</h1>
        {children}
      </Box>
    </main>
  )
}

/** The service answers, but does not accept this window's session. */
export function SignedOut() {
  const start = useSession(state => state.start)
  return (
    <Stopped title={text('signedOut.title')}>
      <p className={classes.text}>
        {text('signedOut.text')} <code>{text('signedOut.command')}</code> {text('signedOut.after')}
      </p>
      <Group gap={8} justify="center">
        <Button variant="default" onClick={() => void start()}>
          {text('common.tryAgain')}
        </Button>
        {!desktop().settings && (
          <Button component="a" href="/sign-in" variant="subtle">
            {text('signedOut.signIn')}
          </Button>
        )}
      </Group>
    </Stopped>
  )
}

const retryMs = 3000

/** Nothing answers; retries until something does. */
export function Unreachable() {
  const start = useSession(state => state.start)
  useInterval(() => void start(), retryMs, { autoInvoke: true })
  return (
    <Stopped title={text('unreachable.title')}>
      <p className={classes.text}>{text('unreachable.text')}</p>
    </Stopped>
  )
}
