import { Button, Group, Loader } from '@mantine/core'
import { text } from '../../messages/text.ts'
import { LoadFailed } from './LoadFailed.tsx'
import type { Paged } from './usePages.ts'

interface Props {
  paged: Pick<Paged<unknown>, 'status' | 'loadMore'>
  label: string
  /** Text shown at the end. */
  end?: string
}

/** The end of a paged list: more, loading, failed, or complete. */
export function LoadMore({ paged, label, end }: Props) {
  if (paged.status === 'end' && !end) return null
  return (
    <Group justify="center" mih={36}>
      {paged.status === 'loading' && <Loader size="sm" role="status" aria-label={text('common.loading')} />}
      {paged.status === 'more' && (
        <Button variant="default" onClick={() => void paged.loadMore()}>
          {label}
        </Button>
      )}
      {paged.status === 'failed' && <LoadFailed onRetry={() => void paged.loadMore()} />}
      {paged.status === 'end' && end && <p className="aside">{end}</p>}
    </Group>
  )
}
