import { expect, test } from 'vitest'
import { testJob } from '../jobs/test/job.ts'
import { openJobsOf } from './open.ts'

test('a program’s open jobs: running ones first, oldest first, and nobody else’s', () => {
  const at = (minute: number) => `2026-11-20T12:0${minute}:00.000Z`
  const of = (id: string, status: 'Running' | 'Queued' | 'Succeeded', minute: number, keyId = 'k') =>
    testJob({ id, status, keyId, origin: 'api', createdAt: at(minute) })
  const jobs = [
    of('late', 'Queued', 5),
    of('early', 'Queued', 1),
    of('runs', 'Running', 4),
    of('done', 'Succeeded', 0),
    of('other', 'Running', 0, 'another'),
    testJob({ id: 'app', status: 'Running' }),
  ]
  expect(openJobsOf(jobs, 'k').map(({ id }) => id)).toEqual(['runs', 'early', 'late'])
})
