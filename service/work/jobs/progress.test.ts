import { setTimeout as after } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { localEvents } from '../../store/events.ts'
import { jobEvent, type ServiceEvent } from '../../store/interfaces/events.ts'
import type { Job } from '../../store/interfaces/jobs.ts'
import { LiveJobs, ProgressReport } from './progress.ts'

test('the estimated time left is right even if the clock is set back', async () => {
  const reported: ServiceEvent[] = []
  const events = localEvents(() => {})
  events.subscribe(event => reported.push(event))
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  clock.mockReturnValue(1e12)
  const report = new ProgressReport(events, { id: 'a', accountId: 'b' } as Job)
  await after(1000)
  clock.mockReturnValue(1e12 - 2 * 3600_000)
  report.update(0.1, 'converting')
  expect(reported).toHaveLength(2)
  const [, last] = reported
  const { eta } = (last?.type === 'progress' && last.progress) || { eta: null }
  expect(eta).toBeGreaterThanOrEqual(9)
  expect(eta).toBeLessThan(60)
})

test('progress of jobs of all hosts is forgotten when they end, or after an hour of silence', () => {
  const events = localEvents(() => {})
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  clock.mockReturnValue(1e6)
  const live = new LiveJobs(events)
  const known = () =>
    ['a', 'b', 'c', 'd'].filter(id => live.of({ id, status: 'Running' }) !== undefined).join('')
  const run = (jobId: string, eta: number) => {
    const progress = { percent: 1, phase: 'converting' as const, eta, warnings: [] }
    events.publish({ type: 'progress', accountId: 'x', jobId, progress })
  }
  run('a', 20)
  run('b', 9)
  run('c', 30)
  expect(known()).toBe('abc')
  expect([live.secondsToNextPlace('x'), live.secondsToNextPlace('y')]).toEqual([9, 60])
  // Another host has taken over the jobs of a host that is gone.
  events.publish(jobEvent({ id: 'b', accountId: 'x', batchId: null, attempts: 1 }, 'queued'))
  expect(known()).toBe('ac')
  expect(live.secondsToNextPlace('x')).toBe(20)
  clock.mockReturnValue(1e6 + 3_000_000)
  run('c', 5)
  clock.mockReturnValue(1e6 + 3_600_000)
  run('d', 5)
  expect(known()).toBe('cd')
})
