import { useCallback } from 'react'
import type { HistoryQuery, HistoryRow } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { JobRow } from '../jobs/JobRow.tsx'
import { text } from '../messages/text.ts'
import list from '../ui/list/List.module.css'
import { LoadMore } from '../ui/list/LoadMore.tsx'
import { usePages } from '../ui/list/usePages.ts'
import { HistoryActions } from './HistoryActions.tsx'
import { useHistory } from './store.ts'

interface Props {
  /** As JSON, so that the same question is asked once. */
  query: string
  label: string
}

/** A part of the history within another list, page by page. */
export function HistoryPages({ query, label }: Props) {
  const read = useCallback(
    (before: string | null) => api.history(JSON.parse(query) as HistoryQuery, { before }),
    [query],
  )
  const paged = usePages<HistoryRow>(read)
  const leaving = useHistory(state => state.leaving)
  const shown = paged.items.filter(({ id }) => !leaving.has(id))
  return (
    <>
      {shown.length > 0 && (
        <ul className={list.card} aria-label={label}>
          {shown.map(job => (
            <JobRow key={job.id} job={job} actions={<HistoryActions row={job} />} />
          ))}
        </ul>
      )}
      <LoadMore paged={paged} label={text('history.older')} />
    </>
  )
}
