import { expect, test, vi } from 'vitest'
import type { HistoryPage, HistoryRow } from '../../service/web/app/types.ts'
import { testJob } from '../jobs/test/job.ts'
import { createHistoryStore, NO_FILTER, queryOf } from './store.ts'

const NOW = Date.parse('2026-11-22T08:00:00Z')
const row = (id: string, change: Partial<HistoryRow> = {}): HistoryRow => ({
  ...testJob({ id }),
  tries: 1,
  keyName: null,
  batch: null,
  ...change,
})

function setUp(pages: HistoryPage[] = [{ items: [row('b'), row('a')], next: null, total: 2 }]) {
  const client = {
    history: vi.fn(async (..._: unknown[]) => pages.shift() ?? { items: [], next: null, total: 0 }),
    removeFromHistory: vi.fn(async (..._: unknown[]) => {}),
    clearHistory: vi.fn(async () => ({ removed: 7 })),
  }
  const store = createHistoryStore(client, () => NOW)
  return { client, store, ids: () => store.getState().items.map(({ id }) => id) }
}

test('a query contains only the active filters', () => {
  expect(queryOf(NO_FILTER, NOW)).toEqual({})
  expect(queryOf({ ...NO_FILTER, source: 'api' }, NOW)).toEqual({ origin: 'api' })
  expect(
    queryOf({ search: ' a ', state: 'failed', category: 'audio', source: 'k1', days: '1' }, NOW),
  ).toEqual({
    ...{ search: 'a', state: 'failed', category: 'audio', keyId: 'k1', from: '2026-11-21T08:00:00.000Z' },
  })
})

test('pages follow each other with the same filter, and the total stays', async () => {
  const { store, client, ids } = setUp([
    { items: [row('c'), row('b')], next: '7', total: 3 },
    { items: [row('a')], next: null, total: null },
  ])
  await store.getState().narrow({ search: 'x' })
  expect(store.getState()).toMatchObject({ status: 'more', total: 3 })
  await store.getState().loadMore()
  expect(ids()).toEqual(['c', 'b', 'a'])
  expect(store.getState()).toMatchObject({ status: 'end', total: 3 })
  expect(client.history.mock.calls.map(([query, page]) => [query, page])).toEqual([
    [{ search: 'x' }, { before: null, limit: 50 }],
    [{ search: 'x' }, { before: '7', limit: 50 }],
  ])
})

test('a late answer to an earlier query does not replace a newer one', async () => {
  const { store, client, ids } = setUp()
  let answer: (page: HistoryPage) => void = () => {}
  client.history.mockImplementationOnce(() => new Promise(resolve => (answer = resolve)))
  const slow = store.getState().narrow({ search: 'slow' })
  await store.getState().narrow({ search: 'quick' })
  answer({ items: [row('slow')], next: null, total: 1 })
  await slow
  expect(ids()).toEqual(['b', 'a'])
})

test('changes of listed jobs are shown, and new jobs are reported', async () => {
  const { store, ids } = setUp([
    { items: [row('b', { tries: 3, status: 'Running' }), row('a')], next: null, total: 2 },
  ])
  await store.getState().load()
  expect(store.getState().apply(new Map([['b', testJob({ id: 'b' })]]))).toBe(false)
  expect(store.getState().items[0]).toMatchObject({ status: 'Succeeded', tries: 3 })
  expect(store.getState().apply(new Map([['a', null]]))).toBe(false)
  expect(ids()).toEqual(['b'])
  expect(store.getState().apply(new Map([['new', testJob({ id: 'new' })]]))).toBe(true)
})

test('a removal can be undone until it is done, and the row returns if it fails', async () => {
  const { store, client, ids } = setUp()
  const { leave, comeBack, remove } = store.getState()
  await store.getState().load()
  leave('a')
  comeBack('a')
  await remove('a')
  expect(client.removeFromHistory).not.toHaveBeenCalled()
  leave('a')
  await remove('a')
  expect(ids()).toEqual(['b'])
  client.removeFromHistory.mockRejectedValueOnce(new Error('refused'))
  leave('b')
  await expect(remove('b')).rejects.toThrow('refused')
  expect(ids()).toEqual(['b'])
  expect(store.getState()).toMatchObject({ leaving: new Set(['a']), total: 1 })
})

test('what stands for a batch is removed with all of it, and only all conversions are folded into batches', async () => {
  const sum = { files: 3, succeeded: 3, failed: 0, kept: 3, inputBytes: 9, outputBytes: 3 }
  const all = { items: [row('b', { batchId: 'batch', batch: sum })], next: null, total: 3 }
  const { store, client, ids } = setUp([all])
  await store.getState().load()
  store.getState().leave('b')
  await store.getState().remove('b')
  expect(client.removeFromHistory).toHaveBeenCalledWith('b', 'batch')
  expect(ids()).toEqual([])
  expect(store.getState().total).toBe(0)
  await store.getState().narrow({ search: 'x' })
  expect(client.history.mock.calls.map(([query]) => query)).toEqual([{ isFolded: true }, { search: 'x' }])
})

test('clearing removes what the filter shows', async () => {
  const { store, client } = setUp([])
  await store.getState().narrow({ state: 'failed' })
  expect(await store.getState().clear()).toBe(7)
  expect(client.clearHistory).toHaveBeenCalledWith({ state: 'failed' })
})
