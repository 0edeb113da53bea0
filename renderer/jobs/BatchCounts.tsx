import type { Batch } from '../../service/app/types.ts'
import { messages } from '../messages.ts'
import classes from './BatchCounts.module.css'

interface Props {
  batch: Batch
  /** Seconds until it is through, as far as can be told. */
  left: number | null
}

/** How many files are done, failed, canceled, running and waiting. */
export function BatchCounts({ batch, left }: Props) {
  const { state, counts } = batch
  const { total, succeeded, failed, canceled, running, queued, waiting } = counts
  const words = messages.batches
  const rest = [
    ...(running > 0 ? [words.running(running)] : []),
    ...(queued + waiting > 0 ? [words.waiting(queued + waiting)] : []),
    ...(left !== null ? [words.left(left)] : []),
  ]
  return (
    <p className={`${classes.counts} numbers`}>
      {state === 'paused' && <span data-tone="paused">{words.paused}</span>}
      <span data-tone={succeeded > 0 ? 'done' : undefined}>{words.done(succeeded, total)}</span>
      {failed > 0 && <span data-tone="failed">{words.failed(failed)}</span>}
      {canceled > 0 && <span data-tone="canceled">{words.canceled(canceled)}</span>}
      {rest.map(each => (
        <span key={each}>{each}</span>
      ))}
    </p>
  )
}
