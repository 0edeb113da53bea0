import { useEffect, useRef, useState } from 'react'
import { create } from 'zustand'
import type { Page } from '../../../service/web/app/types.ts'

/** A list that is read page by page, newest first. */
export interface Paged<T> {
  items: readonly T[]
  /** `more` if the service has older ones. */
  status: 'loading' | 'more' | 'end' | 'failed'
  load(): Promise<void>
  loadMore(): Promise<void>
}

type Change<T> = Partial<Paged<T>> | ((state: Paged<T>) => Partial<Paged<T>>)

/** The paged part of a store. A late answer to an outdated question is dropped. @param taken gets each page that counts */
export function paging<T, Found extends Page<T>>(
  set: (change: Change<T>) => void,
  read: (before: string | null) => Promise<Found>,
  taken: (page: Found) => void = () => {},
): Paged<T> {
  let asked = 0
  let oldest: string | null = null
  const readPage = async (before: string | null) => {
    const question = ++asked
    set({ status: 'loading' })
    try {
      const page = await read(before)
      if (question !== asked) return
      oldest = page.next
      taken(page)
      set(({ items }) => ({
        items: before === null ? page.items : [...items, ...page.items],
        status: oldest === null ? 'end' : 'more',
      }))
    } catch {
      if (question === asked) set({ status: 'failed' })
    }
  }
  return { items: [], status: 'loading', load: () => readPage(null), loadMore: () => readPage(oldest) }
}

/** Reads a list page by page. `load` must be the same function on every render. */
export function usePages<T>(load: (before: string | null) => Promise<Page<T>>) {
  const latest = useRef(load)
  const [useStore] = useState(() =>
    create<Paged<T>>()(set => paging(set, (before: string | null) => latest.current(before))),
  )
  useEffect(() => {
    latest.current = load
    void useStore.getState().load()
  }, [load, useStore])
  return useStore()
}
