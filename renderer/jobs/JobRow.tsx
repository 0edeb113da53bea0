import { Group } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AppJob } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'
import { Thumbnail } from '../preview/thumbnail/Thumbnail.tsx'
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
  /** What it is called and what is said of it, if it stands for several. */
  name?: string
  facts?: ReactNode
  className?: string | undefined
  /** What stands below its facts. */
  notes?: ReactNode
  /** What stands below everything. */
  children?: ReactNode
}

/** One job: its formats, facts, actions and outcome. */
export function JobRow({ job, actions, name = job.inputName, className = classes.row, ...props }: Props) {
  const { category, id, output, percent, source, status, targetLabel } = job
  const { facts, notes, children } = props
  return (
    <li className={className} aria-label={name} data-status={status}>
      <Group gap={10} wrap="nowrap">
        <Thumbnail of={{ kind: output ? 'output' : 'input', id }} category={category} />
        <div className={classes.tags}>
          <FormatTag size="s" label={formatName(source)} />
          <IconArrowRight className="towards" size={14} aria-hidden="true" />
          <span className="hidden-text">{text('jobs.to')}</span>
          <FormatTag size="s" label={targetLabel} />
        </div>
      </Group>
      <div className={list.words}>
        <p className={list.fileName} title={name} dir="auto">
          {name}
        </p>
        {facts ?? <JobFacts job={job} />}
        {notes}
      </div>
      {actions}
      {status === 'Running' && (
        <div className={classes.progress}>
          <ProgressLine label={text('jobs.progressOf', { name })} percent={percent} />
        </div>
      )}
      {!facts && <JobOutcome job={job} />}
      {children}
    </li>
  )
}
