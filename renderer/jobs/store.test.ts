import { expect, test, vi } from 'vitest'
import type { AppJob, Batch, BatchItem, Page } from '../../service/web/app/types.ts'
import type { Client } from '../api/client.ts'
import { batchList, conversionOf } from './conversions.ts'
import { createJobsStore } from './store.ts'
import { testBatch, testCounts, testItem } from './test/batch.ts'
import { testJob } from './test/job.ts'

const noon = Date.parse('2026-11-20T12:30:00Z')

const setUp = (pages: Page<AppJob>[] = [], batches: () => Promise<Batch[]> = async () => []) => {
  const client = {
    jobs: vi.fn(async () => pages.shift() ?? { items: [], next: null }),
    retry: vi.fn(async () => testJob({ id: 'again', status: 'Queued' })),
    batches: vi.fn(batches),
    batchItems: vi.fn(async (): Promise<Page<BatchItem>> => ({ items: [], next: null })),
    createBatch: vi.fn(async () => testBatch({ id: 'new' })),
    appendFiles: vi.fn(async (id: string) => testBatch({ id, counts: testCounts({ waiting: 4 }) })),
    retryItems: vi.fn(async () => testBatch({ id: 'new' })),
    removeItems: vi.fn(async () => {}),
    pauseBatch: vi.fn(async (id: string) => testBatch({ id, state: 'paused' })),
    resumeBatch: vi.fn(async (id: string) => testBatch({ id })),
    cancelBatch: vi.fn(async (id: string) => testBatch({ id, state: 'canceled' })),
  }
  const store = createJobsStore(client as unknown as Client, () => noon)
  const publish = (job: AppJob) => store.getState().apply({ jobs: new Map([[job.id, job]]) })
  const batchIds = () => batchList(store.getState()).map(({ id }) => id)
  return { client, store, publish, batchIds }
}

const ids = (jobs: ReadonlyMap<string, AppJob>) => [...jobs.keys()]
const of = (...batches: Batch[]) => ({ batches: new Map(batches.map(batch => [batch.id, batch])) })
const done = (id: string, finishedAt: string) =>
  testBatch({ id, state: 'done', counts: testCounts({ succeeded: 3 }), finishedAt })

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

test('a late answer undoes no event: jobs do not go back, and finished batches do not reopen', async () => {
  const { client, store, publish } = setUp()
  publish(testJob({ status: 'Running', percent: 40 }))
  publish(testJob({ status: 'Queued', percent: 0 }))
  expect(store.getState().jobs.get('j1')).toMatchObject({ status: 'Running', percent: 40 })
  publish(testJob({ status: 'Succeeded', savedTo: '/out/a.jpg' }))
  publish(testJob({ status: 'Succeeded', savedTo: null }))
  expect(store.getState().jobs.get('j1')).toMatchObject({ savedTo: '/out/a.jpg' })
  const { promise, resolve } = Promise.withResolvers<Batch>()
  client.pauseBatch.mockReturnValueOnce(promise)
  store.getState().apply(of(testBatch({ id: 'a' })))
  const pausing = store.getState().pause('a')
  store.getState().apply(of(done('a', '2026-11-20T12:03:00.000Z')))
  resolve(testBatch({ id: 'a', state: 'paused' }))
  await pausing
  expect(store.getState().batches.get('a')?.state).toBe('done')
})

test('a batch that is done continues when files are added to it', async () => {
  const { client, store } = setUp()
  store.getState().apply(of(done('a', '2026-11-20T12:03:00.000Z')))
  await store.getState().append('a', [{ ...testItem({}), fileId: 'late' }])
  expect(client.appendFiles).toHaveBeenCalledWith('a', ['late'])
  expect(store.getState().batches.get('a')?.state).toBe('active')
  expect(store.getState().items.get('late')).toMatchObject({ batchId: 'a', state: 'waiting' })
})

test('a fresh read drops what was removed meanwhile, and keeps what arrives as an event during it', async () => {
  const { client, store, publish } = setUp()
  publish(testJob({ id: 'a' }))
  client.jobs.mockImplementationOnce(async () => {
    publish(testJob({ id: 'new', status: 'Running' }))
    return { items: [testJob({ id: 'b' })], next: null }
  })
  await store.getState().load()
  expect(ids(store.getState().jobs)).toEqual(['b', 'new'])
})

test('a fresh read drops batches that were removed, but not those that are only too old to be listed', async () => {
  const { client, store, batchIds } = setUp()
  const old = done('old', '2026-11-19T12:00:00.000Z')
  store.getState().apply(of(old, done('removed', '2026-11-20T12:00:00.000Z')))
  const items = ['old', 'removed'].map(batchId => testItem({ id: batchId, fileId: batchId, batchId }))
  store.getState().apply({ items: new Map(items.map(item => [item.id, item])) })
  await store.getState().load()
  expect(batchIds()).toEqual(['old'])
  expect([...store.getState().items.keys()]).toEqual(['old'])
  expect(client.batchItems).toHaveBeenCalledTimes(2)
})

test('a failed read keeps what is known', async () => {
  const { client, store, publish } = setUp()
  publish(testJob())
  client.jobs.mockRejectedValueOnce(new Error('down'))
  await store.getState().load()
  expect(ids(store.getState().jobs)).toEqual(['j1'])
})

test('a retry is shown at once', async () => {
  const { store, publish } = setUp()
  publish(testJob())
  await store.getState().retry('j1')
  expect(ids(store.getState().jobs)).toContain('again')
})

test('open batches keep the order of the service, finished ones follow, latest first', async () => {
  const { store, batchIds } = setUp([], async () => [
    testBatch({ id: 'z' }),
    testBatch({ id: 'a', state: 'paused' }),
    done('early', '2026-11-20T12:01:00.000Z'),
    done('late', '2026-11-20T12:02:00.000Z'),
  ])
  await store.getState().load()
  expect(batchIds()).toEqual(['z', 'a', 'late', 'early'])
  store.getState().apply(of(done('z', '2026-11-20T12:03:00.000Z')))
  expect(batchIds()).toEqual(['a', 'z', 'late', 'early'])
})

test('events that arrive while the list is read are newer than the list', async () => {
  const { promise, resolve } = Promise.withResolvers<Batch[]>()
  const { store, batchIds } = setUp([], () => promise)
  const loading = store.getState().load()
  store.getState().apply({
    batches: new Map([
      ['a', testBatch({ id: 'a', counts: testCounts({ succeeded: 2, waiting: 1 }) })],
      ['gone', null],
      ['added', testBatch({ id: 'added' })],
    ]),
  })
  resolve([testBatch({ id: 'a' }), testBatch({ id: 'gone' })])
  await loading
  expect(batchIds()).toEqual(['a', 'added'])
  expect(store.getState().batches.get('a')?.counts.succeeded).toBe(2)
})

test("pausing, resuming and canceling immediately show the service's answer", async () => {
  const { store } = setUp()
  await store.getState().create({ fileIds: ['f'], targetFormat: 'jpg' }, [])
  const state = () => store.getState().batches.get('new')?.state
  await store.getState().pause('new')
  expect(state()).toBe('paused')
  await store.getState().resume('new')
  expect(state()).toBe('active')
  await store.getState().cancelBatch('new')
  expect(state()).toBe('canceled')
})

test('a conversion follows its item, its job and its batch', async () => {
  const { client, store, publish } = setUp()
  const file = testItem({ fileId: 'f' })
  const shown = () => conversionOf(store.getState(), 'f')
  await store.getState().create({ fileIds: ['f'], targetFormat: 'jpg' }, [file])
  expect(shown()).toMatchObject({ id: null, state: 'waiting', batchId: 'new', targetLabel: 'JPEG' })
  const ofFile = { fileId: 'f', batchId: 'new' }
  const read = testItem({ ...ofFile, id: 'i' })
  store.getState().apply({ items: new Map([['i', read]]) })
  const before = shown()
  publish(testJob({ id: 'other', fileId: 'g' }))
  expect(shown()).toBe(before)
  publish(testJob({ ...ofFile, status: 'Running', percent: 40 }))
  expect(shown()).toMatchObject({ id: 'i', state: 'running', job: { percent: 40 } })
  // Read before the job began.
  store.getState().apply({ items: new Map([['i', read]]) })
  expect(shown()?.state).toBe('running')
  const unsaved = { code: 'destination.taken', detail: 'Taken.' }
  publish(testJob(ofFile))
  store
    .getState()
    .apply({ items: new Map([['i', { ...read, state: 'succeeded', job: testJob(ofFile), error: unsaved }]]) })
  expect(shown()).toMatchObject({ state: 'succeeded', error: unsaved })
  publish(testJob({ ...ofFile, savedTo: '/out/photo.jpg' }))
  expect(shown()).toMatchObject({ savedTo: '/out/photo.jpg', error: null })
  // The job was removed from the history.
  store.getState().apply({ jobs: new Map([['j1', null]]) })
  expect(shown()).toMatchObject({ state: 'succeeded', savedTo: '/out/photo.jpg', job: null })
  await store.getState().retryItems('new', [file])
  expect(client.retryItems).toHaveBeenCalledWith('new', ['i'])
})

test('waiting files of a canceled batch are canceled', async () => {
  const { store } = setUp()
  await store.getState().create({ fileIds: ['f'], targetFormat: 'jpg' }, [testItem({ fileId: 'f' })])
  await store.getState().cancelBatch('new')
  expect(conversionOf(store.getState(), 'f')?.state).toBe('canceled')
})

test('a late list of items undoes no event: what is said of an item meanwhile stays', async () => {
  const { client, store } = setUp()
  const late = Promise.withResolvers<Page<BatchItem>>()
  client.batchItems.mockImplementation(() => late.promise)
  const item = testItem({ id: 'i', batchId: 'new', fileId: 'f' })
  await store.getState().create({ fileIds: ['f'], targetFormat: 'jpg' }, [item])
  const error = { code: 'destination.taken', detail: 'Taken.' }
  store.getState().apply({ items: new Map([['i', { ...item, error }]]) })
  late.resolve({ items: [{ ...item, error: null }], next: null })
  await store.getState().whenRead()
  expect(store.getState().items.get('f')).toMatchObject({ error })
})
