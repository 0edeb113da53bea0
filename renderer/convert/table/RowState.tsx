import type { ReactNode } from 'react'
import { hasOutput } from '../../jobs/output.ts'
import { text } from '../../messages/text.ts'
import { change, duration, percent, size } from '../../ui/format.ts'
import { ProgressLine } from '../../ui/ProgressLine.tsx'
import { useNow } from '../../ui/useNow.ts'
import { isTranscript, type Row, stageOf } from '../state/rows/row.ts'
import classes from './RowState.module.css'

/** The current state of a file, always in the same two lines. */
export function RowState({ row }: { row: Row }) {
  const stage = stageOf(row)
  switch (stage) {
    case 'coming':
      return <Coming row={row} />
    case 'running':
      return <Running row={row} />
    case 'waiting':
      return <Lines main={size(row.bytes)} note={text('convert.waiting')} />
    case 'done':
      return <Done row={row} />
    case 'failed':
      return <Lines main={text('convert.failed')} tone="danger" />
    case 'canceled':
      return <Lines main={text('convert.canceled')} tone="quiet" />
    default:
      return row.bytes > 0 ? <Lines main={size(row.bytes)} /> : null
  }
}

interface LinesProps {
  main?: ReactNode
  note?: string
  tone?: 'danger' | 'quiet'
  /** What is under way, in percent, with the name of the file. */
  progress?: { name: string; percent: number }
}

const Lines = ({ main, note, tone, progress }: LinesProps) => (
  <div className={`${classes.state} numbers`}>
    {main && (
      <span className={classes.main} data-tone={tone}>
        {main}
      </span>
    )}
    {note && <span className={classes.note}>{note}</span>}
    {progress && (
      <ProgressLine label={text('jobs.progressOf', { name: progress.name })} percent={progress.percent} />
    )}
  </div>
)

function Coming({ row: { intake, sent, bytes, name } }: { row: Row }) {
  if (intake === 'measuring') return <Lines main={size(bytes)} note={text('convert.measuring')} />
  if (intake === 'waiting') return <Lines main={size(bytes)} note={text('convert.waiting')} />
  const note = text('convert.sent', { percent: percent(sent) })
  return <Lines note={note} progress={{ name, percent: sent * 100 }} />
}

function Running({ row: { item, name } }: { row: Row }) {
  const job = item?.job
  const share = percent((job?.percent ?? 0) / 100)
  const phase = text(`jobs.phases.${job?.phase ?? 'preparing'}`)
  const words =
    !job || job.percent === 0
      ? phase
      : job.eta
        ? text('convert.runningLeft', { percent: share, time: duration(job.eta) })
        : text('convert.running', { phase, percent: share })
  return <Lines note={words} progress={{ name, percent: job?.percent ?? 0 }} />
}

/** A ratio is only meaningful for results of the same kind: a transcript is always smaller. */
const comparable = ({ item, kind }: Row): boolean =>
  item?.job != null && !isTranscript(item.job) && item.job.category === kind && item.job.outputBytes > 0

function Done({ row }: { row: Row }) {
  const now = useNow()
  const job = row.item?.job
  if (!job) return <Lines main={text('jobs.status.Succeeded')} tone="quiet" />
  const ratio = row.bytes > 0 ? job.outputBytes / row.bytes - 1 : 0
  const isKept = row.item?.savedTo !== null || hasOutput(job, now)
  const files = job.output?.fileCount ?? 1
  const note = isKept
    ? files > 1
      ? text('convert.resultFiles', { value: files })
      : text('convert.was', { size: size(row.bytes) })
    : text('jobs.expired')
  const main = (
    <>
      {size(job.outputBytes)}
      {comparable(row) && (
        <span className="badge" data-tone={ratio > 0.005 ? 'attention' : 'good'}>
          {change(ratio)}
        </span>
      )}
    </>
  )
  return <Lines main={main} note={note} />
}
