import type { Batch } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'
import { duration } from '../ui/format.ts'
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
  const rest = [
    ...(running > 0 ? [text('batches.running', { value: running })] : []),
    ...(queued + waiting > 0 ? [text('batches.waiting', { value: queued + waiting })] : []),
    ...(left !== null ? [text('batches.left', { time: duration(left) })] : []),
  ]
  return (
    <p className={`${classes.counts} numbers`}>
      {state === 'paused' && <span data-tone="paused">{text('batches.paused')}</span>}
      <span data-tone={succeeded > 0 ? 'done' : undefined}>
        {text('batches.done', { value: succeeded, total })}
      </span>
      {failed > 0 && <span data-tone="failed">{text('batches.failed', { value: failed })}</span>}
      {canceled > 0 && <span data-tone="canceled">{text('batches.canceled', { value: canceled })}</span>}
      {rest.map(each => (
        <span key={each}>{each}</span>
      ))}
    </p>
  )
}
