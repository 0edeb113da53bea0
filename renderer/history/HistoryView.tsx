import { Button, Text } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx'
import { dayHeading } from '../ui/format.ts'
import { EmptyState } from '../ui/list/EmptyState.tsx'
import { LoadMore } from '../ui/list/LoadMore.tsx'
import { notify } from '../ui/notifications/notify.ts'
import { PageFrame } from '../ui/PageFrame.tsx'
import { hrefOf } from '../ui/route.ts'
import { useNow } from '../ui/useNow.ts'
import { BatchItem } from './BatchItem.tsx'
import { Filters } from './Filters.tsx'
import { HistoryItem } from './HistoryItem.tsx'
import classes from './HistoryView.module.css'
import { removals } from './removals.ts'
import { NO_FILTER, useHistory } from './store.ts'

/** Minimum interval between two reads of the list while new jobs arrive. */
const REFRESH_MS = 1500

/** Keeps the list up to date. */
function useLiveHistory(): void {
  const refresh = useThrottledCallback(useHistory.getState().load, REFRESH_MS)
  useEffect(() => {
    refresh()
    const stop = useJobs.subscribe(({ jobs }, before) => {
      if (jobs === before.jobs) return
      const changed = new Map([...jobs].filter(([id, job]) => before.jobs.get(id) !== job))
      const gone = [...before.jobs.keys()].filter(id => !jobs.has(id)).map(id => [id, null] as const)
      if (useHistory.getState().apply(new Map([...changed, ...gone]))) refresh()
    })
    return () => {
      stop()
      removals.finish()
    }
  }, [refresh])
}

/** An id has no spaces. */
const idOf = (day: string) => `day-${day.replaceAll(' ', '-')}`

/** All conversions, newest first, by day: a row for each batch, and for each file that was found or converted alone. */
export function HistoryView() {
  useLiveHistory()
  const { filter, items: rows, total, status, leaving, narrow, clear, load, loadMore } = useHistory()
  const [clearing, setClearing] = useState(false)
  const now = useNow()
  const days = useMemo(() => {
    const shown = rows.filter(({ id }) => !leaving.has(id))
    return [...Map.groupBy(shown, ({ createdAt }) => new Date(createdAt).toDateString())]
  }, [rows, leaving])
  const isFiltered = Object.values(filter).some(Boolean)
  const isEmpty = rows.length === 0 && status === 'end'
  return (
    <PageFrame
      title={text('pages.history')}
      actions={
        rows.length > 0 && (
          <Button variant="default" onClick={() => setClearing(true)}>
            {text('history.clear')}
          </Button>
        )
      }
    >
      {isEmpty && !isFiltered ? (
        <EmptyState title={text('history.emptyTitle')} text={text('history.emptyText')}>
          <Button component="a" href={hrefOf('convert')}>
            {text('jobs.emptyAction')}
          </Button>
        </EmptyState>
      ) : (
        <Filters />
      )}
      {isFiltered && status !== 'loading' && (
        <p className="remark" role="status">
          {text('history.found', { total })}{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => void narrow(NO_FILTER)}>
            {text('history.reset')}
          </Button>
        </p>
      )}
      {days.map(([day, jobs]) => (
        <section key={day} aria-labelledby={idOf(day)}>
          <Text component="h2" id={idOf(day)} fz="var(--text-md)" fw={650} mb={10}>
            {dayHeading(jobs[0]?.createdAt ?? '', now)}
          </Text>
          <ul className={classes.list} aria-labelledby={idOf(day)}>
            {jobs.map(row =>
              row.batch ? <BatchItem key={row.batchId} row={row} /> : <HistoryItem key={row.id} row={row} />,
            )}
          </ul>
        </section>
      ))}
      {!isEmpty && (
        <LoadMore
          paged={{ status, loadMore: rows.length === 0 ? load : loadMore }}
          label={text('history.older')}
          end={text('history.end')}
        />
      )}
      <ConfirmDialog
        name={clearing ? '' : undefined}
        title={() => text('history.clearTitle')}
        explanation={`${text('history.clearText', { total })} ${isFiltered ? text('history.clearFiltered') : ''}`}
        confirm={text('history.clearNow')}
        onConfirm={async () => notify(text('history.cleared', { removed: await clear() }))}
        onClose={() => setClearing(false)}
      />
    </PageFrame>
  )
}
