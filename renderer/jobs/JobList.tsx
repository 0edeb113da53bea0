import { Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import type { AppJob } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'
import { count } from '../ui/format.ts'
import classes from './JobList.module.css'
import { JobRow } from './JobRow.tsx'

const step = 50

interface Props {
  title: string
  jobs: readonly AppJob[]
  /** Whether there are more of them than are known here, so that no count can be given. */
  isPartial?: boolean
  actions?: ReactNode
  /** Shown between the title and the jobs. */
  before?: ReactNode
  onRemoved?: (id: string) => void
}

/** A titled list of jobs; long ones open step by step, so that a thousand stay light. */
export function JobList({ title, jobs, isPartial = false, actions, before, onRemoved }: Props) {
  const id = useId()
  const [shown, setShown] = useState(step)
  const more = Math.min(step, jobs.length - shown)
  return (
    <section aria-labelledby={id}>
      <header className={classes.header}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {!before && !isPartial && <span className={`${classes.count} numbers`}>{count(jobs.length)}</span>}
        <div className={classes.actions}>{actions}</div>
      </header>
      {before}
      {jobs.length > 0 && (
        <ul className={classes.list} aria-labelledby={id}>
          {jobs.slice(0, shown).map(job => (
            <JobRow key={job.id} job={job} onRemoved={onRemoved} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setShown(shown + step)}>
            {text('jobs.showMore', { value: more })}
          </Button>
        </div>
      )}
    </section>
  )
}
