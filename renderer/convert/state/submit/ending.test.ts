import { expect, test } from 'vitest'
import type { AppJob } from '../../../../service/web/app/types.ts'
import type { Conversion } from '../../../jobs/conversions.ts'
import { testJob } from '../../../jobs/test/job.ts'
import { testRow } from '../rows/test/row.ts'
import { endingOf } from './ending.ts'

const row = (id: string, state: Conversion['state'], job: Partial<AppJob> = {}) =>
  testRow(id, {
    item: {
      ...{ id, batchId: 'b', state, error: null, targetLabel: 'JPEG', savedTo: job.savedTo ?? null },
      job: state === 'succeeded' ? testJob({ id, ...job }) : null,
    },
  })

test('results are kept until they expire, or saved, and what failed is not what was canceled', () => {
  const rows = [
    row('kept', 'succeeded'),
    row('expired', 'succeeded', { expiresAt: '2026-11-20T12:10:00.000Z' }),
    row('saved', 'succeeded', { savedTo: '/out/a.jpg' }),
    ...[row('failed', 'failed'), row('canceled', 'canceled'), row('running', 'running')],
  ]
  const { kept, saved, ...others } = endingOf(rows, Date.parse('2026-11-20T12:30:00.000Z'))
  expect(kept.map(({ job }) => job.id)).toEqual(['kept'])
  expect(saved).toMatchObject([{ job: { id: 'saved' }, path: '/out/a.jpg', isKept: true }])
  const [failed, canceled] = [['failed'], ['canceled']]
  expect(others).toEqual({ done: 3, failed, canceled, folders: ['/out'], any: true })
  expect(endingOf([row('running', 'running')], 0).any).toBe(false)
})
