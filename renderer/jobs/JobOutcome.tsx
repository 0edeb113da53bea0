import type { AppJob } from '../../service/web/app/types.ts'
import classes from './JobOutcome.module.css'

/** Why a job failed and what to do, or notes about its result. */
export function JobOutcome({ job: { error, warnings } }: { job: AppJob }) {
  if (!error && warnings.length === 0) return null
  return (
    <div className={classes.outcome}>
      {error && <p data-tone="danger">{error.detail}</p>}
      {warnings.map(warning => (
        <p key={warning} data-tone="attention">
          {warning}
        </p>
      ))}
    </div>
  )
}
