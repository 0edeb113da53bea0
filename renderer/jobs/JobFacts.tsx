import type { AppJob } from '../../service/app/types.ts'
import { messages } from '../messages.ts'
import { ago, moment, size } from '../ui/format.ts'
import { useNow } from '../ui/useNow.ts'
import classes from './JobFacts.module.css'
import { hasOutput } from './sections.ts'

interface Props {
  job: AppJob
}

function factsOf(job: AppJob, now: number): string[] {
  const words = messages.jobs
  const cost = messages.common.credits(job.creditCost)
  if (job.status === 'Queued') return [size(job.inputBytes), cost]
  if (job.status === 'Running') {
    return [
      words.percent(Math.round(job.percent)),
      ...(job.phase ? [words.phases[job.phase]] : []),
      ...(job.eta !== null ? [words.left(job.eta)] : []),
      size(job.inputBytes),
    ]
  }
  const when = ago(job.finishedAt ?? job.createdAt, now)
  if (job.status !== 'Succeeded') return [size(job.inputBytes), `${cost} ${words.refunded}`, when]
  const files = job.output?.fileCount ?? 1
  const kept = hasOutput(job, now)
    ? job.expiresAt && words.expires((Date.parse(job.expiresAt) - now) / 1000)
    : words.expired
  return [
    `${size(job.inputBytes)} → ${size(job.outputBytes)}`,
    ...(files > 1 ? [words.outputs(files)] : []),
    cost,
    when,
    ...(kept ? [kept] : []),
  ]
}

/** Sizes, price and times of a job in one line. */
export function JobFacts({ job }: Props) {
  const now = useNow()
  const isExpired = job.status === 'Succeeded' && job.savedTo === null && !hasOutput(job, now)
  return (
    <p className={`${classes.facts} numbers`} title={moment(job.createdAt)}>
      <span className={classes.status} data-status={isExpired ? 'Expired' : job.status}>
        {messages.jobs.status[job.status]}
      </span>
      {job.origin === 'api' && <span className={classes.origin}>{messages.jobs.fromApi}</span>}
      {factsOf(job, now).join(' · ')}
    </p>
  )
}
