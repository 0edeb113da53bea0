import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
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

testFull(
  'everything is read when the stream opens, and again and again only while it is interrupted',
  async () => {
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
  },
)

test('the end is announced once, and not while more is going to be converted', async () => {
  const { useJoining } = await import('../convert/state/join/joining.ts')
  const { useJobs } = await import('../jobs/store.ts')
  const { testBatch, testCounts } = await import('../jobs/test/batch.ts')
  const notify = vi.spyOn(await import('../ui/notifications/notify.ts'), 'notify').mockReturnValue()
  vi.stubGlobal('location', { hash: '#/history' })
  const expectMore = vi.fn(async (_: boolean) => {})
  Object.assign(window, { refile: { expect: expectMore } })
  const { startLive } = await import('./live.ts')
  const stop = startLive()
  const show = (id: string, state: 'active' | 'done', succeeded: number, waiting = 0) =>
    useJobs.getState().apply({
      batches: new Map([[id, testBatch({ id, state, counts: testCounts({ succeeded, waiting }) })]]),
    })
  useJoining.setState({ waiting: new Set(['row']) })
  show('a', 'active', 0, 3)
  show('a', 'done', 3)
  // The file that was still being read joins.
  show('a', 'active', 3, 1)
  useJoining.setState({ waiting: new Set() })
  show('b', 'active', 0, 2)
  show('a', 'done', 4)
  expect(notify).not.toHaveBeenCalled()
  show('b', 'done', 2)
  expect(notify.mock.calls).toEqual([['6 files converted', undefined, false]])
  expect(expectMore.mock.calls).toEqual([[false], [true], [false]])
  stop()
})
