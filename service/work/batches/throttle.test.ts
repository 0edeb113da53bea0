import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const unexpected = (error: unknown) => {
  throw error
}

test('a single call runs at once', () => {
  const done: string[] = []
  const throttle = new Throttle(100, key => done.push(key), unexpected)
  throttle.call('a')
  throttle.call('b')
  expect(done).toEqual(['a', 'b'])
  vi.advanceTimersByTime(1000)
  expect(done).toEqual(['a', 'b'])
})

test('500 calls in a second run ten times, and the last one counts', () => {
  let latest = 0
  const seen: number[] = []
  const throttle = new Throttle(100, () => seen.push(latest), unexpected)
  for (latest = 1; latest <= 500; latest++) {
    throttle.call('a')
    vi.advanceTimersByTime(2)
  }
  vi.advanceTimersByTime(100)
  expect(seen.length).toBeLessThanOrEqual(12)
  expect(seen.at(0)).toBe(1)
  expect(seen.at(-1)).toBeGreaterThanOrEqual(500)
})

test('once stopped it does nothing', () => {
  const action = vi.fn()
  const throttle = new Throttle(100, action, unexpected)
  throttle.call('a')
  throttle.call('a')
  throttle.stop()
  throttle.call('b')
  vi.advanceTimersByTime(1000)
  expect(action).toHaveBeenCalledTimes(1)
})

test('an action that fails is repeated until it succeeds, unless it is stopped', async () => {
  const errors: unknown[] = []
  const action = vi.fn(async () => {})
  action.mockRejectedValueOnce('full').mockRejectedValueOnce('still full')
  const throttle = new Throttle(100, action, error => errors.push(error))
  throttle.call('a')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(action).toHaveBeenCalledTimes(3)
  expect(errors).toEqual(['full', 'still full'])
  action.mockRejectedValueOnce('full again')
  throttle.call('a')
  throttle.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(action).toHaveBeenCalledTimes(4)
})
