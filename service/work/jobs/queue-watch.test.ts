import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { localEvents } from '../../store/events.ts'
import { type JobEvent, jobEvent, type ServiceEvent } from '../../store/interfaces/events.ts'
import { QueueWatch } from './queue-watch.ts'
import { JobRunner, type RunnerParts } from './runner.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const event = (id: string, now: JobEvent['now'], attempts = 0): ServiceEvent =>
  jobEvent({ id, accountId: 'a', batchId: null, attempts }, now)

function hearing(hosts: number) {
  const search = vi.fn()
  const watch = new QueueWatch(
    Object.assign(
      localEvents(() => {}),
      { hosts },
    ),
    search,
  )
  watch.correct(0)
  const note = (event: ServiceEvent) => {
    watch.note(event)
    watch.searchSoon(true)
  }
  return { watch, note, search }
}

test('events that come close together lead to one search', () => {
  const { note, search } = hearing(3)
  for (const id of ['1', '2', '3']) note(event(id, 'queued'))
  vi.advanceTimersByTime(1000)
  expect(search).toHaveBeenCalledTimes(1)
})

test('what another host has taken or ended meanwhile is not searched for', () => {
  const { note, search } = hearing(3)
  note(event('1', 'queued'))
  note(event('2', 'queued'))
  note(event('1', 'running'))
  note(event('2', 'ended'))
  vi.advanceTimersByTime(1000)
  expect(search).not.toHaveBeenCalled()
})

test('many hosts spread over a longer time, and search less often while they find nothing', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { watch, note, search } = hearing(200)
  const after = () => {
    search.mockClear()
    const started = Date.now()
    note(event('1', 'queued'))
    while (search.mock.calls.length === 0) vi.advanceTimersByTime(1)
    return Date.now() - started
  }
  expect(after()).toBeGreaterThan(1000)
  watch.found(false, 1)
  expect(after()).toBeGreaterThan(2000)
  watch.found(true, 1)
  expect(after()).toBeLessThan(1100)
  for (let n = 0; n < 20; n++) watch.found(true, 500)
  expect(after()).toBeGreaterThan(2500)
})

test('a host alone does not depend on events', () => {
  expect(hearing(1).watch.mayHold).toBe(true)
  expect(hearing(2).watch.mayHold).toBe(false)
})

test('jobs of which nobody told may wait, after a start and when the store has more than was watch of', () => {
  const { watch, note } = hearing(3)
  expect(
    new QueueWatch(
      Object.assign(
        localEvents(() => {}),
        { hosts: 3 },
      ),
      () => {},
    ).mayHold,
  ).toBe(true)
  note(event('1', 'queued'))
  watch.correct(2)
  note(event('1', 'running'))
  expect(watch.mayHold).toBe(true)
  watch.correct(0)
  expect(watch.mayHold).toBe(false)
})

test('a job that was counted before it was announced is one job', () => {
  const { watch, note } = hearing(3)
  watch.correct(1)
  note(event('1', 'queued'))
  note(event('1', 'running'))
  expect(watch.mayHold).toBe(false)
  // Others that were never announced are not forgotten with it.
  watch.correct(2)
  note(event('2', 'running'))
  note(event('3', 'ended'))
  expect(watch.mayHold).toBe(true)
})

test('no more jobs wait than the store has, however their events were ordered', () => {
  const { watch, note } = hearing(3)
  note(event('1', 'running'))
  note(event('1', 'queued'))
  note(event('2', 'queued'))
  watch.correct(1)
  note(event('2', 'running'))
  expect(watch.mayHold).toBe(false)
})

test('a job that is announced as waiting after it was announced as started does not wait', () => {
  const { watch, note, search } = hearing(3)
  note(event('1', 'running', 1))
  note(event('1', 'queued', 0))
  note(event('2', 'running', 2))
  note(event('2', 'ended', 2))
  note(event('2', 'queued', 1))
  vi.advanceTimersByTime(1000)
  expect(search).not.toHaveBeenCalled()
  expect(watch.mayHold).toBe(false)
  // Given back.
  note(event('1', 'queued', 1))
  vi.advanceTimersByTime(1000)
  expect(search).toHaveBeenCalledTimes(1)
})

test('however many hosts there are and however slow the store is, a search comes within seconds', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const { watch, note, search } = hearing(1000)
  for (let number = 0; number < 9; number++) watch.found(false, 1000)
  note(event('1', 'queued'))
  vi.advanceTimersByTime(5_100)
  expect(search).toHaveBeenCalledTimes(1)
})

test('a host with a free slot searches before one without', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const { watch, search } = hearing(3)
  watch.note(event('1', 'queued'))
  watch.searchSoon(false)
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
      open: async () => ({ queued: 1, running: 1 }),
      recover: async () => ({ requeued: [], interrupted: [] }),
      // The job does not end.
      fail: () => new Promise(() => {}),
    }
    const parts = {
      ...{ store, owner: 'host', scratch: '/scratch', onError: () => {} },
      events: Object.assign(
        localEvents(() => {}),
        { hosts },
      ),
      catalogue: { converters: [], byJob: () => undefined },
      config: { slots: 1, cores: 1 },
    }
    await new JobRunner(parts as unknown as RunnerParts).start()
    await vi.advanceTimersByTimeAsync(50)
    expect(claim).toHaveBeenCalledTimes(searches)
  },
)
