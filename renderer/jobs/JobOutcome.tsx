import type { AppJob } from '../../service/web/app/types.ts'
import { textIfAny } from '../messages/text.ts'
import classes from './JobOutcome.module.css'

/** Why a job failed and what to do, or notes about its result. */
export function JobOutcome({ job: { error, warnings } }: { job: AppJob }) {
  if (!error && warnings.length === 0) return null
  return (
    <div className={classes.outcome}>
      {error && (
        <p data-tone="danger">
          {textIfAny(`failures.${error.code}`) && <strong>{textIfAny(`failures.${error.code}`)}. </strong>}
          {error.detail}
        </p>
      )}
      {warnings.map(warning => (
        <p key={warning} data-tone="attention">
          {warning}
        </p>
      ))}
    </div>
  )
}
