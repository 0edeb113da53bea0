import { Button } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useEffect } from 'react'
import { api } from '../api/client.ts'
import { useJobs } from '../jobs/store.ts'
import { text } from '../messages/text.ts'
import { EmptyState } from '../ui/list/EmptyState.tsx'
import { Loaded } from '../ui/list/Loaded.tsx'
import { PageFrame } from '../ui/PageFrame.tsx'
import { readingStore } from '../ui/reading.ts'
import { hrefOf } from '../ui/route.ts'
import { ProgramCard } from './ProgramCard.tsx'

const usePrograms = readingStore(api.programs)

/** Minimum interval between two counts of the programs while their jobs change. */
const REFRESH_MS = 1000

/** Conversions of API clients on this machine, by key: now, and in the last day. */
export function ProgramsView() {
  const store = usePrograms()
  const refresh = useThrottledCallback(store.load, REFRESH_MS)
  useEffect(() => useJobs.subscribe(({ jobs }, before) => jobs !== before.jobs && refresh()), [refresh])
  return (
    <PageFrame title={text('pages.programs')} intro={text('programs.intro')}>
      <Loaded from={store}>
        {programs =>
          programs.length === 0 ? (
            <EmptyState title={text('programs.emptyTitle')} text={text('programs.emptyText')}>
              <Button component="a" href={hrefOf('settings', 'api')}>
                {text('programs.emptyAction')}
              </Button>
            </EmptyState>
          ) : (
            programs.map(program => <ProgramCard key={program.keyId} program={program} />)
          )
        }
      </Loaded>
    </PageFrame>
  )
}
