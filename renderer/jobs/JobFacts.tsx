import { Box } from '@mantine/core'
import type { AppJob } from '../../service/web/app/types.ts'
import { inLine, text, verbatim } from '../messages/text.ts'
import { useSession } from '../session/session.ts'
import { ago, duration, moment, size } from '../ui/format.ts'
import { useNow } from '../ui/useNow.ts'
import classes from './JobFacts.module.css'
import { hasOutput } from './output.ts'

const keptOf = (job: AppJob, now: number) =>
  hasOutput(job, now)
    ? job.expiresAt && text('jobs.expires', { time: duration((Date.parse(job.expiresAt) - now) / 1000) })
    : text('jobs.expired')

function factsOf(job: AppJob, now: number, counts: boolean): string[] {
  const cost = counts ? [text('common.credits', { value: job.creditCost })] : []
  if (job.status === 'Queued') return [size(job.inputBytes), ...cost]
  if (job.status === 'Running') {
    return [
      text('jobs.percent', { value: Math.round(job.percent) }),
      ...(job.phase ? [text(`jobs.phases.${job.phase}`)] : []),
      ...(job.eta ? [text('jobs.left', { time: duration(job.eta) })] : []),
      size(job.inputBytes),
    ]
  }
  const when = ago(job.finishedAt ?? job.createdAt, now)
  if (job.status !== 'Succeeded')
    return [size(job.inputBytes), ...cost.map(each => `${each} ${text('jobs.refunded')}`), when]
  const files = job.output?.fileCount ?? 1
  const kept = job.savedTo === null ? keptOf(job, now) : verbatim(job.savedTo)
  return [
    text('jobs.sizes', { before: size(job.inputBytes), after: size(job.outputBytes) }),
    ...(files > 1
      ? [text(job.savedTo === null ? 'jobs.outputs' : 'convert.resultFiles', { value: files })]
      : []),
    ...cost,
    when,
    ...(kept ? [kept] : []),
  ]
}

/** Sizes, price and times of a job in one line. */
export function JobFacts({ job }: { job: AppJob }) {
  const now = useNow()
  const counts = useSession(({ session }) => session?.autoTopUp === false)
  const isExpired = job.status === 'Succeeded' && job.savedTo === null && !hasOutput(job, now)
  return (
    <p className="fine numbers" title={moment(job.createdAt)}>
      <span className={classes.status} data-status={isExpired ? 'Expired' : job.status}>
        {text(`jobs.status.${job.status}`)}
      </span>
      {job.origin === 'api' && (
        <Box component="span" className="badge" me={7}>
          {text('jobs.fromApi')}
        </Box>
      )}
      {inLine(factsOf(job, now, counts))}
    </p>
  )
}
