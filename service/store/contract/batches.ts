import { describe, expect, test } from 'vitest'
import type { Destination } from '../interfaces/batches.ts'
import { guid } from '../interfaces/ids.ts'
import { admissionContract } from './admission.ts'
import { admit, convert, countsOf, newBatch, problem } from './batch-fixtures.ts'
import { claim, type OpenStores, setUp, success } from './fixtures.ts'

/** What every batch store must do. */
export function batchStoreContract(open: OpenStores): void {
  test('a batch is stored as given, with its items in order', async () => {
    const { stores, account } = await setUp(open)
    const destination = { kind: 'folder', path: '/out', name: '{name}.{ext}', keepFolders: true } as const
    const { batch, items } = await newBatch(stores, account.id, 3, destination)
    expect(batch).toEqual({
      id: batch.id,
      accountId: account.id,
      host: 'here',
      position: 1,
      source: 'jpg',
      targetKey: 'webp',
      options: { quality: 5 },
      destination,
      state: 'active',
      problem: null,
      createdAt: expect.any(Number),
      finishedAt: null,
    })
    expect(await stores.batches.get(batch.id)).toEqual(batch)
    expect(items[0]).toMatchObject({ format: 'jpg', addedAt: 1000.5 })
    expect(items.map(({ name, state, delivery }) => [name, state, delivery])).toEqual([
      ['0.jpg', 'waiting', 'pending'],
      ['1.jpg', 'waiting', 'pending'],
      ['2.jpg', 'waiting', 'pending'],
    ])
    expect(await stores.batches.items(batch.id, items[0]!.position, 1)).toEqual([items[1]])
    expect(await stores.batches.item(items[2]!.id)).toEqual(items[2])
    expect(await stores.files.unsubmitted(account.id)).toEqual([])
  })

  describe('admission', () => admissionContract(open))

  describe('counts', () => {
    test('items have the state of their jobs, and a refunded job costs nothing', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 5)
      const other = await newBatch(stores, account.id, 1)
      await convert(stores, account.id)
      const { job: canceled } = await admit(stores, account.id)
      await stores.jobs.cancel(canceled.id)
      await admit(stores, account.id)
      await claim(stores)
      await admit(stores, account.id)
      const counts = await stores.batches.counts([batch.id, other.batch.id])
      expect(counts.get(batch.id)).toEqual({
        total: 5,
        waiting: 1,
        queued: 1,
        running: 1,
        succeeded: 1,
        failed: 0,
        canceled: 1,
        unsaved: 0,
        creditCost: 3,
        inputBytes: 1000,
        outputBytes: expect.any(Number),
      })
      expect(counts.get(other.batch.id)).toMatchObject({ total: 1, waiting: 1, creditCost: 0 })
      expect(await stores.batches.openJobs(batch.id)).toHaveLength(2)
    })

    test('removed items are no longer counted, and a batch without items is removed', async () => {
      const { stores, account } = await setUp(open)
      const { batch, items } = await newBatch(stores, account.id, 2)
      const first = await convert(stores, account.id)
      expect(await stores.batches.removeItems([items[1]!.id], account.id)).toEqual(new Map())
      const second = await admit(stores, account.id)
      expect(await stores.batches.removeItems([second.item.id], account.id)).toEqual(new Map())
      await stores.jobs.cancel(second.job.id)
      expect(await stores.batches.removeItems([first.item.id], 'another')).toEqual(new Map())
      expect(await stores.batches.removeItems([first.item.id], account.id)).toEqual(
        new Map([[batch.id, true]]),
      )
      expect(await countsOf(stores, batch.id)).toMatchObject({ total: 1, canceled: 1 })
      expect(await stores.jobs.get(first.job.id)).toMatchObject({ status: 'Succeeded', batchId: batch.id })
      expect(await stores.batches.removeItems([second.item.id], account.id)).toEqual(
        new Map([[batch.id, false]]),
      )
      expect(await stores.batches.get(batch.id)).toBeUndefined()
    })

    test('an item outlives its job', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 1)
      const { item, job } = await convert(stores, account.id)
      await stores.jobs.remove(job.id)
      expect(await stores.batches.item(item.id)).toMatchObject({ state: 'succeeded' })
      expect(await countsOf(stores, batch.id)).toMatchObject({ total: 1, succeeded: 1 })
    })
  })

  describe('states', () => {
    test('pausing and resuming, with the reason while there is one', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 1)
      expect(await stores.batches.resume(batch.id)).toBe(false)
      expect(await stores.batches.pause(batch.id, problem)).toBe(true)
      expect(await stores.batches.pause(batch.id)).toBe(false)
      expect(await stores.batches.get(batch.id)).toMatchObject({ state: 'paused', problem })
      expect(await stores.batches.resume(batch.id)).toBe(true)
      expect(await stores.batches.get(batch.id)).toMatchObject({ state: 'active', problem: null })
      await stores.batches.pause(batch.id)
      expect(await stores.batches.get(batch.id)).toMatchObject({ state: 'paused', problem: null })
      expect(await stores.batches.pause(batch.id, problem)).toBe(true)
      expect(await stores.batches.get(batch.id)).toMatchObject({ state: 'paused', problem })
    })

    test('there is work left for open batches, and for canceled ones with open jobs', async () => {
      const { stores, account } = await setUp(open)
      const first = await newBatch(stores, account.id, 1)
      const second = await newBatch(stores, account.id, 1)
      const third = await newBatch(stores, account.id, 1)
      await admit(stores, account.id)
      for (const { batch } of [first, third]) await stores.batches.cancel(batch.id)
      await stores.batches.pause(second.batch.id)
      const left = async () => (await stores.batches.unfinished()).map(({ id }) => id)
      expect(await left()).toEqual([first.batch.id, second.batch.id])
      for (const id of await stores.batches.openJobs(first.batch.id)) await stores.jobs.cancel(id)
      expect(await left()).toEqual([second.batch.id])
    })

    test('canceling cancels waiting items, leaves the jobs to the caller, and is final', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 3, { kind: 'folder', path: '/out' })
      const { job } = await admit(stores, account.id)
      expect(await stores.batches.cancel(batch.id)).toBe(true)
      expect(await stores.batches.cancel(batch.id)).toBe(false)
      expect(await stores.batches.resume(batch.id)).toBe(false)
      expect(await stores.batches.openJobs(batch.id)).toEqual([job.id])
      expect(await countsOf(stores, batch.id)).toMatchObject({ canceled: 2, queued: 1 })
      expect(await stores.batches.get(batch.id)).toMatchObject({
        state: 'canceled',
        finishedAt: expect.any(Number),
      })
    })

    test('it is done when nothing in it is open, and can then be purged', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 1)
      expect(await stores.batches.finish(batch.id)).toBe(false)
      const { job } = await admit(stores, account.id)
      expect(await stores.batches.finish(batch.id)).toBe(false)
      const claimed = (await claim(stores))!
      expect(await stores.batches.finish(batch.id)).toBe(false)
      await stores.jobs.succeed(claimed, success(claimed))
      expect(await stores.batches.purge(Date.now() + 1000)).toEqual([])
      expect(await stores.batches.finish(batch.id)).toBe(true)
      expect(await stores.batches.finish(batch.id)).toBe(false)
      expect(await stores.batches.get(batch.id)).toMatchObject({ state: 'done', problem: null })
      expect(await stores.batches.purge(Date.now() + 1000)).toMatchObject([{ id: batch.id }])
      expect(await stores.batches.get(batch.id)).toBeUndefined()
      expect(await stores.batches.items(batch.id, null, 10)).toEqual([])
      expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'Succeeded', batchId: batch.id })
    })

    test('open ones are listed in their order, then recently finished ones', async () => {
      const { stores, account } = await setUp(open)
      const ids: string[] = []
      for (let count = 0; count < 4; count++) ids.push((await newBatch(stores, account.id, 1)).batch.id)
      await stores.batches.cancel(ids[0]!)
      const listed = async (since: number) =>
        (await stores.batches.list(account.id, since)).map(({ id }) => id)
      expect(await listed(0)).toEqual([ids[1], ids[2], ids[3], ids[0]])
      expect(await listed(Date.now() + 1000)).toEqual([ids[1], ids[2], ids[3]])
      expect(await stores.batches.purge(Date.now() + 1000)).toMatchObject([{ id: ids[0] }])
      expect(await listed(0)).toEqual([ids[1], ids[2], ids[3]])
    })

    test('items are added after the others, and a batch that is done continues', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 2)
      const more = (await newBatch(stores, account.id, 1)).items.map(item => ({ ...item, id: guid() }))
      for (let count = 0; count < 2; count++) await convert(stores, account.id)
      expect(await stores.batches.finish(batch.id)).toBe(true)
      // Files that it has already are not added again, however often and at once.
      const again = () =>
        stores.batches.append(
          batch.id,
          more.map(item => ({ ...item, id: guid() })),
        )
      expect(await Promise.all([again(), again(), again()])).toEqual([true, true, true])
      expect(await stores.batches.get(batch.id)).toMatchObject({ state: 'active', finishedAt: null })
      const items = await stores.batches.items(batch.id, null, 10)
      expect(items.map(({ position, state }) => [position, state])).toEqual([
        [1, 'submitted'],
        [2, 'submitted'],
        [3, 'waiting'],
      ])
      await stores.batches.cancel(batch.id)
      expect(await stores.batches.append(batch.id, more)).toBe(false)
      expect(await stores.batches.append(guid(), more)).toBe(false)
    })
  })

  describe('saving', () => {
    const folder: Destination = { kind: 'folder', path: '/out' }

    test('results that are not saved yet neither expire nor let the batch be done', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 1, folder)
      const { item, job } = await convert(stores, account.id)
      expect(await stores.batches.undelivered('here', 10, [])).toMatchObject([{ id: item.id, jobId: job.id }])
      expect(await countsOf(stores, batch.id)).toMatchObject({ succeeded: 1, unsaved: 1 })
      expect(await stores.batches.finish(batch.id)).toBe(false)
      expect(await stores.jobs.expire(Date.now())).toEqual([])
      expect(await stores.batches.saved(item.id, '/out/0.webp')).toBe(true)
      expect(await stores.batches.saved(item.id, '/out/0.webp')).toBe(false)
      expect(await stores.batches.item(item.id)).toMatchObject({ delivery: 'saved', savedTo: '/out/0.webp' })
      expect(await stores.jobs.get(job.id)).toMatchObject({ savedTo: '/out/0.webp' })
      expect(await stores.batches.undelivered('here', 10, [])).toEqual([])
      expect(await countsOf(stores, batch.id)).toMatchObject({ unsaved: 0 })
      expect(await stores.batches.finish(batch.id)).toBe(true)
      expect(await stores.jobs.expire(Date.now())).toHaveLength(1)
    })

    test('the path is recorded before the last step of saving, and counts as saved only after it', async () => {
      const { stores, account } = await setUp(open)
      await newBatch(stores, account.id, 1, folder)
      const { item, job } = await convert(stores, account.id)
      expect(await stores.batches.placing(item.id, '/out/0.webp')).toBe(true)
      expect(await stores.batches.undelivered('here', 10, [])).toMatchObject([{ savedTo: '/out/0.webp' }])
      expect(await stores.jobs.get(job.id)).toMatchObject({ savedTo: null })
      await stores.batches.saved(item.id, '/out/0.webp')
      expect(await stores.batches.placing(item.id, '/elsewhere')).toBe(false)
      expect(await stores.batches.item(item.id)).toMatchObject({ savedTo: '/out/0.webp' })
    })

    test('a result that is renamed has its new name and path in its job and in its item', async () => {
      const { stores, account } = await setUp(open)
      await newBatch(stores, account.id, 1, folder)
      const { item, job } = await convert(stores, account.id)
      await stores.jobs.rename(job.id, 'b.webp', null)
      expect(await stores.jobs.get(job.id)).toMatchObject({ output: { fileName: 'b.webp' }, savedTo: null })
      await stores.batches.saved(item.id, '/out/b.webp')
      await stores.jobs.rename(job.id, 'c.webp', '/out/c.webp')
      expect(await stores.jobs.get(job.id)).toMatchObject({
        ...{ output: { fileName: 'c.webp', fileCount: 1 }, savedTo: '/out/c.webp' },
      })
      expect(await stores.batches.item(item.id)).toMatchObject({ savedTo: '/out/c.webp' })
    })

    test('results of a paused batch are saved, unless it is paused because of their folder', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 2, folder)
      await convert(stores, account.id)
      await stores.batches.pause(batch.id)
      expect(await stores.batches.undelivered('here', 10, [problem.code])).toHaveLength(1)
      await stores.batches.pause(batch.id, problem)
      expect(await stores.batches.undelivered('here', 10, ['another'])).toHaveLength(1)
      expect(await stores.batches.undelivered('here', 10, ['another', problem.code])).toEqual([])
      await stores.batches.resume(batch.id)
      expect(await stores.batches.undelivered('here', 10, [problem.code])).toHaveLength(1)
      await stores.batches.cancel(batch.id)
      expect(await stores.batches.undelivered('here', 10, [])).toEqual([])
      expect(await stores.jobs.expire(Date.now())).toHaveLength(1)
    })

    test('results belong to the host that was asked, and to another once the batches are assigned to it', async () => {
      const { stores, account } = await setUp(open)
      await newBatch(stores, account.id, 1, folder)
      const { item } = await convert(stores, account.id)
      expect(await stores.batches.undelivered('there', 10, [])).toEqual([])
      await stores.batches.adopt('there')
      expect(await stores.batches.undelivered('there', 10, [])).toMatchObject([{ id: item.id }])
      expect(await stores.batches.undelivered('here', 10, [])).toEqual([])
    })

    test('a result that cannot be saved is kept for download', async () => {
      const { stores, account } = await setUp(open)
      const { batch } = await newBatch(stores, account.id, 1, folder)
      const { item } = await convert(stores, account.id)
      expect(await stores.batches.notSaved(item.id, problem)).toBe(true)
      expect(await stores.batches.item(item.id)).toMatchObject({ delivery: 'failed', error: problem })
      expect(await stores.batches.finish(batch.id)).toBe(true)
    })
  })
}
