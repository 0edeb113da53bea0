import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { followEvents } from '../api/events.ts'

const stream = vi.hoisted(() => ({ handlers: null as Parameters<typeof followEvents>[0] | null }))
vi.mock('../api/events.ts', () => ({
  followEvents: (handlers: Parameters<typeof followEvents>[0]) => {
    stream.handlers = handlers
    return () => {}
  },
}))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('everything is read when the stream opens, and again and again only while it is interrupted', async () => {
  const { useTable } = await import('../convert/state/store.ts')
  const { startLive } = await import('./live.ts')
  const restore = vi.fn(async () => {})
  useTable.setState({ restore })
  const stop = startLive()
  stream.handlers?.open(false)
  vi.advanceTimersByTime(60_000)
  expect(restore).toHaveBeenCalledTimes(1)
  stream.handlers?.lost()
  stream.handlers?.lost()
  vi.advanceTimersByTime(20_000)
  expect(restore).toHaveBeenCalledTimes(3)
  stream.handlers?.open(false)
  vi.advanceTimersByTime(60_000)
  expect(restore).toHaveBeenCalledTimes(4)
  stream.handlers?.lost()
  stop()
  vi.advanceTimersByTime(60_000)
  expect(restore).toHaveBeenCalledTimes(4)
})
