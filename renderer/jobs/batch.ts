import { useMemo } from 'react'
import type { AppJob } from '../../service/app/types.ts'
import { endOf } from './sections.ts'
import type { WaitingItem } from './waiting.ts'

export interface BatchState {
  done: number
  total: number
  /** Seconds until all are through, null while that cannot be told. */
  left: number | null
}

const enoughToJudge = 3
/** Milliseconds between jobs of what counts as one batch. */
const pause = 60_000

/**
 * How far the present batch is: every job since the oldest one that is still open, and what waits. Running jobs
 * count by their share. Null when nothing is open.
 */
export function batchOf(
  active: readonly AppJob[],
  finished: readonly AppJob[],
  waiting: readonly WaitingItem[],
  now: number,
): BatchState | null {
  const held = waiting.filter(item => !item.problem).length
  if (active.length + held === 0) return null
  const iso = (at: number) => new Date(at).toISOString()
  let since = active.map(job => job.createdAt).sort()[0] ?? iso(now)
  let earliestEnd = iso(Date.parse(since) - pause)
  // Jobs that ended shortly before the oldest open one was created were handed over in the same go.
  for (const job of finished) {
    if (endOf(job) < earliestEnd) break
    if (job.createdAt >= since) continue
    since = job.createdAt
    earliestEnd = iso(Date.parse(since) - pause)
  }
  const ended = finished.filter(job => job.createdAt >= since)
  const part = active.reduce((sum, job) => sum + job.percent / 100, 0)
  const open = active.length + held - part
  const spent = (now - Date.parse(since)) / 1000
  return {
    done: ended.length,
    total: ended.length + active.length + held,
    left: ended.length < enoughToJudge ? null : (spent / (ended.length + part)) * open,
  }
}

export function useBatch(
  active: readonly AppJob[],
  finished: readonly AppJob[],
  waiting: readonly WaitingItem[],
): BatchState | null {
  return useMemo(() => batchOf(active, finished, waiting, Date.now()), [active, finished, waiting])
}
