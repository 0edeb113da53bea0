import { Button, Code, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Program } from '../../service/web/app/types.ts'
import { HistoryActions } from '../history/HistoryActions.tsx'
import { HistoryPages } from '../history/HistoryPages.tsx'
import { JobRow } from '../jobs/JobRow.tsx'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { Panel } from '../ui/Panel.tsx'
import { useAction } from '../ui/useAction.ts'
import { openJobsOf } from './open.ts'
import classes from './ProgramCard.module.css'

const DAY_MS = 24 * 3600_000

/** One program: its current conversions, with a way to stop them, and those of the last day. */
export function ProgramCard({ program }: { program: Program }) {
  const { keyId, name, prefix, queued, running, succeeded, failed, canceled } = program
  const jobs = useJobs(state => state.jobs)
  const open = useMemo(() => openJobsOf(jobs.values(), keyId), [jobs, keyId])
  /** The question for the last day, once it was asked. */
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const { busy, act } = useAction()
  const cancelAll = () => act(() => Promise.all(open.map(({ id }) => useJobs.getState().cancel(id))))
  return (
    <Panel
      title={
        <>
          {name} <Code ms={4}>{prefix}</Code>
        </>
      }
      note={text('programs.counts', { succeeded, failed, canceled })}
      actions={
        open.length > 1 && (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            aria-label={text('programs.cancelAllNamed', { name })}
            onClick={() => void cancelAll()}
          >
            {text('programs.cancelAll')}
          </Button>
        )
      }
    >
      <Text className="remark numbers" mb={10}>
        {queued + running > 0 ? text('programs.open', { running, queued }) : text('programs.idle')}
      </Text>
      {open.length > 0 && (
        <ul className={classes.list} aria-label={text('programs.now', { name })}>
          {open.map(job => (
            <JobRow key={job.id} job={job} actions={<HistoryActions row={job} />} />
          ))}
        </ul>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        aria-expanded={unfolded !== null}
        aria-label={text('programs.lastDayOf', { name })}
        onClick={() => setUnfolded(unfolded === null ? lastDayOf(keyId) : null)}
      >
        {text('programs.lastDay')}
      </Button>
      {unfolded !== null && <HistoryPages query={unfolded} label={text('programs.lastDayOf', { name })} />}
    </Panel>
  )
}

const lastDayOf = (keyId: string): string =>
  JSON.stringify({ keyId, from: new Date(Date.now() - DAY_MS).toISOString() })
