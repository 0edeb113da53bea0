import { expect, test } from 'vitest'
import { guid } from '../interfaces/ids.ts'
import type { Job, NewJob } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import { convert, newBatch } from './batch-fixtures.ts'
import { type OpenStores, running, setUp, submitted, success } from './fixtures.ts'

const failure = { code: 'jobs.engine_crashed', reason: { key: 'jobs.engine_crashed' } } as const

const succeeded = async (stores: Stores, accountId: string, settings: Partial<NewJob> = {}): Promise<Job> => {
  const job = await running(stores, accountId, settings)
  await stores.jobs.succeed(job, success(job, { fileName: `${job.inputName}.webp` }))
  return job
}
const failed = async (stores: Stores, accountId: string, settings: Partial<NewJob> = {}): Promise<Job> => {
  const job = await running(stores, accountId, settings)
  await stores.jobs.fail(job, failure, [])
  return job
}

/** What every history store must do. */
export function historyStoreContract(open: OpenStores): void {
  test('a retry is an attempt of the same row, however often the file is tried', async () => {
    const { stores, account } = await setUp(open)
    const { history } = stores
    const first = await failed(stores, account.id)
    const other = await succeeded(stores, account.id)
    const second = await failed(stores, account.id, { retryOf: first.id })
    const third = await succeeded(stores, account.id, { retryOf: second.id })
    expect(third.firstId).toBe(first.id)
    const rows = await history.list(account.id, {}, null, 10)
    expect(rows.map(({ job, tries }) => [job.id, tries])).toEqual([
      [third.id, 3],
      [other.id, 1],
    ])
    expect(await history.count(account.id, {})).toBe(2)
    for (const { id } of [first, second, third]) {
      const attempts = await history.attempts(account.id, id)
      expect(attempts.map(attempt => attempt.id)).toEqual([third.id, second.id, first.id])
    }
    // The row has the state of its last attempt.
    expect(await history.count(account.id, { state: 'failed' })).toBe(0)
  })

  test("if a row's last attempt is deleted, the previous one represents it", async () => {
    const { stores, account } = await setUp(open)
    const first = await failed(stores, account.id)
    const second = await failed(stores, account.id, { retryOf: first.id })
    await stores.jobs.remove(second.id)
    expect(await stores.history.list(account.id, {}, null, 10)).toMatchObject([
      { job: { id: first.id }, tries: 1 },
    ])
    const third = await submitted(stores, account.id, { retryOf: second.id })
    expect(third.firstId).toBe(third.id)
  })

  test("nobody can repeat another account's job", async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 500 })
    const first = await failed(stores, other.id)
    const job = await submitted(stores, account.id, { retryOf: first.id })
    expect(job.firstId).toBe(job.id)
    expect(await stores.history.attempts(account.id, first.id)).toEqual([])
  })

  test('filters by name, category, state, program and time, and counts the results', async () => {
    const { stores, account } = await setUp(open)
    const { history } = stores
    const keyId = 'a-key'
    const summer = await succeeded(stores, account.id, { inputName: 'Sommer ÄRA.jpg' })
    const sound = await failed(stores, account.id, { inputName: '100%_b.wav', category: 'audio' })
    const program = await running(stores, account.id, { inputName: 'p.png', keyId })
    const app = await submitted(stores, account.id, { origin: 'app' })
    const found = async (filter: Parameters<typeof history.list>[1]) => {
      const rows = await history.list(account.id, filter, null, 10)
      expect(await history.count(account.id, filter)).toBe(rows.length)
      return rows.map(({ job }) => job.id)
    }
    expect(await found({ search: 'ära' })).toEqual([summer.id])
    expect(await found({ search: 'a\u0308ra.JPG.web' })).toEqual([summer.id])
    expect(await found({ search: '%_' })).toEqual([sound.id])
    expect(await found({ search: 'nowhere' })).toEqual([])
    expect(await found({ category: 'audio' })).toEqual([sound.id])
    expect(await found({ state: 'open' })).toEqual([app.id, program.id])
    expect(await found({ state: 'succeeded', category: 'images' })).toEqual([summer.id])
    expect(await found({ origin: 'app' })).toEqual([app.id])
    expect(await found({ keyId })).toEqual([program.id])
    expect(await found({ from: app.createdAt + 1 })).toEqual([])
    expect(await found({ to: summer.createdAt })).toEqual([])
    expect(await found({ from: summer.createdAt, to: app.createdAt + 1 })).toHaveLength(4)
  })

  test('is read page by page', async () => {
    const { stores, account } = await setUp(open)
    for (let count = 0; count < 5; count++) await succeeded(stores, account.id)
    const first = await stores.history.list(account.id, {}, null, 3)
    const rest = await stores.history.list(account.id, {}, first.at(-1)!.job.seq, 3)
    expect(first).toHaveLength(3)
    expect(rest).toHaveLength(2)
    expect(new Set([...first, ...rest].map(({ job }) => job.id)).size).toBe(5)
  })

  test('the newest row of a batch stands for all, whatever becomes of the batch', async () => {
    const { stores, account } = await setUp(open)
    const { history } = stores
    const { batch, items } = await newBatch(stores, account.id, 3)
    const ids: string[] = []
    for (const _ of items) ids.unshift((await convert(stores, account.id)).job.id)
    const other = await failed(stores, account.id)
    // A file of the batch that is tried again alone is a row of its own.
    const again = await failed(stores, account.id, { retryOf: ids[0]! })
    const listed = async () =>
      (await history.list(account.id, {}, null, 10, true)).map(({ job, batch: sum }) => [job.id, sum])
    const folded = [
      [again.id, null],
      [other.id, null],
      [ids[1], { files: 2, succeeded: 2, failed: 0, kept: 2, inputBytes: 2000, outputBytes: 20 }],
    ]
    expect(await listed()).toEqual(folded)
    expect(await history.list(account.id, {}, null, 10)).toHaveLength(4)
    const held = await history.list(account.id, { batchId: batch.id }, null, 10)
    expect(held.map(({ job }) => job.id)).toEqual(ids.slice(1))
    const left = items.map(({ id }) => id)
    expect(await stores.batches.removeItems(left, account.id)).toEqual(new Map([[batch.id, false]]))
    expect(await listed()).toEqual(folded)
    expect(await history.count(account.id, { batchId: batch.id })).toBe(2)
  })

  test('rows are removed with all their attempts, and open ones stay', async () => {
    const { stores, account } = await setUp(open)
    const other = await stores.accounts.create({ name: 'Other', credits: 500 })
    const first = await failed(stores, account.id)
    const second = await failed(stores, account.id, { retryOf: first.id })
    const again = await failed(stores, account.id)
    const images = await succeeded(stores, account.id)
    const audio = await succeeded(stores, account.id, { category: 'audio' })
    const retried = await submitted(stores, account.id, { retryOf: again.id })
    const foreign = await submitted(stores, other.id)
    await stores.jobs.cancel(foreign.id)
    const { history } = stores
    expect(await history.remove(account.id, [again.id, foreign.id, guid()])).toEqual([])
    expect(new Set(await history.remove(account.id, [second.id]))).toEqual(new Set([first.id, second.id]))
    expect(await history.clear(account.id, { category: 'audio' })).toEqual([audio.id])
    expect(await history.clear(account.id, {})).toEqual([images.id])
    expect((await history.list(account.id, {}, null, 10)).map(({ job }) => job.id)).toEqual([retried.id])
    expect(await stores.jobs.get(foreign.id)).toBeDefined()
  })

  test('lists the programs that use it, including those with revoked keys', async () => {
    const { stores, account } = await setUp(open)
    await stores.accounts.addKey({
      ...{ id: 'k', accountId: account.id, name: 'Scanner', hash: new Uint8Array(32), prefix: 'rf_k…' },
      ...{
        ipAllowlist: [],
        guest: false,
        monthlyBudget: null,
        createdAt: 1,
        expiresAt: null,
        lastUsedAt: null,
      },
    })
    const before = Date.now()
    await succeeded(stores, account.id, { keyId: 'k' })
    await failed(stores, account.id, { keyId: 'k' })
    await running(stores, account.id, { keyId: 'k' })
    await submitted(stores, account.id, { origin: 'app' })
    await stores.accounts.removeKey(account.id, 'k')
    expect(await stores.history.programs(account.id, before)).toEqual([
      {
        ...{ keyId: 'k', name: 'Scanner', prefix: 'rf_k…', lastAt: expect.any(Number) },
        ...{ queued: 0, running: 1, succeeded: 1, failed: 1, canceled: 0 },
      },
    ])
    // Open jobs count, however long ago they were submitted.
    const later = await stores.history.programs(account.id, Date.now() + 1000)
    expect(later).toMatchObject([{ running: 1, succeeded: 0, failed: 0 }])
    expect((await stores.history.list(account.id, { keyId: 'k' }, null, 1))[0]?.keyName).toBe('Scanner')
  })
}
