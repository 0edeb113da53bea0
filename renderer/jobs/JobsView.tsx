import { Button, Loader, SegmentedControl, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { AppJob } from '../../service/app/types.ts'
import { messages } from '../messages.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { tell, tellProblem } from '../ui/notify.ts'
import { PageFrame } from '../ui/PageFrame.tsx'
import { ProgressLine } from '../ui/ProgressLine.tsx'
import { hrefOf } from '../ui/route.ts'
import { useNow } from '../ui/useNow.ts'
import { useBatch } from './batch.ts'
import { useCleared } from './cleared.ts'
import { JobList } from './JobList.tsx'
import classes from './JobsView.module.css'
import { useWaiting } from './queue.ts'
import { saveOutputs } from './save.ts'
import { hasOutput, sectionsOf } from './sections.ts'
import { useJobs } from './store.ts'
import { WaitingList } from './WaitingList.tsx'

type Filter = keyof typeof messages.jobs.filters

const statusOf: Record<Exclude<Filter, 'all'>, AppJob['status']> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
}

async function saveAll(jobs: readonly AppJob[]): Promise<void> {
  try {
    const parts = await saveOutputs(jobs)
    if (parts > 1) tell(messages.jobs.saveAllParts(parts))
  } catch (error) {
    tellProblem(error)
  }
}

export function JobsView() {
  const { jobs, status, load } = useJobs()
  const { clearedAt, clearFinished } = useCleared()
  const waiting = useWaiting(state => state.items)
  const [filter, setFilter] = useState<Filter>('all')
  const now = useNow()
  const sections = useMemo(() => sectionsOf(jobs.values(), clearedAt), [jobs, clearedAt])
  const batch = useBatch(sections.now, sections.finished, waiting)
  const saveable = sections.finished.filter(job => hasOutput(job, now))
  const mixed = new Set(sections.finished.map(job => job.status)).size > 1
  const listed =
    filter === 'all' || !mixed
      ? sections.finished
      : sections.finished.filter(job => job.status === statusOf[filter])
  const nothing = sections.now.length + sections.finished.length + waiting.length === 0

  return (
    <PageFrame
      title={messages.jobs.title}
      actions={
        saveable.length > 0 && (
          <Tooltip label={messages.jobs.saveAllHint(saveable.length)}>
            <Button
              leftSection={<IconDownload size={18} stroke={1.9} aria-hidden="true" />}
              onClick={() => void saveAll(saveable)}
            >
              {messages.jobs.saveAll}
            </Button>
          </Tooltip>
        )
      }
    >
      {status === 'failed' && (
        <Notice
          tone="danger"
          title={messages.errors.loadFailed}
          actions={
            <Button size="compact-sm" variant="default" onClick={() => void load()}>
              {messages.common.tryAgain}
            </Button>
          }
        />
      )}
      {nothing && status === 'loading' && <Loader role="status" aria-label={messages.common.loading} />}
      {nothing && status === 'ready' && (
        <EmptyState title={messages.jobs.emptyTitle} text={messages.jobs.emptyText}>
          <Button component="a" href={hrefOf('convert')}>
            {messages.jobs.emptyAction}
          </Button>
        </EmptyState>
      )}
      {batch && batch.total > 1 && (
        <section className={classes.batch} aria-label={messages.jobs.batchProgress}>
          <p className={`${classes.batchText} numbers`}>
            <strong>{messages.jobs.batch(batch.done, batch.total)}</strong>
            {batch.left !== null && <span>{messages.jobs.batchLeft(batch.left)}</span>}
          </p>
          <ProgressLine label={messages.jobs.batchProgress} percent={(batch.done / batch.total) * 100} />
        </section>
      )}
      {sections.now.length > 0 && <JobList title={messages.jobs.sections.now} jobs={sections.now} />}
      <WaitingList />
      {sections.finished.length > 0 && (
        <JobList
          title={messages.jobs.sections.finished}
          jobs={listed}
          actions={
            <>
              {mixed && (
                <SegmentedControl
                  size="xs"
                  aria-label={messages.jobs.filterLabel}
                  data={Object.entries(messages.jobs.filters).map(([value, label]) => ({ value, label }))}
                  value={filter}
                  onChange={value => setFilter(value as Filter)}
                />
              )}
              <Tooltip label={messages.jobs.clearHint}>
                <Button size="xs" variant="subtle" color="gray" onClick={clearFinished}>
                  {messages.jobs.clear}
                </Button>
              </Tooltip>
            </>
          }
        />
      )}
    </PageFrame>
  )
}
