import { open } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { embeddedStores } from '../../../testing/stores.ts'
import { running, setUp } from '../contract/fixtures.ts'
import { historyStoreContract } from '../contract/history.ts'

historyStoreContract(embeddedStores)

test('rows that are removed are synced at once, all of them together', async () => {
  const { stores, account } = await setUp(embeddedStores)
  for (let row = 0; row < 3; row++) await stores.jobs.cancel((await running(stores, account.id)).id)
  await using file = await open(import.meta.filename)
  const syncing = vi.spyOn(Object.getPrototypeOf(file), 'sync')
  onTestFinished(() => syncing.mockRestore())
  expect(await stores.history.clear(account.id, {})).toHaveLength(3)
  expect(syncing).toHaveBeenCalledTimes(1)
})
