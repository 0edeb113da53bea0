import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const periodMs = 20_000
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, periodMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The current time, updated every 20 s by one clock for the whole page; for "3 min ago" and "kept 57 min more". */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => {
    if (Date.now() - now > periodMs) now = Date.now()
    return now
  })
