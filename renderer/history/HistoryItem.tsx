import { Button } from '@mantine/core'
import { memo, useId, useState } from 'react'
import type { AppJob, HistoryRow } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { JobFacts } from '../jobs/JobFacts.tsx'
import { JobOutcome } from '../jobs/JobOutcome.tsx'
import { JobRow } from '../jobs/JobRow.tsx'
import { text } from '../messages/text.ts'
import { notifyProblem } from '../ui/notifications/notify.ts'
import { HistoryActions } from './HistoryActions.tsx'
import classes from './HistoryView.module.css'

/** A file and its target with its last attempt; earlier attempts on demand. */
export const HistoryItem = memo(function HistoryItem({ row }: { row: HistoryRow }) {
  const id = useId()
  const [attempts, setAttempts] = useState<readonly AppJob[] | null>(null)
  const { inputName: name, tries, keyName } = row
  const unfold = () =>
    attempts ? setAttempts(null) : void api.attempts(row.id).then(setAttempts, notifyProblem)
  const notes = (
    <>
      {keyName !== null && <span className="aside">{text('history.startedBy', { name: keyName })}</span>}
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
    </>
  )
  return (
    <JobRow job={row} className={classes.row} notes={notes} actions={<HistoryActions row={row} />}>
      {attempts && (
        <ol id={id} className={classes.attempts} aria-label={text('history.attemptsOf', { name })}>
          {attempts.map(job => (
            <li key={job.id}>
              <JobFacts job={job} />
              <JobOutcome job={job} />
            </li>
          ))}
        </ol>
      )}
    </JobRow>
  )
})
