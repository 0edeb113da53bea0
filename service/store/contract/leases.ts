import { expect, test } from 'vitest'
import { message } from '../../shared/messages/message.ts'
import {
  balanceOf,
  claim,
  leaseOver,
  mostInterruptions,
  type OpenStores,
  running,
  SHORT_LEASE_MS,
  setUp,
  success,
} from './fixtures.ts'

const reason = message('jobs.engine_crashed')
const failure = { code: 'jobs.engine_crashed', reason } as const

/** What every job store must do with leases. */
export function leaseContract(open: OpenStores): void {
  const short = { owner: 'first', leaseMs: SHORT_LEASE_MS }

  test('a job under lease belongs to nobody else', async () => {
    const { stores, account } = await setUp(open)
    const job = await running(stores, account.id, {}, { owner: 'first' })
    expect(await stores.jobs.recover()).toEqual({ requeued: [], interrupted: [] })
    expect(await stores.jobs.recover('second')).toEqual({ requeued: [], interrupted: [] })
    expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'Running' })
  })

  test('a job with an expired lease is queued once more, and its first attempt can write nothing', async () => {
    const { stores, account } = await setUp(open)
    const old = await running(stores, account.id, {}, short)
    await leaseOver()
    const { requeued } = await stores.jobs.recover('second')
    expect(requeued).toMatchObject([{ id: old.id, status: 'Queued', startedAt: null }])
    const again = await claim(stores, { owner: 'second' })
    expect(again).toMatchObject({ id: old.id, attempts: 2 })
    expect(await stores.jobs.succeed(old, success(old))).toBe(false)
    expect(await stores.jobs.fail(old, failure, [])).toBe(false)
    expect(await stores.jobs.renew('first', [old], 60_000)).toEqual([old.id])
    expect(await balanceOf(stores, account.id)).toBe(499)
    expect(await stores.jobs.succeed(again!, success(again!))).toBe(true)
    expect(await stores.jobs.get(old.id)).toMatchObject({ outputKey: `jobs/${old.id}/output-2` })
  })

  test('a renewed lease lasts', async () => {
    const { stores, account } = await setUp(open)
    const job = await running(stores, account.id, {}, short)
    expect(await stores.jobs.renew('first', [job], 60_000)).toEqual([])
    await leaseOver()
    expect(await stores.jobs.recover()).toEqual({ requeued: [], interrupted: [] })
  })

  test('an expired lease can be renewed while nobody has taken the job', async () => {
    const { stores, account } = await setUp(open)
    const job = await running(stores, account.id, {}, short)
    await leaseOver()
    expect(await stores.jobs.renew('first', [job], 60_000)).toEqual([])
    expect(await stores.jobs.recover('second')).toEqual({ requeued: [], interrupted: [] })
    expect(await stores.jobs.succeed(job, success(job))).toBe(true)
  })

  test('renewing reports jobs that were canceled or taken over', async () => {
    const { stores, account } = await setUp(open)
    const kept = await running(stores, account.id)
    const canceled = await running(stores, account.id)
    await stores.jobs.cancel(canceled.id)
    expect(await stores.jobs.renew('host', [kept, canceled], 60_000)).toEqual([canceled.id])
    expect(await stores.jobs.renew('other', [kept], 60_000)).toEqual([kept.id])
    // An attempt is taken over by the next one of its own host, too.
    expect(await stores.jobs.renew('host', [{ ...kept, attempts: kept.attempts - 1 }], 60_000)).toEqual([
      kept.id,
    ])
    expect(await stores.jobs.renew('host', [], 60_000)).toEqual([])
  })

  test('a host that restarts takes back its own jobs whose leases are still valid', async () => {
    const { stores, account } = await setUp(open)
    const own = await running(stores, account.id, {}, { owner: 'first' })
    const other = await running(stores, account.id, {}, { owner: 'second' })
    const { requeued } = await stores.jobs.recover('first')
    expect(requeued.map(({ id }) => id)).toEqual([own.id])
    expect(await stores.jobs.get(other.id)).toMatchObject({ status: 'Running' })
  })

  test('a host that stops gives its jobs back, any number of times, and keeps nobody else’s', async () => {
    const { stores, account } = await setUp(open)
    const other = await running(stores, account.id, {}, { owner: 'other' })
    const { id } = await running(stores, account.id)
    for (let stop = 1; stop <= 3; stop++) {
      expect(await stores.jobs.requeue('host')).toMatchObject([{ id, status: 'Queued', startedAt: null }])
      expect(await claim(stores)).toMatchObject({ id, attempts: stop + 1 })
    }
    expect(await stores.jobs.get(other.id)).toMatchObject({ status: 'Running' })
    // Only what follows counts.
    expect((await stores.jobs.recover('host')).requeued).toMatchObject([{ id }])
    expect(await balanceOf(stores, account.id)).toBe(498)
  })

  test('a job that was interrupted too often is given up and refunded', async () => {
    const { stores, account } = await setUp(open)
    const { id } = await running(stores, account.id)
    for (let time = 1; time < mostInterruptions(stores); time++) {
      expect((await stores.jobs.recover('host')).requeued).toMatchObject([{ id }])
      await claim(stores)
    }
    expect(await stores.jobs.recover('host')).toMatchObject({
      requeued: [],
      interrupted: [{ id, status: 'Failed', error: { code: 'jobs.interrupted' } }],
    })
    expect(await balanceOf(stores, account.id)).toBe(500)
  })

  test('of several jobs that were interrupted together none is given up, until one was alone as often', async () => {
    const { stores, account } = await setUp(open)
    const jobs = [await running(stores, account.id), await running(stores, account.id)]
    const ids = jobs.map(({ id }) => id)
    for (let time = 0; time < mostInterruptions(stores) + 1; time++) {
      expect((await stores.jobs.recover('host')).requeued.map(({ id }) => id)).toEqual(ids)
      for (const _ of ids) await claim(stores)
    }
    const other = await stores.jobs.get(ids[0]!)
    await stores.jobs.succeed(other!, success(other!))
    for (let time = 1; time < mostInterruptions(stores); time++) {
      expect((await stores.jobs.recover('host')).requeued).toMatchObject([{ id: ids[1] }])
      await claim(stores)
    }
    expect((await stores.jobs.recover('host')).interrupted).toMatchObject([{ id: ids[1] }])
  })

  test('several hosts that recover at once take each job once', async () => {
    const { stores, account } = await setUp(open)
    for (let count = 0; count < 5; count++) await running(stores, account.id, {}, short)
    await leaseOver()
    const recovered = await Promise.all(['a', 'b', 'c'].map(host => stores.jobs.recover(host)))
    expect(recovered.flatMap(({ requeued }) => requeued)).toHaveLength(5)
    expect(recovered.flatMap(({ interrupted }) => interrupted)).toEqual([])
  })
}
