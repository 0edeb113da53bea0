import { Button } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { api } from '../api/client.ts'
import { JobList } from '../jobs/JobList.tsx'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { dayHeading } from '../ui/format.ts'
import { LoadMore } from '../ui/LoadMore.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { hrefOf } from '../ui/route.ts'
import { useNow } from '../ui/useNow.ts'
import { usePages } from '../ui/usePages.ts'
import { byDay } from './days.ts'

const loadJobs = (before: string | null) => api.jobs({ before, limit: 50 })

/** Everything that was ever converted here, newest first, by day. */
export function HistoryView() {
  const paged = usePages(loadJobs)
  const now = useNow()
  const { items, edit } = paged

  // What happens meanwhile shows here too: new jobs on top, progress and ends in their places.
  useEffect(
    () =>
      useJobs.subscribe(({ jobs }, before) => {
        if (jobs === before.jobs) return
        edit(known => {
          const newest = known[0]?.createdAt ?? ''
          const ids = new Set(known.map(job => job.id))
          const added = [...jobs.values()]
            .filter(job => !ids.has(job.id) && job.createdAt >= newest)
            .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
          const kept = known.filter(job => jobs.has(job.id) || !before.jobs.has(job.id))
          return [...added, ...kept.map(job => jobs.get(job.id) ?? job)]
        })
      }),
    [edit],
  )

  const days = useMemo(() => byDay(items), [items])
  const empty = items.length === 0 && paged.status === 'end'
  return (
    <PageFrame title={text('history.title')}>
      {empty && (
        <EmptyState title={text('history.emptyTitle')} text={text('history.emptyText')}>
          <Button component="a" href={hrefOf('convert')}>
            {text('jobs.emptyAction')}
          </Button>
        </EmptyState>
      )}
      {days.map(({ day, jobs }, index) => (
        <JobList
          key={day}
          title={dayHeading(jobs[0]?.createdAt ?? '', now)}
          jobs={jobs}
          isPartial={index === days.length - 1 && paged.status !== 'end'}
          onRemoved={id => edit(known => known.filter(job => job.id !== id))}
        />
      ))}
      {!empty && <LoadMore paged={paged} label={text('history.older')} end={text('history.end')} />}
    </PageFrame>
  )
}
