/**
 * The page's own waiting list. The service takes a limited number of an account's jobs at once; what does not fit
 * waits here and is submitted as places open, moved on only by events: a job that ended, a timer the service asked for.
 */
import { create } from 'zustand'
import type { AppJob, NewJob } from '../../service/app/types.ts'
import { ApiError } from '../api/errors.ts'
import { problemText } from '../ui/problem.ts'

/** Queued and running jobs of an account that the service takes. */
export const places = 18
const submitsAtOnce = 3
const pauseWhenUnreachable = 5

export interface WaitingItem {
  /** The staged file's id. */
  id: string
  name: string
  bytes: number
  category: string
  targetLabel: string
  credits: number
  request: NewJob
  /** Why the service refused it; null while it waits. */
  problem: string | null
}

export interface WaitingState {
  items: readonly WaitingItem[]
  /** Set when credits ran out; the list goes on when there are some again. */
  outOfCredits: boolean
  add(items: readonly WaitingItem[]): void
  remove(id: string): void
  /** Takes out all that have not been handed over. */
  clear(): void
  /** Credits came in: try again. */
  resume(): void
  /** Submits what there are places for. Called whenever one may have opened. */
  pump(): void
}

interface WaitingDeps {
  submit: (job: NewJob) => Promise<AppJob>
  /** Jobs of the account that are queued or running, as far as known. */
  activeJobs: () => number
  accepted: (job: AppJob) => void
  now: () => number
  later: (run: () => void, ms: number) => unknown
}

export function createWaitingStore(deps: WaitingDeps) {
  const inFlight = new Set<string>()
  let holdUntil = 0

  return create<WaitingState>()((set, get) => {
    const hold = (seconds: number) => {
      holdUntil = Math.max(holdUntil, deps.now() + seconds * 1000)
      deps.later(() => get().pump(), holdUntil - deps.now())
    }

    const drop = (id: string) => set(state => ({ items: state.items.filter(item => item.id !== id) }))

    const refuse = (id: string, error: unknown) => {
      if (error instanceof ApiError) {
        if (error.status === 429) return hold(error.retryAfter ?? 1)
        if (error.status === 0) return hold(pauseWhenUnreachable)
        if (error.status === 402) return set({ outOfCredits: true })
      }
      const problem = problemText(error)
      set(state => ({ items: state.items.map(item => (item.id === id ? { ...item, problem } : item)) }))
    }

    const submit = async (item: WaitingItem) => {
      inFlight.add(item.id)
      try {
        const job = await deps.submit(item.request)
        drop(item.id)
        deps.accepted(job)
      } catch (error) {
        refuse(item.id, error)
      } finally {
        inFlight.delete(item.id)
      }
      get().pump()
    }

    return {
      items: [],
      outOfCredits: false,

      add(items) {
        set(state => ({ items: [...state.items, ...items] }))
        get().pump()
      },

      remove: drop,

      clear: () =>
        set(state => ({ items: state.items.filter(item => inFlight.has(item.id)), outOfCredits: false })),

      resume() {
        if (!get().outOfCredits) return
        set({ outOfCredits: false })
        get().pump()
      },

      pump() {
        if (get().outOfCredits || deps.now() < holdUntil) return
        for (const item of get().items) {
          if (inFlight.size >= submitsAtOnce || deps.activeJobs() + inFlight.size >= places) return
          if (!item.problem && !inFlight.has(item.id)) void submit(item)
        }
      },
    }
  })
}
