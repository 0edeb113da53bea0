import { useMemo } from 'react'
import type { AppJob } from '../../service/app/types.ts'
import type { WaitingItem } from './waiting.ts'

export interface BatchState {
  done: number
  total: number
  /** Seconds until all are through, null while that cannot be told. */
  left: number | null
}

const enoughToJudge = 3

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
  const starts = active.map(job => Date.parse(job.createdAt))
  const pause = 60_000
  // Jobs that ended shortly before the oldest open one was created were handed over in the same go.
  let since = Math.min(...starts, now)
  for (const job of finished) {
    if (Date.parse(job.finishedAt ?? job.createdAt) < since - pause) break
    since = Math.min(since, Date.parse(job.createdAt))
  }
  const ended = finished.filter(job => Date.parse(job.createdAt) >= since)
  const part = active.reduce((sum, job) => sum + job.percent / 100, 0)
  const open = active.length + held - part
  const spent = (now - since) / 1000
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
