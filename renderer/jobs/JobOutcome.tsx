import type { AppJob } from '../../service/web/app/types.ts'
import { textIfAny } from '../messages/text.ts'
import classes from './JobOutcome.module.css'

interface Props {
  job: AppJob
  /** Why the result could not be saved to its folder. */
  problem: string | undefined
}

/** Why a job failed and what to do, or notes about its result. */
export function JobOutcome({ job, problem }: Props) {
  const { error, warnings } = job
  if (!error && !problem && warnings.length === 0) return null
  return (
    <div className={classes.outcome}>
      {error && (
        <p className={classes.error}>
          {textIfAny(`failures.${error.code}`) && <strong>{textIfAny(`failures.${error.code}`)}. </strong>}
          {error.detail}
        </p>
      )}
      {problem && <p className={classes.error}>{problem}</p>}
      {warnings.map(warning => (
        <p key={warning} className={classes.warning}>
          {warning}
        </p>
      ))}
    </div>
  )
}
