import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AppJob } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { formatName } from '../session/format-name.ts'
import { FormatTag } from '../ui/FormatTag.tsx'
import list from '../ui/list/List.module.css'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { JobFacts } from './JobFacts.tsx'
import { JobOutcome } from './JobOutcome.tsx'
import classes from './JobRow.module.css'

interface Props {
  job: AppJob
  actions: ReactNode
  className?: string | undefined
  /** What stands below its facts. */
  notes?: ReactNode
  /** What stands below everything. */
  children?: ReactNode
}

/** One job: its formats, facts, actions and outcome. */
export function JobRow({ job, actions, className = classes.row, notes, children }: Props) {
  const { inputName: name, percent, source, status, targetLabel } = job
  return (
    <li className={className} aria-label={name} data-status={status}>
      <div className={classes.tags}>
        <FormatTag size="s" label={formatName(source)} />
        <IconArrowRight className="towards" size={14} aria-hidden="true" />
        <span className="hidden-text">{text('jobs.to')}</span>
        <FormatTag size="s" label={targetLabel} />
      </div>
      <div className={list.words}>
        <p className={list.fileName} title={name} dir="auto">
          {name}
        </p>
        <JobFacts job={job} />
        {notes}
      </div>
      {actions}
      {status === 'Running' && (
        <div className={classes.progress}>
          <ProgressLine label={text('jobs.progressOf', { name })} percent={percent} />
        </div>
      )}
      <JobOutcome job={job} />
      {children}
    </li>
  )
}
