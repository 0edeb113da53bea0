import { Button } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { messages } from '../messages.ts'
import classes from './Stopped.module.css'
import { useSession } from './session.ts'

function Stopped({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <img src="/icon.svg" alt="" width={64} height={64} />
        <h1 className={classes.title}>{title}</h1>
        {children}
      </div>
    </main>
  )
}

/** The service answers, but does not know this window. */
export function SignedOut() {
  const start = useSession(state => state.start)
  const words = messages.signedOut
  return (
    <Stopped title={words.title}>
      <p className={classes.text}>
        {words.text} <code>{words.command}</code> {words.after}
      </p>
      <Button variant="default" onClick={() => void start()}>
        {words.retry}
      </Button>
    </Stopped>
  )
}

const retryMs = 3000

/** Nothing answers; asks again until something does. */
export function Unreachable() {
  const start = useSession(state => state.start)
  useEffect(() => {
    const timer = setInterval(() => void start(), retryMs)
    return () => clearInterval(timer)
  }, [start])
  return (
    <Stopped title={messages.unreachable.title}>
      <p className={classes.text}>{messages.unreachable.text}</p>
    </Stopped>
  )
}
