/** The page's one waiting list, tied to the service and to the jobs it knows of; a reload of the page keeps it. */
import { api } from '../api/client.ts'
import { isActive, useJobs } from './store.ts'
import { createWaitingStore, type WaitingItem } from './waiting.ts'

const storageKey = 'refile-waiting'

function activeJobs(): number {
  let active = 0
  for (const job of useJobs.getState().jobs.values()) if (isActive(job)) active++
  return active
}

export const useWaiting = createWaitingStore({
  submit: api.submit,
  activeJobs,
  accepted: job => useJobs.getState().apply(new Map([[job.id, job]])),
  now: Date.now,
  later: (run, ms) => setTimeout(run, ms),
})

/** Restores what waited before a reload and keeps the list moving. Returns what undoes it. */
export function startQueue(): () => void {
  const saved = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  if (saved) useWaiting.getState().add(JSON.parse(saved) as WaitingItem[])

  const save = () => {
    const { items } = useWaiting.getState()
    if (items.length > 0) sessionStorage.setItem(storageKey, JSON.stringify(items))
  }
  const stopWatching = useJobs.subscribe((state, before) => {
    if (state.jobs !== before.jobs) useWaiting.getState().pump()
  })
  window.addEventListener('pagehide', save)
  return () => {
    stopWatching()
    window.removeEventListener('pagehide', save)
  }
}
