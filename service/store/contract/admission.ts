import { expect, test } from 'vitest'
import { admit, countsOf, newBatch, problem } from './batch-fixtures.ts'
import { balanceOf, newJob, type OpenStores, setUp, submitted } from './fixtures.ts'

/** How every batch store must admit items to the queue. */
export function admissionContract(open: OpenStores): void {
  test('the submission links an item to its job', async () => {
    const { stores, account } = await setUp(open)
    const { batch } = await newBatch(stores, account.id, 2)
    const { item, job } = await admit(stores, account.id)
    expect(job).toMatchObject({ batchId: batch.id, fileId: item.fileId })
    expect(await stores.batches.itemOfJob(job.id)).toMatchObject({
      id: item.id,
      state: 'submitted',
      jobId: job.id,
    })
    expect((await stores.batches.nextItem(account.id))?.item.name).toBe('1.jpg')
    const twice = await stores.jobs.submit(newJob(account.id), { itemId: item.id })
    expect(twice.kind).toBe('item_taken')
    expect(await balanceOf(stores, account.id)).toBe(499)
  })

  test('admits nothing from a batch that was paused meanwhile', async () => {
    const { stores, account } = await setUp(open)
    const { batch, items } = await newBatch(stores, account.id, 1)
    await stores.batches.pause(batch.id)
    const submission = await stores.jobs.submit(newJob(account.id), { itemId: items[0]!.id })
    expect(submission.kind).toBe('item_taken')
    expect(await balanceOf(stores, account.id)).toBe(500)
    expect(await countsOf(stores, batch.id)).toMatchObject({ waiting: 1, queued: 0 })
  })

  test('leaves the item waiting if the job is refused', async () => {
    const { stores, account } = await setUp(open)
    const { items } = await newBatch(stores, account.id, 1)
    const refused = await stores.jobs.submit(newJob(account.id, { creditCost: 501 }), {
      itemId: items[0]!.id,
    })
    expect(refused.kind).toBe('insufficient_credits')
    expect((await stores.batches.nextItem(account.id))?.item.id).toBe(items[0]?.id)
  })

  test('batches use at most 12 of the 18 places', async () => {
    const { stores, account } = await setUp(open)
    const { items } = await newBatch(stores, account.id, 14)
    for (let count = 0; count < 12; count++) await admit(stores, account.id)
    const refused = await stores.jobs.submit(newJob(account.id), { itemId: items[12]!.id })
    expect(refused.kind).toBe('queue_full')
    expect(await stores.jobs.counts(account.id)).toEqual({ queued: 12, running: 0, fromBatches: 12 })
    for (let count = 0; count < 6; count++) await submitted(stores, account.id)
    expect((await stores.jobs.submit(newJob(account.id))).kind).toBe('queue_full')
  })

  test('goes through active batches in order', async () => {
    const { stores, account } = await setUp(open)
    const first = await newBatch(stores, account.id, 2)
    const second = await newBatch(stores, account.id, 1)
    const next = async () => (await stores.batches.nextItem(account.id))?.batch.id
    expect(await next()).toBe(first.batch.id)
    expect(await stores.batches.pause(first.batch.id)).toBe(true)
    expect(await next()).toBe(second.batch.id)
    expect(await stores.batches.accountsWaiting()).toEqual([account.id])
    await stores.batches.pause(second.batch.id)
    expect(await next()).toBeUndefined()
    expect(await stores.batches.accountsWaiting()).toEqual([])
    expect(await stores.batches.nextItem('nobody')).toBeUndefined()
  })

  test('an item that cannot become a job fails', async () => {
    const { stores, account } = await setUp(open)
    const { batch, items } = await newBatch(stores, account.id, 2, { kind: 'folder', path: '/out' })
    expect(await stores.batches.failItem(items[0]!.id, problem)).toBe(true)
    expect(await stores.batches.failItem(items[0]!.id, problem)).toBe(false)
    expect(await stores.batches.item(items[0]!.id)).toMatchObject({ state: 'failed', error: problem })
    expect(await countsOf(stores, batch.id)).toMatchObject({ total: 2, waiting: 1, failed: 1 })
  })

  test('a waiting item can be canceled alone', async () => {
    const { stores, account } = await setUp(open)
    const { batch, items } = await newBatch(stores, account.id, 2)
    const { item } = await admit(stores, account.id)
    expect(await stores.batches.cancelItem(item.id)).toBe(false)
    expect(await stores.batches.cancelItem(items[1]!.id)).toBe(true)
    expect(await stores.batches.cancelItem(items[1]!.id)).toBe(false)
    expect(await stores.batches.nextItem(account.id)).toBeUndefined()
    expect(await countsOf(stores, batch.id)).toMatchObject({ queued: 1, canceled: 1 })
  })

  test('files of waiting items are kept', async () => {
    const { stores, account } = await setUp(open)
    const { items } = await newBatch(stores, account.id, 2)
    await admit(stores, account.id)
    expect(await stores.files.removeUnused(Date.now() + 1000)).toEqual([items[0]?.fileId])
  })
}
