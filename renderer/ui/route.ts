import { useSyncExternalStore } from 'react'

export const pages = ['convert', 'history', 'credits', 'programs', 'settings'] as const
export type PageName = (typeof pages)[number]

/** Address of a page, or of a section of one, such as `#/settings/api`. */
export const hrefOf = (page: PageName, section?: string): string =>
  section === undefined ? `#/${page}` : `#/${page}/${section}`

/** Pages that have become sections of others, by their former names. */
const formerPages = new Map([['keys', ['settings', 'api']]])

const wordsOf = (hash: string): string[] => {
  const words = hash.replace(/^#\/?/, '').split(/[/?]/)
  return formerPages.get(words[0] ?? '') ?? words
}

/** The page in a location hash; the first one by default. */
export function pageOfHash(hash: string): PageName {
  const [word] = wordsOf(hash)
  return pages.find(page => page === word) ?? 'convert'
}

let moved = false

/** Whether the person has opened another page or section since the app was opened. */
export const hasMoved = (): boolean => moved

const subscribe = (listener: () => void) => {
  const onChange = () => {
    moved = true
    listener()
  }
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

export const usePage = (): PageName => useSyncExternalStore(subscribe, () => pageOfHash(location.hash))

/** The section in the address after the page; undefined if there is none. */
export const useSection = (): string | undefined =>
  useSyncExternalStore(subscribe, () => wordsOf(location.hash)[1])

export function goTo(page: PageName): void {
  if (pageOfHash(location.hash) !== page || location.hash === '') location.hash = hrefOf(page)
}
