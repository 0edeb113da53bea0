import { Button, Loader, SegmentedControl, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ComponentProps, useEffect, useMemo, useState } from 'react'
import type { AppJob, Batch, BatchCounts } from '../../service/app/types.ts'
import type { Catalogue } from '../api/contract.ts'
import { text } from '../messages/text.ts'
import { useSession } from '../shell/session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { tellProblem } from '../ui/notify.ts'
import { PageFrame } from '../ui/PageFrame.tsx'
import { hrefOf } from '../ui/route.ts'
import { useNow } from '../ui/useNow.ts'
import { BatchCard } from './BatchCard.tsx'
import { useBatches } from './batches.ts'
import { useCleared } from './cleared.ts'
import { useItems } from './items.ts'
import { JobList } from './JobList.tsx'
import classes from './JobsView.module.css'
import { saveAll } from './save.ts'
import { type Card, hasOutput, sectionsOf } from './sections.ts'
import { useJobs } from './store.ts'

type Filter = 'all' | 'succeeded' | 'failed' | 'canceled'
type Place = ComponentProps<typeof BatchCard>['place']

const filters = ['succeeded', 'failed', 'canceled'] as const

const placeOf = (index: number, open: number): Place => {
  if (open === 1) return 'only'
  if (index === 0) return 'first'
  return index === open - 1 ? 'last' : 'middle'
}

/** The category of a batch's conversion, as far as the catalogue is known. */
const categoryOf = ({ source, target }: Batch, catalogue: Catalogue | null): string | null =>
  catalogue?.conversions.find(
    each => each.inputFormats.includes(source) && each.outputFormats.includes(target),
  )?.category ?? null

const statusOf: Record<Exclude<Filter, 'all'>, AppJob['status']> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
}

const countOf: Record<Exclude<Filter, 'all'>, (counts: BatchCounts) => number> = {
  succeeded: counts => counts.succeeded,
  failed: counts => counts.failed,
  canceled: counts => counts.canceled,
}

/** Batches and the jobs outside them: what is open first, then what has finished. */
export function JobsView() {
  const { jobs, status: jobsStatus, load: loadJobs } = useJobs()
  const { batches, status: batchesStatus, load: loadBatches } = useBatches()
  const { clearedAt, clearFinished } = useCleared()
  const catalogue = useSession(state => state.catalogue)
  const [filter, setFilter] = useState<Filter>('all')
  const now = useNow()
  useEffect(() => useItems.getState().closeAll, [])
  const sections = useMemo(() => sectionsOf(jobs.values(), batches, clearedAt), [jobs, batches, clearedAt])
  const { openBatches, finishedBatches } = sections
  const saveable = [...sections.finished, ...finishedBatches.flatMap(card => card.jobs)].filter(
    job => hasOutput(job, now) && job.savedTo === null,
  )
  const found = filters.filter(
    each =>
      sections.finished.some(job => job.status === statusOf[each]) ||
      finishedBatches.some(({ batch }) => countOf[each](batch.counts) > 0),
  )
  const mixed = found.length > 1
  const shown = mixed && found.some(each => each === filter) ? filter : 'all'
  const listedBatches = finishedBatches.filter(
    ({ batch }) => shown === 'all' || countOf[shown](batch.counts) > 0,
  )
  const listed = sections.finished.filter(job => shown === 'all' || job.status === statusOf[shown])
  const anyFinished = sections.finished.length + finishedBatches.length > 0
  const failed = jobsStatus === 'failed' || batchesStatus === 'failed'
  const ready = jobsStatus === 'ready' && batchesStatus === 'ready'
  const nothing = openBatches.length + sections.now.length === 0 && !anyFinished

  const cards = (list: readonly Card[], place: (index: number) => Place = () => null) =>
    list.length > 0 && (
      <div className={classes.cards}>
        {list.map(({ batch, jobs }, index) => (
          <BatchCard
            key={batch.id}
            batch={batch}
            jobs={jobs}
            category={categoryOf(batch, catalogue)}
            place={place(index)}
          />
        ))}
      </div>
    )

  return (
    <PageFrame
      title={text('jobs.title')}
      actions={
        saveable.length > 0 && (
          <Tooltip label={text('jobs.saveAllHint', { value: saveable.length })}>
            <Button
              leftSection={<IconDownload size={18} stroke={1.9} aria-hidden="true" />}
              onClick={() => void saveAll(saveable).catch(tellProblem)}
            >
              {text('jobs.saveAll')}
            </Button>
          </Tooltip>
        )
      }
    >
      {failed && (
        <Notice
          tone="danger"
          title={text('errors.loadFailed')}
          actions={
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => void Promise.all([loadJobs(), loadBatches()])}
            >
              {text('common.tryAgain')}
            </Button>
          }
        />
      )}
      {nothing && !failed && !ready && <Loader role="status" aria-label={text('common.loading')} />}
      {nothing && ready && (
        <EmptyState title={text('jobs.emptyTitle')} text={text('jobs.emptyText')}>
          <Button component="a" href={hrefOf('convert')}>
            {text('jobs.emptyAction')}
          </Button>
        </EmptyState>
      )}
      {openBatches.length + sections.now.length > 0 && (
        <JobList
          title={text('jobs.sections.now')}
          jobs={sections.now}
          before={cards(openBatches, index => placeOf(index, openBatches.length))}
        />
      )}
      {anyFinished && (
        <JobList
          title={text('jobs.sections.finished')}
          jobs={listed}
          before={cards(listedBatches)}
          actions={
            <>
              {mixed && (
                <SegmentedControl
                  size="xs"
                  aria-label={text('jobs.filterLabel')}
                  data={(['all', ...found] as const).map(value => ({
                    value,
                    label: text(`jobs.filters.${value}`),
                  }))}
                  value={shown}
                  onChange={setFilter}
                />
              )}
              <Tooltip label={text('jobs.clearHint')}>
                <Button size="xs" variant="subtle" color="gray" onClick={clearFinished}>
                  {text('jobs.clear')}
                </Button>
              </Tooltip>
            </>
          }
        />
      )}
    </PageFrame>
  )
}
