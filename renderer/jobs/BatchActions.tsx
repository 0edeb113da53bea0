import { Button } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AppJob, Batch } from '../../service/app/types.ts'
import { api } from '../api/client.ts'
import { text } from '../messages/text.ts'
import { IconAction } from '../ui/IconAction.tsx'
import { useAction } from '../ui/useAction.ts'
import { useNow } from '../ui/useNow.ts'
import classes from './BatchActions.module.css'
import { isOpen, useBatches } from './batches.ts'
import { itemsOfBatch } from './items.ts'
import { saveAll } from './save.ts'
import { hasOutput } from './sections.ts'

interface Props {
  batch: Batch
  /** The jobs of this batch that the page knows. */
  jobs: readonly AppJob[]
  name: string
  place: 'only' | 'first' | 'middle' | 'last' | null
}

/** What can be done with a batch in its present state. */
export function BatchActions({ batch, jobs, name, place }: Props) {
  const { busy, act } = useAction()
  const { pause, resume, cancel, move } = useBatches.getState()
  const { id, state } = batch
  const now = useNow()

  const icon = (label: string, symbol: ReactNode, action: () => Promise<void>, disabled = false) => (
    <IconAction label={label} symbol={symbol} disabled={busy || disabled} onClick={() => void act(action)} />
  )
  const button = (label: string, symbol: ReactNode, action: () => Promise<void>) => (
    <Button
      size="xs"
      variant="light"
      leftSection={symbol}
      aria-label={text('batches.named', { verb: label, name })}
      disabled={busy}
      onClick={() => void act(action)}
    >
      {label}
    </Button>
  )
  /** Everything that can still be had, whether the page knows its jobs or not. */
  const save = async () => {
    const items = await itemsOfBatch(api, id)
    await saveAll(
      items.flatMap(({ job }) => (job && hasOutput(job, Date.now()) && job.savedTo === null ? [job] : [])),
    )
  }

  if (!isOpen(batch)) {
    return (
      <div className={classes.actions}>
        {jobs.some(job => hasOutput(job, now) && job.savedTo === null) &&
          button(text('batches.save'), <IconDownload size={16} stroke={1.9} aria-hidden="true" />, save)}
      </div>
    )
  }
  return (
    <div className={classes.actions}>
      {place !== 'only' && (
        <>
          {icon(
            text('batches.up', { name }),
            <IconArrowUp size={18} stroke={1.8} aria-hidden="true" />,
            () => move(id, 'up'),
            place === 'first',
          )}
          {icon(
            text('batches.down', { name }),
            <IconArrowDown size={18} stroke={1.8} aria-hidden="true" />,
            () => move(id, 'down'),
            place === 'last',
          )}
        </>
      )}
      {state === 'active'
        ? button(text('batches.pause'), <IconPlayerPause size={16} stroke={1.9} aria-hidden="true" />, () =>
            pause(id),
          )
        : button(text('batches.resume'), <IconPlayerPlay size={16} stroke={1.9} aria-hidden="true" />, () =>
            resume(id),
          )}
      {icon(
        text('batches.named', { verb: text('batches.cancel'), name }),
        <IconX size={18} stroke={1.8} aria-hidden="true" />,
        () => cancel(id),
      )}
    </div>
  )
}
