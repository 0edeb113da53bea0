import { afterEach, describe, expect, test, vi } from 'vitest'
import { message } from '../../shared/messages/message.ts'
import type { NewJob } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import {
  claim,
  leaseOver,
  mostInterruptions,
  type OpenStores,
  running,
  SHORT_LEASE_MS,
  setUp,
  submitted,
  success,
} from './fixtures.ts'

const LEASE_MS = 60_000
const webhook = {
  url: 'https://hooks.example/done',
  secret: 'a secret of receivers',
  events: ['succeeded', 'failed'],
} satisfies NewJob['webhook']
const failure = { code: 'jobs.corrupt_input', reason: message('jobs.corrupt_input') } as const

async function failed(stores: Stores, accountId: string, settings: Partial<NewJob> = { webhook }) {
  const job = await running(stores, accountId, settings)
  await stores.jobs.fail(job, failure, [message('jobs.timeout')])
  return job
}

/** What every webhook store must do. */
export function webhookStoreContract(open: OpenStores): void {
  afterEach(() => void vi.useRealTimers())

  describe('a webhook becomes due', () => {
    test('when its job succeeds, with all data it reports, even if the job is deleted', async () => {
      const { stores, account } = await setUp(open)
      const job = await running(stores, account.id, { webhook, creditCost: 3 })
      expect(await stores.webhooks.dueIn()).toBeUndefined()
      const done = success(job)
      await stores.jobs.succeed(job, done)
      await stores.jobs.remove(job.id)
      const [delivery, ...others] = await stores.webhooks.claim(10, LEASE_MS)
      expect(others).toEqual([])
      expect(delivery).toMatchObject({
        jobId: job.id,
        accountId: account.id,
        url: webhook.url,
        secret: webhook.secret,
        attempts: 1,
        state: 'pending',
        job: {
          status: 'Succeeded',
          inputBytes: 1000,
          outputBytes: done.bytes,
          creditCost: 3,
          output: { fileName: done.fileName, contentType: done.contentType, fileCount: done.fileCount },
          error: null,
          warnings: done.warnings,
          expiresAt: done.expiresAt,
        },
      })
      expect(delivery?.job.finishedAt).toBeGreaterThanOrEqual(delivery?.job.startedAt ?? Number.NaN)
    })

    test('when its job fails, and when it is given up after its last start', async () => {
      const { stores, account } = await setUp(open)
      await failed(stores, account.id)
      const given = await submitted(stores, account.id, { webhook })
      for (let start = 0; start < mostInterruptions(stores); start++) {
        await claim(stores, { leaseMs: SHORT_LEASE_MS })
        await leaseOver()
        await stores.jobs.recover()
      }
      const due = await stores.webhooks.claim(10, LEASE_MS)
      expect(due.map(({ job }) => job)).toMatchObject([
        { status: 'Failed', error: failure, warnings: [message('jobs.timeout')], output: null },
        { status: 'Failed', error: { code: 'jobs.interrupted' } },
      ])
      expect(due[1]?.jobId).toBe(given.id)
    })

    test('not when it asked for the other outcome, nor when the job is canceled', async () => {
      const { stores, account } = await setUp(open)
      await failed(stores, account.id, { webhook: { ...webhook, events: ['succeeded'] } })
      const canceled = await submitted(stores, account.id, { webhook })
      await stores.jobs.cancel(canceled.id)
      expect(await stores.webhooks.claim(10, LEASE_MS)).toEqual([])
      expect(await stores.webhooks.list(account.id, 10)).toEqual([])
    })
  })

  test('a delivery belongs to one attempt at a time; one without a recorded result becomes due again', async () => {
    const { stores, account } = await setUp(open)
    await failed(stores, account.id)
    vi.useFakeTimers({ toFake: ['Date'] })
    const [first] = await stores.webhooks.claim(10, LEASE_MS)
    expect(await stores.webhooks.claim(10, LEASE_MS)).toEqual([])
    vi.setSystemTime(Date.now() + LEASE_MS)
    const [second] = await stores.webhooks.claim(10, LEASE_MS)
    expect(second).toMatchObject({ eventId: first?.eventId, attempts: 2 })
    const delivered = { state: 'delivered', retryInMs: null, status: 200, problem: null } as const
    await stores.webhooks.settle(first!, { ...delivered, state: 'failed', status: 400 })
    expect(await stores.webhooks.list(account.id, 10)).toMatchObject([{ state: 'pending', lastStatus: null }])
    await stores.webhooks.settle(second!, delivered)
    expect(await stores.webhooks.list(account.id, 10)).toMatchObject([
      { state: 'delivered', lastStatus: 200 },
    ])
    expect(await stores.webhooks.dueIn()).toBeUndefined()
  })

  test('a delivery waits for its next attempt, and can be replayed when it is finished', async () => {
    const { stores, account } = await setUp(open)
    await failed(stores, account.id)
    const [first] = await stores.webhooks.claim(10, LEASE_MS)
    const problem = message('webhook.timeout')
    await stores.webhooks.settle(first!, { state: 'pending', retryInMs: 60_000, status: null, problem })
    expect(await stores.webhooks.claim(10, LEASE_MS)).toEqual([])
    const dueIn = await stores.webhooks.dueIn()
    expect(dueIn).toBeGreaterThan(30_000)
    expect(dueIn).toBeLessThanOrEqual(60_000)
    expect(await stores.webhooks.replay(first!.eventId, account.id)).toBe(false)
    await stores.webhooks.settle(first!, { state: 'failed', retryInMs: null, status: null, problem })
    expect(await stores.webhooks.replay(first!.eventId, 'somebody else')).toBe(false)
    expect(await stores.webhooks.replay(first!.eventId, account.id)).toBe(true)
    expect(await stores.webhooks.claim(10, LEASE_MS)).toMatchObject([
      { eventId: first!.eventId, attempts: 1, problem },
    ])
  })

  test('deliveries that finished before a time are deleted', async () => {
    const { stores, account } = await setUp(open)
    await failed(stores, account.id)
    const [first] = await stores.webhooks.claim(10, LEASE_MS)
    await stores.webhooks.purge(Date.now() + 1000)
    await stores.webhooks.settle(first!, { state: 'failed', retryInMs: null, status: 410, problem: null })
    await stores.webhooks.purge(Date.now() - 1000)
    expect(await stores.webhooks.list(account.id, 10)).toHaveLength(1)
    await stores.webhooks.purge(Date.now() + 1000)
    expect(await stores.webhooks.list(account.id, 10)).toEqual([])
  })
}
