import { expect, test, vi } from 'vitest'
import type { Batch } from '../../service/web/app/types.ts'
import { createBatchesStore } from './batches.ts'
import { testBatch, testCounts } from './test-batch.ts'

const setUp = (answer: () => Promise<Batch[]> = async () => []) => {
  const client = {
    batches: vi.fn(answer),
    createBatch: vi.fn(async () => testBatch({ id: 'new' })),
    pauseBatch: vi.fn(async (id: string) => testBatch({ id, state: 'paused' })),
    resumeBatch: vi.fn(async (id: string) => testBatch({ id })),
    cancelBatch: vi.fn(async (id: string) => testBatch({ id, state: 'canceled' })),
    moveBatch: vi.fn(async () => {}),
  }
  const store = createBatchesStore(client)
  return { client, store, ids: () => store.getState().batches.map(batch => batch.id) }
}

const done = (id: string, finishedAt: string) =>
  testBatch({ id, state: 'done', counts: testCounts({ succeeded: 3 }), finishedAt })

test('open batches keep the order of the service, finished ones follow, latest first', async () => {
  const { store, ids } = setUp(async () => [
    testBatch({ id: 'z' }),
    testBatch({ id: 'a', state: 'paused' }),
    done('early', '2026-11-20T12:01:00.000Z'),
    done('late', '2026-11-20T12:02:00.000Z'),
  ])
  await store.getState().load()
  expect(ids()).toEqual(['z', 'a', 'late', 'early'])
  store.getState().apply(new Map([['z', done('z', '2026-11-20T12:03:00.000Z')]]))
  expect(ids()).toEqual(['a', 'z', 'late', 'early'])
})

test('events that arrive while the list is read are newer than the list', async () => {
  const { promise, resolve } = Promise.withResolvers<Batch[]>()
  const { store, ids } = setUp(() => promise)
  const loading = store.getState().load()
  store.getState().apply(
    new Map([
      ['a', testBatch({ id: 'a', counts: testCounts({ succeeded: 2, waiting: 1 }) })],
      ['gone', null],
      ['added', testBatch({ id: 'added' })],
    ]),
  )
  resolve([testBatch({ id: 'a' }), testBatch({ id: 'gone' })])
  await loading
  expect(ids()).toEqual(['a', 'added'])
  expect(store.getState().batches[0]?.counts.succeeded).toBe(2)
})

test('a late answer does not reopen a finished batch', async () => {
  const { store, client } = setUp()
  const { promise, resolve } = Promise.withResolvers<Batch>()
  client.pauseBatch.mockReturnValueOnce(promise)
  store.getState().apply(new Map([['a', testBatch({ id: 'a' })]]))
  const pausing = store.getState().pause('a')
  store.getState().apply(new Map([['a', done('a', '2026-11-20T12:03:00.000Z')]]))
  resolve(testBatch({ id: 'a', state: 'paused' }))
  await pausing
  expect(store.getState().batches[0]?.state).toBe('done')
})

test("pausing, resuming and canceling immediately show the service's answer", async () => {
  const { store } = setUp()
  await store.getState().create({ fileIds: ['f'], targetFormat: 'jpg' })
  const state = () => store.getState().batches[0]?.state
  await store.getState().pause('new')
  expect(state()).toBe('paused')
  await store.getState().resume('new')
  expect(state()).toBe('active')
  await store.getState().cancel('new')
  expect(state()).toBe('canceled')
})

test('a batch moves by one place among the open ones', async () => {
  const open = ['a', 'b', 'c'].map(id => testBatch({ id }))
  const { store, client } = setUp(async () => [...open, done('d', '2026-11-20T12:03:00.000Z')])
  await store.getState().load()
  const { move } = store.getState()
  await move('c', 'up')
  await move('a', 'down')
  await move('b', 'down')
  await move('a', 'up')
  expect(client.moveBatch.mock.calls).toEqual([
    ['c', 'b'],
    ['a', 'c'],
    ['b', null],
  ])
})
