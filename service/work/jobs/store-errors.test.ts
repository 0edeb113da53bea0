import { afterEach, expect, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService } from '../../../testing/service.ts'
import { ContentLost, StoreRefused, StoreUnavailable } from '../../store/interfaces/errors.ts'

const shared = sharedService(misbehaving)
afterEach(() => void vi.restoreAllMocks())

const ended = async () => {
  const { id } = await json<{ id: string }>(shared().submit('a.jpg', 'fine', 'webp'))
  return shared().finished(id)
}

testFull('a job waits for a store that does not answer', async () => {
  const { blobs, jobs } = shared().services.stores
  vi.spyOn(blobs, 'checkout').mockRejectedValueOnce(new StoreUnavailable('out of reach'))
  vi.spyOn(jobs, 'succeed').mockRejectedValueOnce(Object.assign(new Error(), sqliteError(13)))
  expect(await ended()).toMatchObject({ status: 'Succeeded' })
})

test('a job whose store refuses it fails with the reason, and is refunded', async () => {
  const balance = await shared().balance()
  const { blobs } = shared().services.stores
  const { put } = blobs
  vi.spyOn(blobs, 'put').mockImplementation(async (key, ...rest) => {
    if (key.includes('output')) throw new StoreRefused('AccessDenied')
    return put.call(blobs, key, ...rest)
  })
  expect(await ended()).toMatchObject({
    status: 'Failed',
    error: { code: 'jobs.storage_failed', detail: expect.stringContaining('AccessDenied') },
  })
  expect(await shared().balance()).toBe(balance)
})

test('an error of the program is not repeated for ever: the job fails, and is refunded', async () => {
  const balance = await shared().balance()
  const { jobs } = shared().services.stores
  const succeeding = vi.spyOn(jobs, 'succeed').mockRejectedValue(new TypeError('a mistake'))
  expect(await ended()).toMatchObject({ status: 'Failed', error: { code: 'jobs.engine_crashed' } })
  expect(succeeding).toHaveBeenCalledTimes(1)
  expect(await shared().balance()).toBe(balance)
})

/** Has the disk lose the next results. */
function losing(results: number) {
  const { blobs } = shared().services.stores
  const { put } = blobs
  let left = results
  vi.spyOn(blobs, 'put').mockImplementation(async (key, ...rest) => {
    if (key.includes('output') && left-- > 0)
      throw new ContentLost({ cause: Object.assign(new Error('EIO'), { code: 'EIO' }) })
    return put.call(blobs, key, ...rest)
  })
}

test('a result that the disk lost is converted again, instead of being synced again', async () => {
  const read = vi.spyOn(shared().services.stores.blobs, 'checkout')
  losing(1)
  expect(await ended()).toMatchObject({ status: 'Succeeded' })
  expect(read).toHaveBeenCalledTimes(2)
})

test('a disk that loses results again and again is named, and the job is refunded', async () => {
  const balance = await shared().balance()
  losing(10)
  expect(await ended()).toMatchObject({
    status: 'Failed',
    error: { code: 'jobs.storage_failed', detail: expect.stringContaining('EIO') },
  })
  expect(await shared().balance()).toBe(balance)
})

const sqliteError = (errcode: number) => ({ code: 'ERR_SQLITE_ERROR', errcode })
