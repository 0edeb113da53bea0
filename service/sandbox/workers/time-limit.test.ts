import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limitTime } from './time-limit.ts'

const LIMIT_MS = 10_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** When a task ends that gets this share of a core, in milliseconds; null if not within 200 s. */
function endOf(
  share: number | undefined,
  more: { wallMs?: number; progressMs?: number } = {},
): number | null {
  let ended: number | null = null
  let clock = 0
  const used = () => (share === undefined ? undefined : clock * share)
  const limit = limitTime({
    ...{ ms: LIMIT_MS, used, before: 0, wallMs: more.wallMs },
    onEnd: () => (ended ??= clock),
  })
  while (ended === null && clock < 200_000) {
    clock += 100
    if (more.progressMs && clock % more.progressMs === 0) limit.progress()
    vi.advanceTimersByTime(100)
  }
  limit.stop()
  return ended
}

test.each([
  ['that is busy ends after its time', 1, {}, LIMIT_MS],
  ['with several cores ends after the same time', 4, {}, LIMIT_MS],
  ['with a third of a core gets three times as long', 1 / 3, {}, 3 * LIMIT_MS],
  ['that is starved gets ten times as long', 0.02, {}, 10 * LIMIT_MS],
  ['that does nothing is hung', 0, {}, LIMIT_MS],
  ['that hardly stirs is hung too', 0.001, {}, LIMIT_MS],
  ['that waits, but gets on, is not', 0, { progressMs: 5000 }, 10 * LIMIT_MS],
  ['of unknown use gets three times as long', undefined, {}, 3 * LIMIT_MS],
  ['with a limit by the clock ends then', 1 / 3, { wallMs: LIMIT_MS }, LIMIT_MS],
  ['with a longer limit by the clock ends then', 1, { wallMs: 3 * LIMIT_MS }, 3 * LIMIT_MS],
] as const)('a task %s', (_, share, more, expected) => {
  expect(Math.abs((endOf(share, more) ?? 0) - expected)).toBeLessThanOrEqual(700)
})
