import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { NewApiKey } from '../interfaces/accounts.ts'
import { balanceOf, claim, newJob, type OpenStores, running, setUp, submitted, success } from './fixtures.ts'

const hashOf = (text: string): Uint8Array => createHash('sha256').update(text).digest()

const key = (accountId: string, id: string, settings: Partial<NewApiKey> = {}): NewApiKey => ({
  id,
  accountId,
  name: id,
  hash: hashOf(id),
  prefix: 'rf_12…',
  ipAllowlist: ['10.0.0.0/8'],
  guest: true,
  monthlyBudget: null,
  createdAt: 1000,
  expiresAt: 2000,
  lastUsedAt: null,
  ...settings,
})

/** What every account store must do. */
export function accountStoreContract(open: OpenStores): void {
  test('the owner is created once, with a grant', async () => {
    const { stores, account } = await setUp(open)
    const again = await Promise.all([1, 2, 3].map(() => stores.accounts.owner({ name: 'New', credits: 9 })))
    await stores.accounts.create({ name: 'Other', credits: 0 })
    again.push(await stores.accounts.owner({ name: 'New', credits: 9 }))
    for (const owner of again) expect(owner).toEqual({ id: account.id, name: 'Owner', balance: 500 })
    const entries = await stores.accounts.entries(account.id, null, 10)
    expect(entries).toMatchObject([{ kind: 'grant', amount: 500, jobId: null, category: null }])
    expect(await stores.accounts.get('nobody')).toBeUndefined()
  })

  test('the balance is the sum of the ledger', async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 7 })
    const kept = await running(stores, account.id, { creditCost: 3 })
    await stores.jobs.succeed(kept, success(kept))
    const canceled = await submitted(stores, account.id, { creditCost: 11 })
    await stores.jobs.cancel(canceled.id)
    expect(await stores.accounts.topUp(account.id, 100, 'Top-up')).toBe(597)
    const entries = await stores.accounts.entries(account.id, null, 50)
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['top-up', 100],
      ['refund', 11],
      ['charge', -11],
      ['charge', -3],
      ['grant', 500],
    ])
    expect(await balanceOf(stores, account.id)).toBe(597)
    expect(await balanceOf(stores, other.id)).toBe(7)
    const page = await stores.accounts.entries(account.id, entries[1]!.id, 2)
    expect(page).toEqual(entries.slice(2, 4))
  })

  test('spending is counted by category and day, net of refunds', async () => {
    const { stores, account } = await setUp(open)
    await submitted(stores, account.id, { creditCost: 3 })
    const refunded = await submitted(stores, account.id, { creditCost: 4 })
    await stores.jobs.cancel(refunded.id)
    await submitted(stores, account.id, { creditCost: 5, category: 'audio' })
    const { byDay, byCategory } = await stores.accounts.spending(account.id, 0)
    expect(byCategory).toEqual([
      { category: 'audio', spent: 5, jobs: 1 },
      { category: 'images', spent: 3, jobs: 1 },
    ])
    expect(byDay).toEqual([{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), spent: 8, jobs: 2 }])
    expect(await stores.accounts.spending(account.id, Date.now() + 1000)).toEqual({
      byDay: [],
      byCategory: [],
      byKey: [],
    })
  })

  test('an account has 6 jobs running and 18 open, or its own limits, which others do not notice', async () => {
    const { stores, account } = await setUp(open)
    const ids = [account.id]
    for (const name of ['One', 'Other']) ids.push((await stores.accounts.create({ name, credits: 100 })).id)
    const fill = async () => {
      for (const id of ids) {
        let kind = 'queued'
        while (kind === 'queued') ({ kind } = await stores.jobs.submit(newJob(id)))
        expect(kind).toBe('queue_full')
      }
      const hosts = ['a', 'b', 'c']
      let none = 0
      while (none < hosts.length) none = (await claim(stores, { owner: hosts[none % 3]! })) ? 0 : none + 1
      return Promise.all(ids.map(id => stores.jobs.counts(id)))
    }
    const usual = { queued: 12, running: 6, fromBatches: 0 }
    expect(await fill()).toEqual([usual, usual, usual])
    expect(await stores.accounts.setLimits(ids[1]!, { running: 20, open: 30 })).toBe(true)
    expect(await fill()).toEqual([usual, { queued: 10, running: 20, fromBatches: 0 }, usual])
    expect(await claim(stores, { fromIdleAccounts: true })).toBeUndefined()
    expect(await stores.accounts.setLimits(ids[1]!, { open: null })).toBe(true)
    expect((await stores.jobs.submit(newJob(ids[1]!))).kind).toBe('queue_full')
    expect((await stores.accounts.list()).map(({ limits }) => limits)).toEqual([
      { running: null, open: null },
      { running: 20, open: null },
      { running: null, open: null },
    ])
    expect(await stores.accounts.setLimits('nobody', { open: 1 })).toBe(false)
  })

  test('a closed account has no keys and no sessions, and keeps its credits and jobs', async () => {
    const { stores, account } = await setUp(open)
    const { id } = await stores.accounts.create({ name: 'Other', credits: 7 })
    await stores.accounts.addKey(key(id, 'first'))
    await stores.accounts.addKey(key(account.id, 'second'))
    await stores.accounts.addSession({
      hash: hashOf('s'),
      kind: 'session',
      accountId: id,
      role: 'member',
      expiresAt: 1000,
    })
    const job = await submitted(stores, id)
    expect(await stores.accounts.close(id)).toBe(true)
    expect(await stores.accounts.close(id)).toBe(false)
    expect(await stores.accounts.key('first')).toBeUndefined()
    expect(await stores.accounts.keys(id)).toEqual([])
    expect(await stores.accounts.session(hashOf('s'))).toBeUndefined()
    expect(await stores.accounts.key('second')).toBeDefined()
    expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'Queued' })
    expect(await stores.accounts.list()).toMatchObject([
      { id: account.id, closedAt: null },
      { id, balance: 6, closedAt: expect.any(Number) },
    ])
  })

  test('a person has one account, however many browsers sign in at once, and nobody else with the same name gets it', async () => {
    const { stores, account } = await setUp(open)
    const { accounts } = stores
    const ann = { issuer: 'https://login.example', subject: '1', name: 'Ann' }
    expect(await accounts.identified(ann, null)).toBeUndefined()
    expect(await accounts.identified({ ...ann, name: account.name }, 7)).toBeUndefined()
    const asked = await Promise.all([1, 2, 3, 4].map(() => accounts.identified(ann, 7)))
    const [id = ''] = new Set(asked)
    expect(new Set(asked)).toEqual(new Set([id]))
    expect(await accounts.get(id)).toMatchObject({ name: 'Ann', balance: 7 })
    for (const other of [{ subject: '2' }, { issuer: 'https://evil.example' }])
      expect(await accounts.identified({ ...ann, ...other }, 7)).toBeUndefined()
    // Whoever gets another name or address stays who they are.
    expect(await accounts.identified({ ...ann, name: 'Ann B.' }, 7)).toBe(id)
    await accounts.close(id)
    expect(await accounts.identified(ann, 7)).toBeUndefined()
    expect(await accounts.identified({ ...ann, name: 'New' }, 7)).toBeUndefined()
    const again = await accounts.create({ name: 'Ann', credits: 1 })
    expect(await accounts.identified(ann, 7)).toBe(again.id)
    expect(await accounts.list()).toHaveLength(3)
  })

  test('of many who create an account of the same name at once, one does; the name is free again once it is closed', async () => {
    const { stores } = await setUp(open)
    const create = () => stores.accounts.createUnlessTaken({ name: 'Ann', credits: 7 })
    const created = (await Promise.all(Array.from({ length: 20 }, create))).filter(each => each !== undefined)
    expect(created).toMatchObject([{ name: 'Ann', balance: 7 }])
    await stores.accounts.close(created[0]!.id)
    expect((await create())?.id).not.toBe(created[0]!.id)
    expect((await stores.accounts.list()).filter(({ closedAt }) => closedAt === null)).toHaveLength(2)
  })

  test('keys are found by their id, listed without their hash, and removed by their owner', async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 0 })
    const first = key(account.id, 'first')
    const second = key(account.id, 'second', {
      createdAt: 2000,
      expiresAt: null,
      guest: false,
      ipAllowlist: [],
    })
    await stores.accounts.addKey(first)
    await stores.accounts.addKey(second)
    await stores.accounts.addKey(key(other.id, 'third'))
    const found = await stores.accounts.key('first')
    expect({ ...found, hash: Buffer.from(found!.hash) }).toEqual({
      ...first,
      spentThisMonth: 0,
      hash: Buffer.from(first.hash),
    })
    await stores.accounts.touchKey('first', 1500)
    const { accountId: _, hash: __, ...shown } = first
    expect((await stores.accounts.keys(account.id)).map(({ id }) => id)).toEqual(['second', 'first'])
    expect((await stores.accounts.keys(account.id))[1]).toEqual({
      ...shown,
      spentThisMonth: 0,
      lastUsedAt: 1500,
    })
    expect(await stores.accounts.removeKey(other.id, 'first')).toBe(false)
    expect(await stores.accounts.removeKey(account.id, 'first')).toBe(true)
    expect(await stores.accounts.key('first')).toBeUndefined()
  })

  test('a link can be taken once; a session lasts, can be extended, and ends', async () => {
    const { stores, account } = await setUp(open)
    const link = {
      hash: hashOf('link'),
      kind: 'link',
      accountId: account.id,
      role: 'member',
      expiresAt: 1000,
    } as const
    const session = {
      hash: hashOf('session'),
      kind: 'session',
      accountId: account.id,
      role: 'owner',
      expiresAt: 1000,
    } as const
    await stores.accounts.addSession(link)
    await stores.accounts.addSession(session)
    expect(await stores.accounts.session(link.hash)).toBeUndefined()
    expect(await stores.accounts.takeLink(session.hash)).toBeUndefined()
    const taken = await Promise.all([1, 2, 3].map(() => stores.accounts.takeLink(link.hash)))
    expect(taken.filter(one => one !== undefined)).toMatchObject([{ accountId: account.id, expiresAt: 1000 }])
    await stores.accounts.prolongSession(session.hash, 2000)
    await stores.accounts.forgetSessions(2000)
    expect(await stores.accounts.session(session.hash)).toMatchObject({
      accountId: account.id,
      expiresAt: 2000,
    })
    await stores.accounts.forgetSessions(2001)
    expect(await stores.accounts.session(session.hash)).toBeUndefined()
  })
}
