import { expect, test } from 'vitest'
import type { Batch } from '../../service/web/app/types.ts'
import { testBatch, testCounts } from '../jobs/test/batch.ts'
import { testJob } from '../jobs/test/job.ts'
import { finishedBatches, finishedJobs, isRunning, together } from './finished.ts'

const of = (batch: Batch) => new Map([[batch.id, batch]])

test("a batch is reported once, when it ends, with the service's counts", () => {
  const open = testBatch({ counts: testCounts({ succeeded: 480, waiting: 20 }) })
  const done = testBatch({ state: 'done', counts: testCounts({ succeeded: 488, failed: 12 }) })
  expect(finishedBatches(of(open), of(done))).toEqual([
    { id: 'b1', title: 'HEIC to JPEG: finished', succeeded: 488, failed: 12 },
  ])
  expect(finishedBatches(of(done), of(done))).toEqual([])
  // A page that has just been loaded did not see it open.
  expect(finishedBatches(new Map(), of(done))).toEqual([])
})

test('a canceled batch is not reported', () => {
  const canceled = testBatch({ state: 'canceled', counts: testCounts({ succeeded: 1, canceled: 2 }) })
  expect(finishedBatches(of(testBatch()), of(canceled))).toEqual([])
})

test('only jobs that the app submitted individually are reported', () => {
  const running = { status: 'Running', finishedAt: null } as const
  const all = [
    testJob({ id: 'again' }),
    testJob({ id: 'bad', status: 'Failed' }),
    testJob({ id: 'canceled', status: 'Canceled' }),
    testJob({ id: 'of-batch', batchId: 'b1' }),
    testJob({ id: 'of-program', origin: 'api' }),
  ]
  const before = new Map(all.map(job => [job.id, { ...job, ...running }]))
  const after = new Map(all.map(job => [job.id, job]))
  expect(finishedJobs(before, after)).toEqual([
    { id: 'again', title: 'photo.heic', succeeded: 1, failed: 0 },
    { id: 'bad', title: 'photo.heic', succeeded: 0, failed: 1 },
  ])
  expect(finishedJobs(after, after)).toEqual([])
})

test('several results are reported as one, and only when nothing runs', () => {
  const [one, two] = [
    { id: 'one', title: 'HEIC to JPEG: finished', succeeded: 3, failed: 0 },
    { id: 'two', title: 'a.pdf', succeeded: 0, failed: 1 },
  ]
  expect(together([one])).toEqual({ title: one.title, succeeded: 3, failed: 0 })
  expect(together([one, two])).toEqual({ title: null, succeeded: 3, failed: 1 })
  const jobs = new Map()
  expect(isRunning({ batches: of(testBatch()), jobs })).toBe(true)
  expect(isRunning({ batches: of(testBatch({ state: 'paused' })), jobs })).toBe(false)
  const running = testJob({ status: 'Running', finishedAt: null })
  expect(isRunning({ batches: new Map(), jobs: new Map([['a', running]]) })).toBe(true)
})
