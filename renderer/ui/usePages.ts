import { useCallback, useEffect, useState } from 'react'
import type { Page } from '../../service/web/app/types.ts'

export interface Paged<T> {
  items: readonly T[]
  /** `more` if the service has older ones. */
  status: 'loading' | 'more' | 'end' | 'failed'
  loadMore(): void
  /** Replaces what is shown without asking the service. */
  edit: (change: (items: readonly T[]) => readonly T[]) => void
  reload(): void
}

/** Reads a list page by page, newest first. `load` must be the same function on every render. */
export function usePages<T>(load: (before: string | null) => Promise<Page<T>>): Paged<T> {
  const [items, setItems] = useState<readonly T[]>([])
  const [next, setNext] = useState<string | null>(null)
  const [status, setStatus] = useState<Paged<T>['status']>('loading')

  const read = useCallback(
    async (before: string | null) => {
      setStatus('loading')
      try {
        const page = await load(before)
        setItems(known => (before ? [...known, ...page.items] : page.items))
        setNext(page.next)
        setStatus(page.next ? 'more' : 'end')
      } catch {
        setStatus('failed')
      }
    },
    [load],
  )
  const reload = useCallback(() => void read(null), [read])
  useEffect(reload, [reload])

  return { items, status, loadMore: () => void read(next), edit: setItems, reload }
}
