import { expect, test, vi } from 'vitest'
import type { SpeechModel } from '../../service/web/app/types.ts'
import { createModelsStore } from './models.ts'

const model = (change: Partial<SpeechModel> = {}): SpeechModel => ({
  ...{ id: 'base', name: 'Whisper base', licence: 'MIT', bytes: 100, englishOnly: false, recommended: [] },
  ...{ state: 'absent', received: 0, problem: null, removable: false },
  ...change,
})

const setUp = (items = [model(), model({ id: 'tiny' })]) => {
  const client = {
    list: vi.fn(async () => ({ offline: false, items })),
    download: vi.fn(async (id: string) => model({ id, state: 'downloading' })),
    cancel: vi.fn(async () => {}),
    remove: vi.fn(async () => {}),
    add: vi.fn(async (_: File) => model({ state: 'installed' })),
  }
  return { client, store: createModelsStore(client) }
}

const states = (store: ReturnType<typeof setUp>['store']) =>
  store.getState().value?.items.map(({ state }) => state)

test('a download is shown at once, and then its reported progress', async () => {
  const { store } = setUp()
  await store.getState().load()
  await store.getState().download('base')
  expect(states(store)).toEqual(['downloading', 'absent'])
  store.getState().apply(new Map([['base', model({ state: 'downloading', received: 40 })]]))
  expect(store.getState().value?.items[0]?.received).toBe(40)
})

test('events before the first read, or about unknown items, change nothing', async () => {
  const { store } = setUp()
  store.getState().apply(new Map([['base', model()]]))
  expect(store.getState().value).toBeNull()
  await store.getState().load()
  const { value } = store.getState()
  store.getState().apply(new Map())
  expect(store.getState().value).toBe(value)
})

test('after a stop or a deletion the list is read again', async () => {
  const { store, client } = setUp()
  await store.getState().cancel('base')
  await store.getState().remove('base')
  expect(client.list).toHaveBeenCalledTimes(2)
})

test('a file becomes an installed model', async () => {
  const { store } = setUp()
  await store.getState().load()
  await store.getState().add(new File(['x'], 'ggml-base.bin'))
  expect(states(store)).toEqual(['installed', 'absent'])
})
