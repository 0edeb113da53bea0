import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { few } from '../../../testing/fixtures/full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { testService } from '../../../testing/service.ts'
import { StoreRefused, StoreUnavailable } from '../../store/interfaces/errors.ts'
import { Admission, type AdmissionParts } from './admission.ts'

const count = 6

/** A service of which the blob store does `instead` as often as it likes, and a batch of six files. */
async function batchWhile(instead: () => unknown) {
  const service = await testService(misbehaving)
  const app = await openApp(service)
  const fileIds = await app.stage(
    Array.from({ length: count }, (_, index) => [`${index}.jpg`, `fine ${index}`] as const),
  )
  const { blobs } = service.services.stores
  const { copy } = blobs
  const copying = vi.spyOn(blobs, 'copy').mockImplementation(async (from, to) => {
    await instead()
    return copy.call(blobs, from, to)
  })
  return { app, copying, batch: await app.createBatch({ fileIds, targetFormat: 'webp' }) }
}

testFull('a batch waits for a store that does not answer, and loses no file to that', async () => {
  let left = 2
  const { app, batch } = await batchWhile(() => {
    if (left-- > 0) throw new StoreUnavailable('out of reach')
  })
  const done = await app.batchIs(batch.id, 'done')
  expect(done.counts).toMatchObject({ succeeded: count, failed: 0 })
  expect(left).toBeLessThan(0)
})

test.each(
  few(1, [
    ['space', Object.assign(new Error(), { code: 'EDQUOT' }), 'server.disk_full', /full/],
    ['rights', new StoreRefused('AccessDenied'), 'jobs.storage_failed', /AccessDenied/],
  ] as const),
)(
  'a batch whose store lacks %s pauses with the reason, and goes on when it is resumed',
  async (_, thrown, code, reason) => {
    let isBroken = true
    const { app, copying, batch } = await batchWhile(() => {
      if (isBroken) throw thrown
    })
    const paused = await app.batchIs(batch.id, 'paused')
    expect(paused.problem).toMatchObject({ code, detail: expect.stringMatching(reason) })
    expect(paused.counts).toMatchObject({ waiting: count, failed: 0 })
    expect(copying).toHaveBeenCalledTimes(1)
    isBroken = false
    await app.post(`/app/batches/${batch.id}/resume`, {})
    expect((await app.batchIs(batch.id, 'done')).counts).toMatchObject({ succeeded: count })
  },
)

test('a file that cannot be copied while its store answers fails in the end, and blocks the others no longer', async () => {
  const [failed, errors]: [string[], unknown[]] = [[], []]
  const check = vi.fn(async () => {})
  const publish = vi.fn()
  const admission = new Admission({
    stores: {
      events: { publish },
      blobs: { check },
      jobs: { counts: async () => ({ queued: 0, running: 0, fromBatches: 0 }) },
      batches: {
        accountsWaiting: async () => ['me'],
        nextItem: async () =>
          failed.length > 0 ? undefined : { batch: { id: 'b', accountId: 'me' }, item: { id: 'bad' } },
        failItem: async (id: string) => void failed.push(id),
      },
    },
    files: { unchanged: () => Promise.reject(new StoreUnavailable('EIO')) },
    limits: { openPerAccount: 1, openFromBatches: 1 },
    onChange: () => {},
    onError: (error: unknown) => void errors.push(error),
  } as unknown as AdmissionParts)
  // While the store itself does not answer, nothing counts.
  check.mockRejectedValueOnce(new StoreUnavailable('out of reach'))
  while (failed.length === 0) {
    admission.wake()
    await delay(1)
  }
  await admission.stop()
  expect([failed, errors.length]).toEqual([['bad'], 1 + 30])
  expect(publish.mock.calls).toEqual([[{ type: 'item', accountId: 'me', itemId: 'bad' }]])
})
