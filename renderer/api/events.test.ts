import { expect, test, vi } from 'vitest'
import { testBatch } from '../jobs/test/batch.ts'
import { testJob } from '../jobs/test/job.ts'
import { followEvents, type LiveChanges } from './events.ts'

/** Replaces the browser's EventSource: an EventTarget with a state. */
class FakeSource extends EventTarget {
  readyState = 1
  close = vi.fn()
  emit(name: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }))
  }
}

function setUp() {
  const sources: FakeSource[] = []
  const frames: (() => void)[] = []
  const timers: { run: () => void; ms: number }[] = []
  const changes: LiveChanges[] = []
  const open = vi.fn()
  const lost = vi.fn()
  const stop = followEvents(
    { changes: each => changes.push(each), open, lost },
    {
      connect: () => {
        const source = new FakeSource()
        sources.push(source)
        return source as unknown as EventSource
      },
      schedule: run => frames.push(run),
      later: (run, ms) => timers.push({ run, ms }),
    },
  )
  return { sources, frames, timers, changes, open, lost, stop }
}

test('a burst becomes one change with the latest state of each job and batch', () => {
  const { sources, frames, changes } = setUp()
  for (let percent = 0; percent <= 50; percent++) sources[0]?.emit('job', testJob({ id: 'a', percent }))
  sources[0]?.emit('job', testJob({ id: 'b' }))
  sources[0]?.emit('removed', { id: 'b' })
  sources[0]?.emit('batch', testBatch({ id: 'x', state: 'active' }))
  sources[0]?.emit('batch', testBatch({ id: 'x', state: 'paused' }))
  sources[0]?.emit('batch', testBatch({ id: 'y' }))
  sources[0]?.emit('batch-removed', { id: 'y' })
  sources[0]?.emit('balance', { balance: 7 })
  expect(frames).toHaveLength(1)
  frames[0]?.()
  expect(changes).toHaveLength(1)
  expect(changes[0]?.jobs.get('a')?.percent).toBe(50)
  expect(changes[0]?.jobs.get('b')).toBeNull()
  expect(changes[0]?.batches.get('x')?.state).toBe('paused')
  expect(changes[0]?.batches.get('y')).toBeNull()
  expect(changes[0]?.balance).toBe(7)
})

test('reports when a stream is open again, so that missed events can be read', () => {
  const { sources, open, lost } = setUp()
  sources[0]?.dispatchEvent(new Event('open'))
  sources[0]?.dispatchEvent(new Event('error'))
  sources[0]?.dispatchEvent(new Event('open'))
  expect(open.mock.calls).toEqual([[false], [true]])
  expect(lost).toHaveBeenCalledOnce()
})

test('a refused stream is reopened at increasing intervals, and not after the end', () => {
  const { sources, timers, stop } = setUp()
  const refuse = (index: number) => {
    const source = sources[index]
    if (!source) throw new Error('not opened')
    source.readyState = 2
    source.dispatchEvent(new Event('error'))
  }
  refuse(0)
  timers[0]?.run()
  refuse(1)
  expect(timers.map(timer => timer.ms)).toEqual([1000, 2000])
  stop()
  timers[1]?.run()
  expect(sources).toHaveLength(2)
})
