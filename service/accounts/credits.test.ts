import { expect, test, vi } from 'vitest'
import { fixed, perMegabyte, perMinute, perPage } from '../convert/catalogue/costing.ts'
import { isAddressOrRange } from '../shared/address-ranges.ts'
import { accountStore } from '../store/sql/accounts.ts'
import { Database } from '../store/sqlite/database.ts'
import { sqliteSql } from '../store/sqlite/sql.ts'
import { Accounts } from './accounts.ts'
import { Funds } from './funds.ts'
import { ApiKeys } from './keys.ts'
import { creditsFor } from './pricing.ts'

const open = async (freeCredits = 500) => {
  const store = accountStore(sqliteSql(new Database(':memory:')))
  const accounts = new Accounts(store, { freeCredits })
  return { store, accounts, owner: await accounts.owner() }
}

test.each([
  [perMegabyte(5), { bytes: 1 }, 1],
  [perMegabyte(5), { bytes: 5_000_000 }, 1],
  [perMegabyte(5), { bytes: 5_000_001 }, 2],
  [perMegabyte(25), { bytes: 16 * 2 ** 30 }, 688],
  [perPage(5, { baseCost: 2 }), { pages: 5 }, 2],
  [perPage(5, { baseCost: 2 }), { pages: 6 }, 4],
  [perPage(5), {}, 1],
  [perPage(5), { pages: 0 }, 1],
  [perMinute(5), { minutes: 0.01 }, 1],
  [perMinute(5), { minutes: 60.2 }, 13],
  [fixed(1), { bytes: 9e9 }, 1],
])('%o for %o costs %i', (costing, quantity, credits) => {
  expect(creditsFor(costing, quantity)).toBe(credits)
})

test('the owner starts with the free credits, granted once', async () => {
  const { accounts, store, owner } = await open(123)
  expect((await accounts.owner()).id).toBe(owner.id)
  expect((await store.get(owner.id))?.balance).toBe(123)
  expect(await store.entries(owner.id, null, 10)).toMatchObject([{ kind: 'grant', amount: 123 }])
})

test('a top-up has its own entry in the ledger', async () => {
  const { store, owner } = await open()
  expect(await store.topUp(owner.id, 1000, 'Top-up')).toBe(1500)
  expect((await store.entries(owner.id, null, 1))[0]).toMatchObject({ kind: 'top-up', amount: 1000 })
})

test('after a store error, the auto-top-up setting is read again', async () => {
  const { store, accounts, owner } = await open()
  const ownerOf = vi.spyOn(accounts, 'owner').mockRejectedValueOnce(new Error('out of reach'))
  const funds = new Funds({ store, owner: () => accounts.owner(), config: { autoTopUp: true }, isApp: true })
  await expect(funds.topUpCredits(owner.id)).rejects.toThrow('out of reach')
  expect(await funds.topUpCredits(owner.id)).toBe(500)
  expect(await funds.topUpCredits('another')).toBe(0)
  expect(ownerOf).toHaveBeenCalledTimes(2)
})

test('a key is checked for address, expiry and hash', async () => {
  const { store, owner } = await open()
  const keys = new ApiKeys(store)
  const allowed = { name: 'v6', ipAllowlist: ['2001:db8::/32', '192.0.2.1'] }
  const { secret } = await keys.create(owner.id, allowed)
  expect(await keys.verify(secret, '2001:db8:1::5')).toMatchObject({ accountId: owner.id, guest: false })
  expect(await keys.verify(secret, '2001:db9::1')).toBeUndefined()
  expect(await keys.verify(secret, '::ffff:192.0.2.1')).toBeDefined()
  expect(await keys.verify(secret, '192.0.2.2')).toBeUndefined()
  const aging = (await keys.create(owner.id, { name: 'aging', expiresAt: 1000 })).secret
  expect(await keys.verify(aging, '127.0.0.1', 999)).toBeDefined()
  expect(await keys.verify(aging, '127.0.0.1', 1000)).toBeUndefined()
})

test.each([
  ['127.0.0.1', true],
  ['10.0.0.0/8', true],
  ['2001:db8::/32', true],
  ['10.0.0.0/33', false],
  ['example.com', false],
  ['', false],
  ['10.0.0.0/8/8', false],
])('%s as an allowlist entry: %s', (entry, allowed) => {
  expect(isAddressOrRange(entry)).toBe(allowed)
})
