import { expect, test, vi } from 'vitest'
import type { AppJob, Page } from '../../service/web/app/types.ts'
import { createJobsStore } from './store.ts'
import { testJob } from './test-job.ts'

const noon = Date.parse('2026-11-20T12:30:00Z')

const setUp = (pages: Page<AppJob>[] = []) => {
  const client = {
    jobs: vi.fn(async () => pages.shift() ?? { items: [], next: null }),
    cancel: vi.fn(async () => {}),
    retry: vi.fn(async () => testJob({ id: 'again', status: 'Queued' })),
    removeJob: vi.fn(async () => {}),
  }
  return { client, store: createJobsStore(client, () => noon) }
}

const ids = (jobs: ReadonlyMap<string, AppJob>) => [...jobs.keys()]

test('reads pages until jobs are older than a day, and leaves those to the history', async () => {
  const old = testJob({ id: 'old', createdAt: '2026-11-18T12:00:00.000Z' })
  const { client, store } = setUp([
    { items: [testJob({ id: 'a' })], next: '7' },
    { items: [testJob({ id: 'b' }), old], next: '3' },
  ])
  await store.getState().load()
  expect(client.jobs).toHaveBeenCalledTimes(2)
  expect(client.jobs).toHaveBeenLastCalledWith({ before: '7', limit: 100 })
  expect(ids(store.getState().jobs)).toEqual(['a', 'b'])
})

test('keeps an old job that is still running', async () => {
  const old = testJob({ id: 'old', status: 'Running', createdAt: '2026-11-18T12:00:00.000Z' })
  const { store } = setUp([{ items: [old], next: null }])
  await store.getState().load()
  expect(ids(store.getState().jobs)).toEqual(['old'])
})

test('a late answer does not undo an event', () => {
  const { store } = setUp()
  store.getState().apply(new Map([['j1', testJob({ status: 'Running', percent: 40 })]]))
  store.getState().apply(new Map([['j1', testJob({ status: 'Queued', percent: 0 })]]))
  expect(store.getState().jobs.get('j1')).toMatchObject({ status: 'Running', percent: 40 })
})

test('a fresh read drops jobs that were removed meanwhile', async () => {
  const { store } = setUp([{ items: [testJob({ id: 'b' })], next: null }])
  store.getState().apply(new Map([['a', testJob({ id: 'a' })]]))
  await store.getState().load()
  expect(ids(store.getState().jobs)).toEqual(['b'])
})

test('a job that arrives as an event during the read is kept', async () => {
  const { client, store } = setUp()
  client.jobs.mockImplementationOnce(async () => {
    store.getState().apply(new Map([['new', testJob({ id: 'new', status: 'Running' })]]))
    return { items: [testJob({ id: 'b' })], next: null }
  })
  await store.getState().load()
  expect(ids(store.getState().jobs)).toEqual(['b', 'new'])
})

test('a failed first read is reported; a failed later one keeps the existing jobs', async () => {
  const { client, store } = setUp([{ items: [testJob()], next: null }])
  client.jobs.mockRejectedValueOnce(new Error('down'))
  await store.getState().load()
  expect(store.getState().status).toBe('failed')
  await store.getState().load()
  client.jobs.mockRejectedValueOnce(new Error('down'))
  await store.getState().load()
  expect(store.getState().status).toBe('ready')
  expect(ids(store.getState().jobs)).toEqual(['j1'])
})

test('removing and retrying are shown at once', async () => {
  const { client, store } = setUp()
  store.getState().apply(new Map([['j1', testJob()]]))
  await store.getState().retry('j1')
  await store.getState().remove('j1')
  expect(client.removeJob).toHaveBeenCalledWith('j1')
  expect(ids(store.getState().jobs)).toEqual(['again'])
})
