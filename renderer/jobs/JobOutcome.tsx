import type { AppJob } from '../../service/app/types.ts'
import { messages } from '../messages.ts'
import classes from './JobOutcome.module.css'

interface Props {
  job: AppJob
}

/** Why a job failed and what to do, or what to know of its result. */
export function JobOutcome({ job }: Props) {
  const { error, warnings } = job
  if (!error && warnings.length === 0) return null
  return (
    <div className={classes.outcome}>
      {error && (
        <p className={classes.error}>
          {messages.failures[error.code] && <strong>{messages.failures[error.code]}. </strong>}
          {error.detail}
        </p>
      )}
      {warnings.map(warning => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
    </div>
  )
}
