import { expect, test } from 'vitest'
import { overallOf, secondsLeft, shareOf } from './progress.ts'
import { testBatch, testCounts } from './test-batch.ts'
import { testJob } from './test-job.ts'

const at = (time: string) => `2026-11-20T${time}.000Z`

test('running jobs count by their own progress', () => {
  const batch = testBatch({ counts: testCounts({ succeeded: 1, failed: 1, running: 1, waiting: 1 }) })
  expect(shareOf(batch, [testJob(), testJob({ id: 'r', status: 'Running', percent: 50 })])).toBe(0.625)
  expect(shareOf(testBatch({ counts: testCounts({}) }), [])).toBe(0)
})

test('what is left is estimated by the pace of the latest jobs', () => {
  const batch = testBatch({ counts: testCounts({ succeeded: 3, waiting: 2 }) })
  const jobs = ['12:00:20', '12:00:30', '12:00:40'].map((time, index) =>
    testJob({ id: `d${index}`, startedAt: at('12:00:10'), finishedAt: at(time) }),
  )
  expect(secondsLeft(batch, jobs)).toBeCloseTo(20)
  expect(secondsLeft(batch, jobs.slice(1))).toBeNull()
  expect(secondsLeft({ ...batch, state: 'paused' }, jobs)).toBeNull()
})

test('all open batches are counted together, finished ones are not', () => {
  const open = [
    testBatch({ counts: testCounts({ succeeded: 2, failed: 1, waiting: 7 }) }),
    testBatch({ id: 'b2', state: 'paused', counts: testCounts({ waiting: 5 }) }),
  ]
  const finished = testBatch({ id: 'b3', state: 'done', counts: testCounts({ succeeded: 9 }) })
  expect(overallOf([...open, finished])).toEqual({ ended: 3, total: 15 })
  expect(overallOf([finished])).toBeNull()
})
