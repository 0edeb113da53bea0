import { expect, onTestFinished, test, vi } from 'vitest'
import { testRow } from '../convert/state/rows/test/row.ts'
import { useTable } from '../convert/state/store.ts'
import { useJobs } from '../jobs/store.ts'
import { testJob } from '../jobs/test/job.ts'
import { subjectOf } from './action.ts'

const row = (id: string, state: 'failed' | 'canceled') =>
  testRow(id, {
    item: { id, batchId: 'b', state, job: null, error: null, savedTo: null, targetLabel: 'JPEG' },
  })

test('what failed is tried again, and what was canceled only if nothing failed', async () => {
  vi.stubGlobal('window', {})
  const [{ rows: before }, { retryItems }] = [useTable.getState(), useJobs.getState()]
  onTestFinished(() => {
    vi.unstubAllGlobals()
    useTable.setState({ rows: before })
    useJobs.setState({ retryItems })
  })
  const { retry } = await import('./retry.ts')
  const rows = [row('x', 'failed'), row('y', 'canceled')]
  useTable.setState({ rows: new Map(rows.map(each => [each.key, each])) })
  const again = vi.fn(async () => {})
  useJobs.setState({ retryItems: again })
  await retry.do(subjectOf(rows, []))
  await retry.do(subjectOf(rows.slice(1), []))
  expect(again.mock.calls).toEqual([
    ['b', [rows[0]]],
    ['b', [rows[1]]],
  ])
})

test('a browser downloads what was saved too, and the shell shows it in its folder', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('window', {})
  const { download } = await import('./download.ts')
  const [kept, saved] = [
    [{ job: testJob() }],
    [{ job: testJob({ id: 'j2' }), path: '/out/a.jpg', isKept: true }],
  ]
  const on = subjectOf([], [], {
    done: 2,
    failed: [],
    canceled: [],
    kept,
    saved,
    folders: ['/out'],
    any: true,
  })
  expect(download.name(on)).toBe('Download all')
  vi.stubGlobal('window', { refile: { reveal: () => {} } })
  expect(download.name(on)).toBe('Download')
})
