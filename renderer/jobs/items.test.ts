import { expect, test, vi } from 'vitest'
import type { BatchItem, Page } from '../../service/app/types.ts'
import { createItemsStore } from './items.ts'
import { testItem } from './test-batch.ts'

/** A batch of 250 files, handed out in pages, and timers run by hand. */
function setUp() {
  const state = { items: Array.from({ length: 250 }, (_, index) => testItem({ id: `i${index}` })) }
  const timers: (() => void)[] = []
  const client = {
    batchItems: vi.fn(
      async (_id: string, { after, limit = 50 }: { after?: string | null; limit?: number } = {}) => {
        const start = after ? state.items.findIndex(item => item.id === after) + 1 : 0
        const items = state.items.slice(start, start + limit)
        const next = start + limit < state.items.length ? (items.at(-1)?.id ?? null) : null
        return { items, next } satisfies Page<BatchItem>
      },
    ),
    moveBatchItem: vi.fn(async () => {}),
  }
  const store = createItemsStore({ client, later: run => timers.push(run) })
  return { state, timers, client, store, list: () => store.getState().lists.get('b') }
}

test('a list is read page by page', async () => {
  const { store, list } = setUp()
  await store.getState().open('b')
  expect(list()).toMatchObject({ status: 'more', items: { length: 100 } })
  await store.getState().more('b')
  await store.getState().more('b')
  expect(list()).toMatchObject({ status: 'end', items: { length: 250 } })
  expect(new Set(list()?.items.map(item => item.id)).size).toBe(250)
})

test('a burst of changes reads what is shown once more, and only of unfolded batches', async () => {
  const { store, client, timers, state, list } = setUp()
  await store.getState().open('b')
  await store.getState().more('b')
  client.batchItems.mockClear()
  for (let change = 0; change < 500; change++) store.getState().changed('b')
  store.getState().changed('other')
  expect(timers).toHaveLength(1)
  state.items[150] = testItem({ id: 'i150', state: 'running' })
  timers[0]?.()
  await vi.waitFor(() => expect(list()?.items[150]?.state).toBe('running'))
  expect(client.batchItems).toHaveBeenCalledTimes(2)
  expect(list()?.items).toHaveLength(200)
})

test('a list that was folded up stays so', async () => {
  const { store, list } = setUp()
  const opening = store.getState().open('b')
  store.getState().close('b')
  await opening
  expect(list()).toBeUndefined()
})

test('a file moves before the first one that waits', async () => {
  const { store, client, state } = setUp()
  state.items[0] = testItem({ id: 'i0', state: 'running' })
  await store.getState().open('b')
  await store.getState().moveToFront('b', 'i7')
  await store.getState().moveToFront('b', 'i1')
  expect(client.moveBatchItem.mock.calls).toEqual([['b', 'i7', 'i1']])
})

test('a page that cannot be read leaves what is shown', async () => {
  const { store, client, list } = setUp()
  await store.getState().open('b')
  client.batchItems.mockRejectedValueOnce(new Error('gone'))
  await store.getState().more('b')
  expect(list()).toMatchObject({ status: 'failed', items: { length: 100 } })
  await store.getState().more('b')
  expect(list()).toMatchObject({ status: 'more', items: { length: 200 } })
})
