import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseClock } from './clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const AHEAD_MS = 3600_000

/** A clock of a database that is an hour ahead, and whose answers are late by these times, one after the other. */
function clockWith(...lateMs: number[]): DatabaseClock {
  const clock = new DatabaseClock(async () => {
    const time = Date.now() + AHEAD_MS
    vi.advanceTimersByTime(lateMs.shift() ?? 0)
    return time
  })
  onTestFinished(() => clock.stop())
  return clock
}

const wrongBy = (clock: DatabaseClock) => Math.abs(clock.now() - Date.now() - AHEAD_MS)

test('an answer that was held up does not set the clock, neither the first nor a later one', async () => {
  const clock = clockWith(600, 0, 600, 600, 600, 600, 600)
  await clock.set()
  expect(wrongBy(clock)).toBeLessThan(150)
  await clock.set()
  expect(wrongBy(clock)).toBeLessThan(150)
})

test('a database that is always slow sets the clock as well as it can', async () => {
  const clock = clockWith(700, 400, 700, 700, 700)
  await clock.set()
  expect(wrongBy(clock)).toBeLessThan(300)
})
