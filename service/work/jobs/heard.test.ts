import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LocalEvents } from '../../store/events.ts'
import type { ServiceEvent } from '../../store/interfaces/events.ts'
import { HeardQueue } from './heard.ts'
import { JobRunner, type RunnerParts } from './runner.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const event = (jobId: string, now?: 'queued' | 'running' | 'ended'): ServiceEvent => ({
  ...{ type: 'job', accountId: 'a', jobId },
  ...(now ? { now } : {}),
})

function hearing(hosts: number) {
  const search = vi.fn()
  const heard = new HeardQueue(Object.assign(new LocalEvents(() => {}), { hosts }), search)
  heard.correct(0)
  const hear = (event: ServiceEvent) => {
    heard.note(event)
    heard.searchSoon()
  }
  return { heard, hear, search }
}

test('events that come close together lead to one search', () => {
  const { hear, search } = hearing(3)
  for (const id of ['1', '2', '3']) hear(event(id, 'queued'))
  vi.advanceTimersByTime(1000)
  expect(search).toHaveBeenCalledTimes(1)
})

test('what another host has taken or ended meanwhile is not searched for', () => {
  const { hear, search } = hearing(3)
  hear(event('1', 'queued'))
  hear(event('2', 'queued'))
  hear(event('1', 'running'))
  hear(event('2', 'ended'))
  vi.advanceTimersByTime(1000)
  expect(search).not.toHaveBeenCalled()
  // A version before this one does not say what became of a job.
  hear(event('3'))
  vi.advanceTimersByTime(1000)
  expect(search).toHaveBeenCalledTimes(1)
})

test('many hosts spread over a longer time, and search less often while they find nothing', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { heard, hear, search } = hearing(200)
  const after = () => {
    search.mockClear()
    const begun = Date.now()
    hear(event('1', 'queued'))
    while (search.mock.calls.length === 0) vi.advanceTimersByTime(1)
    return Date.now() - begun
  }
  expect(after()).toBeGreaterThan(1000)
  heard.found(false, 1)
  expect(after()).toBeGreaterThan(2000)
  heard.found(true, 1)
  expect(after()).toBeLessThan(1100)
  for (let n = 0; n < 20; n++) heard.found(true, 500)
  expect(after()).toBeGreaterThan(2500)
})

test('a host alone does not depend on events', () => {
  expect(hearing(1).heard.mayHold).toBe(true)
  expect(hearing(2).heard.mayHold).toBe(false)
})

test('jobs of which nobody told may wait, after a start and when the store has more than was heard of', () => {
  const { heard, hear } = hearing(3)
  expect(new HeardQueue(Object.assign(new LocalEvents(() => {}), { hosts: 3 }), () => {}).mayHold).toBe(true)
  hear(event('1', 'queued'))
  heard.correct(2)
  hear(event('1', 'running'))
  expect(heard.mayHold).toBe(true)
  heard.correct(0)
  expect(heard.mayHold).toBe(false)
})

test('a job that was counted before it was announced is one job', () => {
  const { heard, hear } = hearing(3)
  heard.correct(1)
  hear(event('1', 'queued'))
  hear(event('1', 'running'))
  expect(heard.mayHold).toBe(false)
  // Others that were never announced are not forgotten with it.
  heard.correct(2)
  hear(event('2', 'running'))
  hear(event('3', 'ended'))
  expect(heard.mayHold).toBe(true)
})

test('no more jobs wait than the store has, however their events were ordered', () => {
  const { heard, hear } = hearing(3)
  hear(event('1', 'running'))
  hear(event('1', 'queued'))
  hear(event('2', 'queued'))
  heard.correct(1)
  hear(event('2', 'running'))
  expect(heard.mayHold).toBe(false)
})

test('however many hosts there are and however slow the store is, a search comes within seconds', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const { heard, hear, search } = hearing(1000)
  for (let number = 0; number < 9; number++) heard.found(false, 1000)
  hear(event('1', 'queued'))
  vi.advanceTimersByTime(5_100)
  expect(search).toHaveBeenCalledTimes(1)
})

test('a host with a free slot searches before one without', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const { heard, search } = hearing(3)
  heard.note(event('1', 'queued'))
  heard.searchSoon(false)
  vi.advanceTimersByTime(100)
  expect(search).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(search).toHaveBeenCalledTimes(1)
})

test.each([
  [1, 2],
  [3, 1],
])(
  'of %i hosts, one whose only slot was just taken searches %i times at once: those that are free come first',
  async (hosts, searches) => {
    const claim = vi.fn().mockResolvedValueOnce({ id: '1', accountId: 'a', job: 'unknown' })
    const store = {
      claim,
      recover: async () => ({ requeued: [], interrupted: [] }),
      // The job does not end.
      fail: () => new Promise(() => {}),
    }
    const parts = {
      ...{ store, owner: 'host', scratch: '/scratch', onError: () => {} },
      events: Object.assign(new LocalEvents(() => {}), { hosts }),
      catalogue: { converters: [], byJob: () => undefined },
      config: { slots: 1, cores: 1 },
    }
    await new JobRunner(parts as unknown as RunnerParts).start()
    await vi.advanceTimersByTimeAsync(50)
    expect(claim).toHaveBeenCalledTimes(searches)
  },
)
