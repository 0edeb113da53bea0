import { expect, test } from 'vitest'
import { testBatch, testCounts } from '../../../jobs/test/batch.ts'
import { partsOf, resultOf, totalsOf } from './totals.ts'

test('what has become of all files is said, also of those that were canceled', () => {
  const batches = [
    testBatch({ state: 'done', counts: testCounts({ succeeded: 4, failed: 2 }) }),
    testBatch({ id: 'b2', state: 'canceled', counts: testCounts({ canceled: 10 }) }),
  ]
  const totals = totalsOf(batches)
  expect(resultOf(totals)).toBe('4 converted · 2 failed · 10 canceled')
  expect(partsOf(totals).map(({ of }) => of)).toEqual(['succeeded', 'failed', 'canceled'])
})

test('progress counts what one press has begun, with what has ended since and what is still being read', () => {
  const at = (minute: number) => `2026-11-20T12:0${minute}:00.000Z`
  const ended = { state: 'done', createdAt: at(2), finishedAt: at(3) } as const
  const batches = [
    testBatch({ createdAt: at(2), counts: testCounts({ waiting: 2, succeeded: 1 }) }),
    testBatch({ ...ended, id: 'same', counts: testCounts({ failed: 4 }) }),
    testBatch({ ...ended, id: 'before', finishedAt: at(1), counts: testCounts({ succeeded: 8 }) }),
  ]
  expect(totalsOf(batches, 5).open).toEqual({ total: 12, ended: 5, paused: false })
  expect(totalsOf([testBatch({ state: 'paused' })]).open?.paused).toBe(true)
  expect(totalsOf(batches.slice(1)).open).toBeNull()
})

test.each([
  [{ succeeded: 1, failed: 0 }, '1 file converted'],
  [{ succeeded: 0, failed: 2 }, '2 files failed'],
  [{ succeeded: 0, failed: 0, canceled: 3 }, 'Canceled'],
  [{ succeeded: 0, failed: 0 }, ''],
  [{ succeeded: 1, failed: 1 }, '1 converted · 1 failed'],
  [{ succeeded: 1, failed: 0, canceled: 2 }, '1 converted · 2 canceled'],
] as const)('%j is "%s"', (result, words) => {
  expect(resultOf(result)).toBe(words)
})
