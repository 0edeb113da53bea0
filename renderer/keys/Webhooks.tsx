import { Button } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import type { WebhookDelivery } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import { ago } from '../ui/format.ts'
import { Entry, EntryList } from '../ui/list/Entry.tsx'
import { EntryAction } from '../ui/list/EntryAction.tsx'
import { LoadFailed } from '../ui/list/LoadFailed.tsx'
import { Panel } from '../ui/Panel.tsx'
import { readingStore, useReading } from '../ui/reading.ts'
import { useAction } from '../ui/useAction.ts'
import { useNow } from '../ui/useNow.ts'

/** Interval at which the list is read while a delivery is in progress. */
const REFRESH_MS = 3000

const useWebhooks = readingStore(api.webhooks)

/** The log of webhooks requested by programs' jobs; hidden while it is empty. */
export function Webhooks() {
  const store = useWebhooks()
  const { load, failed } = store
  useReading(store)
  const deliveries = store.value ?? []
  const isUnderWay = deliveries.some(({ state }) => state === 'pending')
  useInterval(() => isUnderWay && void load(), REFRESH_MS, { autoInvoke: true })
  if (deliveries.length === 0) return failed && <LoadFailed onRetry={() => void load()} />
  return (
    <Panel
      title={text('webhooks.title')}
      actions={
        <Button size="xs" variant="default" onClick={() => void load()}>
          {text('webhooks.refresh')}
        </Button>
      }
    >
      <EntryList label={text('webhooks.list')}>
        {deliveries.map(delivery => (
          <DeliveryRow key={delivery.id} delivery={delivery} onReplayed={load} />
        ))}
      </EntryList>
    </Panel>
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
    ...(status === null ? [] : [text('webhooks.answered', { status })]),
    ago(updatedAt, now),
  ]
  return (
    <Entry
      name={receiver}
      title={receiver}
      badges={[text(`webhooks.states.${state}`)]}
      facts={facts}
      actions={
        state !== 'pending' && (
          <EntryAction
            label={text('webhooks.replay')}
            named={text('webhooks.replayNamed', { receiver })}
            loading={busy}
            onClick={() => void act(() => api.replayWebhook(id).then(onReplayed))}
          />
        )
      }
    >
      {problem !== null && (
        <p className="aside" data-tone="danger">
          {problem}
        </p>
      )}
    </Entry>
  )
}
