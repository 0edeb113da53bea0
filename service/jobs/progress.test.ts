import { setTimeout as after } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LocalEvents } from '../storage/events.ts'
import type { ServiceEvent } from '../stores/events.ts'
import type { Job } from '../stores/jobs.ts'
import { ProgressReport } from './progress.ts'

test('the time that is left is told right though the clock is set back meanwhile', async () => {
  const told: ServiceEvent[] = []
  const events = new LocalEvents(() => {})
  events.subscribe(event => told.push(event))
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  clock.mockReturnValue(1e12)
  const report = new ProgressReport(events, { id: 'a', accountId: 'b' } as Job)
  await after(1000)
  clock.mockReturnValue(1e12 - 2 * 3600_000)
  report.update(0.1, 'converting')
  expect(report.eta).toBeGreaterThanOrEqual(9)
  expect(report.eta).toBeLessThan(60)
  expect(told).toHaveLength(2)
})
