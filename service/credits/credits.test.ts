import { expect, test } from 'vitest'
import { fixed, perMegabyte, perMinute, perPage } from '../catalogue/costing.ts'
import { Database } from '../storage/database.ts'
import { Accounts } from './accounts.ts'
import { ApiKeys, isAllowlistEntry } from './keys.ts'
import { Ledger, writeEntry } from './ledger.ts'
import { creditsFor } from './pricing.ts'

const open = (freeCredits = 500) => {
  const database = new Database(':memory:')
  const accounts = new Accounts(database, { freeCredits })
  return { database, accounts, owner: accounts.owner(), ledger: new Ledger(database) }
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

test('the owner starts with the free credits, once', () => {
  const { accounts, ledger, owner } = open(123)
  expect(accounts.owner().id).toBe(owner.id)
  expect(ledger.balance(owner.id)).toBe(123)
  expect(ledger.page(owner.id, null, 10)).toMatchObject([{ kind: 'grant', amount: 123 }])
})

test('the balance is the sum of the ledger', () => {
  const { database, ledger, owner } = open()
  writeEntry(database, {
    accountId: owner.id,
    kind: 'charge',
    amount: -7,
    reason: 'a',
    jobId: 'j',
    category: 'images',
  })
  writeEntry(database, {
    accountId: owner.id,
    kind: 'refund',
    amount: 7,
    reason: 'a',
    jobId: 'j',
    category: 'images',
  })
  ledger.topUp(owner.id, 1000)
  const { total } = database.get('SELECT SUM(amount) AS total FROM ledger') as { total: number }
  expect(ledger.balance(owner.id)).toBe(1500)
  expect(total).toBe(1500)
})

test('the ledger can be added to, and nothing else', () => {
  const { database } = open()
  expect(() => database.run('UPDATE ledger SET amount = 9999')).toThrow('append-only')
  expect(() => database.run('DELETE FROM ledger')).toThrow('append-only')
})

test('a job is charged once and refunded once', () => {
  const { database, ledger, owner } = open()
  const entry = { accountId: owner.id, reason: 'a', jobId: 'j', category: 'images' }
  writeEntry(database, { ...entry, kind: 'charge', amount: -5 })
  expect(() => writeEntry(database, { ...entry, kind: 'charge', amount: -5 })).toThrow('UNIQUE')
  writeEntry(database, { ...entry, kind: 'refund', amount: 5 })
  expect(() => writeEntry(database, { ...entry, kind: 'refund', amount: 5 })).toThrow('UNIQUE')
  expect(ledger.balance(owner.id)).toBe(500)
})

test('spending is counted by category and day, net of refunds', () => {
  const { database, ledger, owner } = open()
  const charge = (jobId: string, category: string, amount: number) =>
    writeEntry(database, {
      accountId: owner.id,
      kind: 'charge',
      amount: -amount,
      reason: 'a',
      jobId,
      category,
    })
  charge('1', 'images', 3)
  charge('2', 'images', 4)
  charge('3', 'audio', 5)
  writeEntry(database, {
    accountId: owner.id,
    kind: 'refund',
    amount: 4,
    reason: 'a',
    jobId: '2',
    category: 'images',
  })
  const { byCategory, byDay } = ledger.spending(owner.id, 0)
  expect(byCategory).toEqual([
    { category: 'audio', spent: 5, jobs: 1 },
    { category: 'images', spent: 3, jobs: 1 },
  ])
  expect(byDay).toEqual([{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), spent: 8, jobs: 2 }])
})

test('a key is verified by address, age and hash', () => {
  const { database, owner } = open()
  const keys = new ApiKeys(database)
  const { secret } = keys.create(owner.id, { name: 'v6', ipAllowlist: ['2001:db8::/32', '192.0.2.1'] })
  expect(keys.verify(secret, '2001:db8:1::5')).toEqual({ accountId: owner.id, guest: false })
  expect(keys.verify(secret, '2001:db9::1')).toBeUndefined()
  expect(keys.verify(secret, '::ffff:192.0.2.1')).toBeDefined()
  expect(keys.verify(secret, '192.0.2.2')).toBeUndefined()
  const aging = keys.create(owner.id, { name: 'aging', expiresAt: 1000 }).secret
  expect(keys.verify(aging, '127.0.0.1', 999)).toBeDefined()
  expect(keys.verify(aging, '127.0.0.1', 1000)).toBeUndefined()
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
  expect(isAllowlistEntry(entry)).toBe(allowed)
})
