import { Button } from '@mantine/core'
import { memo, useId, useState } from 'react'
import type { AppJob, HistoryRow } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { JobFacts } from '../jobs/JobFacts.tsx'
import { JobOutcome } from '../jobs/JobOutcome.tsx'
import rows from '../jobs/JobRow.module.css'
import { PairTags } from '../jobs/PairTags.tsx'
import { text } from '../messages/text.ts'
import { formatName } from '../session/format-name.ts'
import { notifyProblem } from '../ui/notifications/notify.ts'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { HistoryActions } from './HistoryActions.tsx'
import classes from './HistoryView.module.css'

interface Props {
  row: HistoryRow
}

/** A file and its target with its last attempt; earlier attempts on demand. */
export const HistoryItem = memo(function HistoryItem({ row }: Props) {
  const id = useId()
  const [attempts, setAttempts] = useState<readonly AppJob[] | null>(null)
  const { inputName: name, tries, keyName } = row
  const unfold = () =>
    attempts ? setAttempts(null) : void api.attempts(row.id).then(setAttempts, notifyProblem)
  return (
    <li className={classes.row} aria-label={name} data-status={row.status}>
      <PairTags from={formatName(row.source)} to={row.targetLabel} />
      <div className={rows.words}>
        <p className={rows.name} title={name} dir="auto">
          {name}
        </p>
        <JobFacts job={row} />
        {keyName !== null && (
          <span className={classes.by}>{text('history.startedBy', { name: keyName })}</span>
        )}
        {tries > 1 && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={attempts !== null}
            aria-controls={attempts ? id : undefined}
            aria-label={text('history.showAttempts', { attempts: text('history.attempts', { tries }), name })}
            onClick={unfold}
          >
            {text('history.attempts', { tries })}
          </Button>
        )}
      </div>
      <HistoryActions row={row} />
      {row.status === 'Running' && (
        <div className={classes.wide}>
          <ProgressLine label={text('jobs.progressOf', { name })} percent={row.percent} />
        </div>
      )}
      <JobOutcome job={row} problem={undefined} />
      {attempts && (
        <ol
          id={id}
          className={`${classes.wide} ${classes.attempts}`}
          aria-label={text('history.attemptsOf', { name })}
        >
          {attempts.map(job => (
            <li key={job.id}>
              <JobFacts job={job} />
              <JobOutcome job={job} problem={undefined} />
            </li>
          ))}
        </ol>
      )}
    </li>
  )
})
