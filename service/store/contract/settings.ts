import { expect, test } from 'vitest'
import { type OpenStores, setUp } from './fixtures.ts'

/** What every settings store must do. */
export function settingsStoreContract(open: OpenStores): void {
  test('a setting has its last value, and belongs to its account alone', async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 0 })
    expect(await stores.settings.get(account.id, 'place')).toBeUndefined()
    await stores.settings.put(account.id, 'place', { folder: '/out' })
    await stores.settings.put(account.id, 'place', { folder: null, names: ['ä'] })
    await stores.settings.put(account.id, 'on', false)
    expect(await stores.settings.get(account.id, 'place')).toEqual({ folder: null, names: ['ä'] })
    expect(await stores.settings.get(account.id, 'on')).toBe(false)
    expect([...(await stores.settings.all(account.id)).keys()].toSorted()).toEqual(['on', 'place'])
    expect((await stores.settings.all(other.id)).size).toBe(0)
  })
}
