import { memo } from 'react'
import type { AppJob } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { formatName } from '../session/format-name.ts'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { JobActions } from './JobActions.tsx'
import { JobFacts } from './JobFacts.tsx'
import { JobOutcome } from './JobOutcome.tsx'
import classes from './JobRow.module.css'
import { PairTags } from './PairTags.tsx'

interface Props {
  job: AppJob
  /** Why the result could not be saved to its folder. */
  problem?: string | undefined
  /** Called after the job was removed here. */
  onRemoved?: (id: string) => void
}

/** One job, rendered again only when this job changes. */
export const JobRow = memo(function JobRow({ job, problem, onRemoved }: Props) {
  const running = job.status === 'Running'
  return (
    <li className={classes.row} aria-label={job.inputName} data-status={job.status}>
      <PairTags from={formatName(job.source)} to={job.targetLabel} />
      <div className={classes.words}>
        <p className={classes.name} title={job.inputName} dir="auto">
          {job.inputName}
        </p>
        <JobFacts job={job} />
      </div>
      <JobActions job={job} onRemoved={onRemoved} />
      {running && (
        <div className={classes.progress}>
          <ProgressLine label={text('jobs.progressOf', { name: job.inputName })} percent={job.percent} />
        </div>
      )}
      <JobOutcome job={job} problem={problem} />
    </li>
  )
})
