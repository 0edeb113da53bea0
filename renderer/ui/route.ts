import { useSyncExternalStore } from 'react'

export const pages = ['convert', 'history', 'credits', 'keys', 'settings'] as const
export type PageName = (typeof pages)[number]

export const hrefOf = (page: PageName): string => `#/${page}`

/** The page a location hash names; the first one when it names none. */
export function pageOfHash(hash: string): PageName {
  const word = hash.replace(/^#\/?/, '').split(/[/?]/)[0]
  return pages.find(page => page === word) ?? 'convert'
}

const subscribe = (listener: () => void) => {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

export const usePage = (): PageName => useSyncExternalStore(subscribe, () => pageOfHash(location.hash))

export function goTo(page: PageName): void {
  if (pageOfHash(location.hash) !== page || location.hash === '') location.hash = hrefOf(page)
}
