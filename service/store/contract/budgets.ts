import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { isFull } from '../../../testing/fixtures/full.ts'
import type { NewApiKey } from '../interfaces/accounts.ts'
import type { Stores } from '../interfaces/stores.ts'
import { balanceOf, newJob, type OpenStores, running, setUp, submitted } from './fixtures.ts'

const failure = { code: 'jobs.engine_crashed', reason: { key: 'jobs.engine_crashed' } } as const

async function addKey(stores: Stores, accountId: string, id: string, monthlyBudget: number | null) {
  const key: NewApiKey = {
    ...{ id, accountId, name: id, hash: new Uint8Array(32), prefix: 'rf_…', ipAllowlist: [], guest: false },
    ...{ monthlyBudget, createdAt: 1, expiresAt: null, lastUsedAt: null },
  }
  await stores.accounts.addKey(key)
  return id
}

const spentBy = async (stores: Stores, id: string) => (await stores.accounts.key(id))?.spentThisMonth

/** What every store must check when it charges: budgets of keys, and accounts that top themselves up. */
export function budgetContract(open: OpenStores): void {
  afterEach(() => void vi.useRealTimers())

  test('the jobs of a key cost no more in a month than its budget, however many are submitted at once', async () => {
    const { stores, account } = await setUp(open)
    const keyId = await addKey(stores, account.id, 'k', 10)
    const jobs = Array.from({ length: 12 }, () => newJob(account.id, { keyId, creditCost: 3 }))
    const answers = await Promise.all(jobs.map(job => stores.jobs.submit(job)))
    expect(answers.filter(({ kind }) => kind === 'queued')).toHaveLength(3)
    expect(answers.find(({ kind }) => kind !== 'queued')).toEqual({
      kind: 'over_budget',
      budget: 10,
      spent: 9,
    })
    expect(await spentBy(stores, keyId)).toBe(9)
    expect(await balanceOf(stores, account.id)).toBe(491)
    // A cheaper job still fits, and the account's other callers are not affected.
    await submitted(stores, account.id, { keyId, creditCost: 1 })
    await submitted(stores, account.id, { creditCost: 50 })
  })

  test('a budget applies even if the account tops itself up, and a raised one admits jobs again', async () => {
    const { stores, account } = await setUp(open)
    const keyId = await addKey(stores, account.id, 'k', 0)
    const job = newJob(account.id, { keyId })
    const refused = { kind: 'over_budget', budget: 0, spent: 0 }
    expect(await stores.jobs.submit(job, { topUpCredits: 500 })).toEqual(refused)
    expect(await stores.accounts.setBudget(account.id, keyId, 1)).toBe(true)
    expect((await stores.jobs.submit(job)).kind).toBe('queued')
    expect(await stores.accounts.setBudget(account.id, keyId, null)).toBe(true)
    await submitted(stores, account.id, { keyId, creditCost: 100 })
    const other = await stores.accounts.create({ name: 'Other', credits: 0 })
    expect(await stores.accounts.setBudget(other.id, keyId, 5)).toBe(false)
    expect((await stores.accounts.keys(account.id))[0]).toMatchObject({
      monthlyBudget: null,
      spentThisMonth: 101,
    })
  })

  test('a refund returns credits to the budget of the month of the charge only', async () => {
    const { stores, account } = await setUp(open)
    const keyId = await addKey(stores, account.id, 'k', 10)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-31T23:59:59.500Z') })
    const canceled = await submitted(stores, account.id, { keyId, creditCost: 4 })
    await stores.jobs.cancel(canceled.id)
    expect(await spentBy(stores, keyId)).toBe(0)
    await submitted(stores, account.id, { keyId, creditCost: 2 })
    const late = await submitted(stores, account.id, { keyId, creditCost: 8 })
    expect((await stores.jobs.submit(newJob(account.id, { keyId }))).kind).toBe('over_budget')
    vi.setSystemTime(Date.parse('2026-02-01T00:00:00Z'))
    expect(await spentBy(stores, keyId)).toBe(0)
    await stores.jobs.cancel(late.id)
    expect(await spentBy(stores, keyId)).toBe(0)
    await submitted(stores, account.id, { keyId, creditCost: 10 })
    expect((await stores.jobs.submit(newJob(account.id, { keyId }))).kind).toBe('over_budget')
    vi.setSystemTime(Date.parse('2026-01-31T23:59:59.999Z'))
    expect(await spentBy(stores, keyId)).toBe(2)
  })

  test('an account tops itself up with recorded grants, no more often than necessary', async () => {
    const { stores, account } = await setUp(open)
    await submitted(stores, account.id, { creditCost: 495 })
    const jobs = Array.from({ length: 10 }, () => newJob(account.id, { creditCost: 60 }))
    const answers = await Promise.all(jobs.map(job => stores.jobs.submit(job, { topUpCredits: 500 })))
    expect(answers.every(({ kind }) => kind === 'queued')).toBe(true)
    // 5 were left, 600 were spent: two grants of 500 cover them.
    expect(await balanceOf(stores, account.id)).toBe(405)
    const entries = await stores.accounts.entries(account.id, null, 50, { kind: 'grant' })
    const grant = { kind: 'grant', amount: 500, reason: 'Automatic top-up', jobId: null }
    expect(entries.slice(0, -1)).toMatchObject([grant, grant])
    const large = await stores.jobs.submit(newJob(account.id, { creditCost: 1500 }), { topUpCredits: 500 })
    expect(large.kind).toBe('queued')
    expect(await balanceOf(stores, account.id)).toBe(405)
    expect((await stores.accounts.entries(account.id, null, 2))[1]).toMatchObject({
      kind: 'grant',
      amount: 1500,
    })
  })

  test('nothing is granted for a job that is not queued', async () => {
    const { stores, account } = await setUp(open)
    for (let count = 0; count < 18; count++) await submitted(stores, account.id, { creditCost: 27 })
    const job = newJob(account.id, { creditCost: 100 })
    expect(await stores.jobs.submit(job, { topUpCredits: 500 })).toEqual({ kind: 'queue_full' })
    const other = await stores.accounts.create({ name: 'Other', credits: 0 })
    expect(await stores.jobs.submit(newJob(other.id))).toEqual({ kind: 'insufficient_credits', available: 0 })
    const double = newJob(other.id)
    await stores.jobs.submit(double, { topUpCredits: 1 })
    await expect(stores.jobs.submit(double, { topUpCredits: 1 })).rejects.toThrow()
    const entries = await stores.accounts.entries(other.id, null, 10)
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['charge', -1],
      ['grant', 1],
    ])
    expect(await balanceOf(stores, account.id)).toBe(14)
  })

  test('the last choice decides whether an account tops itself up', async () => {
    const { stores, account } = await setUp(open)
    expect(await stores.accounts.autoTopUp(account.id)).toBeNull()
    await stores.accounts.setAutoTopUp(account.id, true)
    expect(await stores.accounts.autoTopUp(account.id)).toBe(true)
    await stores.accounts.setAutoTopUp(account.id, false)
    expect(await stores.accounts.autoTopUp(account.id)).toBe(false)
    expect(await stores.accounts.autoTopUp('nobody')).toBeNull()
  })

  test('the ledger can be filtered by text, kind, category, key and time', async () => {
    const { stores, account } = await setUp(open)
    const keyId = await addKey(stores, account.id, 'k', null)
    await submitted(stores, account.id, { inputName: 'Übersicht.pdf', category: 'documents', keyId })
    const canceled = await submitted(stores, account.id, { inputName: '50%.png' })
    await stores.jobs.cancel(canceled.id)
    const found = async (filter: Parameters<typeof stores.accounts.entries>[3]) =>
      (await stores.accounts.entries(account.id, null, 50, filter)).map(({ reason }) => reason)
    expect(await found({ search: 'übersicht' })).toEqual(['Übersicht.pdf'])
    expect(await found({ search: '%' })).toEqual(['Canceled: 50%.png', '50%.png'])
    expect(await found({ kind: 'refund' })).toEqual(['Canceled: 50%.png'])
    expect(await found({ category: 'documents' })).toEqual(['Übersicht.pdf'])
    expect(await found({ keyId })).toEqual(['Übersicht.pdf'])
    expect(await found({ keyId, search: 'png' })).toEqual([])
    expect(await found({ from: Date.now() + 1000 })).toEqual([])
    expect(await found({ to: Date.now() + 1000 })).toHaveLength(4)
    const { byKey } = await stores.accounts.spending(account.id, 0)
    expect(byKey).toEqual([
      { keyId: null, name: null, spent: 0, jobs: 0 },
      { keyId, name: 'k', spent: 1, jobs: 1 },
    ])
  })

  test('whatever happens, no budget is exceeded and all sums match the ledger', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('submit' as const),
        key: fc.nat(2),
        cost: fc.integer({ min: 0, max: 40 }),
      }),
      fc.record({ do: fc.constant('end' as const), how: fc.constantFrom('cancel', 'fail', 'claim') }),
      fc.record({ do: fc.constant('budget' as const), key: fc.nat(1), amount: fc.nat(100) }),
    )
    const { stores, account } = await setUp(open)
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, topsUp) => {
        round++
        const keys = [`a${round}`, `b${round}`]
        const budgets = [30, 60]
        for (const [index, id] of keys.entries()) await addKey(stores, account.id, id, budgets[index]!)
        const open_: string[] = []
        for (const each of steps) {
          if (each.do === 'submit') {
            const keyId = keys[each.key] ?? null
            const before = keyId === null ? 0 : await spentBy(stores, keyId)
            const job = newJob(account.id, { keyId, creditCost: each.cost })
            const { kind } = await stores.jobs.submit(job, { topUpCredits: topsUp ? 50 : 0 })
            if (kind === 'queued') open_.push(job.id)
            const budget = budgets[each.key] ?? Number.POSITIVE_INFINITY
            if (keyId !== null)
              expect(kind === 'over_budget').toBe(kind !== 'queue_full' && before! + each.cost > budget)
          } else if (each.do === 'budget') {
            budgets[each.key] = each.amount
            await stores.accounts.setBudget(account.id, keys[each.key]!, each.amount)
          } else if (each.how === 'cancel') await stores.jobs.cancel(open_.shift() ?? '')
          else if (each.how === 'claim')
            await stores.jobs.claim({ owner: 'host', leaseMs: 1000, saturated: [] })
          else if (open_[0]) await stores.jobs.fail({ id: open_[0], attempts: 1 }, failure, [])
        }
        const entries = await stores.accounts.entries(account.id, null, 1_000_000)
        expect(await balanceOf(stores, account.id)).toBe(entries.reduce((sum, { amount }) => sum + amount, 0))
        expect(await balanceOf(stores, account.id)).toBeGreaterThanOrEqual(0)
        for (const id of keys) {
          const sum = entries.reduce((total, { keyId, amount }) => total - (keyId === id ? amount : 0), 0)
          expect(await spentBy(stores, id)).toBe(sum)
        }
        for (const id of open_) await stores.jobs.cancel(id)
      }),
      { numRuns: isFull ? 30 : 15 },
    )
  })

  test('only the name of a revoked key is kept', async () => {
    const { stores, account } = await setUp(open)
    const keyId = await addKey(stores, account.id, 'k', 5)
    await running(stores, account.id, { keyId, creditCost: 2 })
    await stores.accounts.removeKey(account.id, keyId)
    expect(await stores.accounts.key(keyId)).toBeUndefined()
    expect(await stores.accounts.removeKey(account.id, keyId)).toBe(false)
    expect(await stores.accounts.setBudget(account.id, keyId, 9)).toBe(false)
    const { byKey } = await stores.accounts.spending(account.id, 0)
    expect(byKey).toEqual([{ keyId, name: 'k', spent: 2, jobs: 1 }])
  })
}
