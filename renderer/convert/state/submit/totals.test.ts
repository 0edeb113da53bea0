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
