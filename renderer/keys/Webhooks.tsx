import { Button } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import type { WebhookDelivery } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { inLine, text } from '../messages/text.ts'
import { ago } from '../ui/format.ts'
import rows from '../ui/list/Entry.module.css'
import { notifyProblem } from '../ui/notifications/notify.ts'
import { useAction } from '../ui/useAction.ts'
import { useNow } from '../ui/useNow.ts'
import classes from './Webhooks.module.css'

/** Interval at which the list is read while a delivery is in progress. */
const REFRESH_MS = 3000

/** The log of webhooks requested by programs' jobs; hidden while it is empty. */
export function Webhooks() {
  const [deliveries, setDeliveries] = useState<readonly WebhookDelivery[]>([])
  const load = useCallback(() => api.webhooks().then(setDeliveries, notifyProblem), [])
  useEffect(() => void load(), [load])
  const isUnderWay = deliveries.some(({ state }) => state === 'pending')
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(() => void load(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [isUnderWay, load])
  if (deliveries.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="webhooks-title">
      <header className={classes.header}>
        <h2 id="webhooks-title">{text('webhooks.title')}</h2>
        <Button size="compact-sm" variant="default" onClick={() => void load()}>
          {text('webhooks.refresh')}
        </Button>
      </header>
      <ul className={rows.list} aria-label={text('webhooks.list')}>
        {deliveries.map(delivery => (
          <DeliveryRow key={delivery.id} delivery={delivery} onReplayed={load} />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  delivery: WebhookDelivery
  onReplayed: () => Promise<unknown>
}

function DeliveryRow({ delivery, onReplayed }: RowProps) {
  const now = useNow()
  const { busy, act } = useAction()
  const { id, receiver, event, state, attempts, status, problem, updatedAt } = delivery
  const facts = [
    text(`webhooks.events.${event}`),
    text('webhooks.attempts', { value: attempts }),
    status === null ? null : text('webhooks.answered', { status }),
    ago(updatedAt, now),
  ]
  return (
    <li className={`${rows.row} ${classes.row}`} data-state={state} aria-label={receiver}>
      <div className={rows.words}>
        <p className={`${classes.receiver} ellipsis`} title={receiver}>
          {receiver}
        </p>
        <p className="aside">{inLine(facts)}</p>
        {problem !== null && (
          <p className="aside" data-tone="danger">
            {problem}
          </p>
        )}
      </div>
      <span className={classes.state}>{text(`webhooks.states.${state}`)}</span>
      <Button
        size="xs"
        variant="subtle"
        aria-label={text('webhooks.replayNamed', { receiver })}
        disabled={busy || state === 'pending'}
        onClick={() => void act(() => api.replayWebhook(id).then(onReplayed))}
      >
        {text('webhooks.replay')}
      </Button>
    </li>
  )
}
