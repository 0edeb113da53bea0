import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testStores } from '../../../testing/stores.ts'
import { message } from '../../shared/messages/message.ts'
import { newFile } from '../../store/contract/files.ts'
import { balanceOf, running, setUp, submitted, success } from '../../store/contract/fixtures.ts'
import { Cleanup } from '../../store/interfaces/cleanup.ts'
import type { ServiceEvent } from '../../store/interfaces/events.ts'
import { guid } from '../../store/interfaces/ids.ts'
import { asideBlobs, fileBlobs, jobBlobs } from '../../store/interfaces/keys.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import { Retention } from './retention.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

async function prepare() {
  const { stores, account } = await setUp(testStores)
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const cleanup = new Cleanup(stores.blobs, onError)
  const retention = new Retention({ stores, cleanup, retentionMs: HOUR_MS, onError })
  onTestFinished(() => retention.stop())
  return { stores, accountId: account.id, retention, errors }
}

async function put(stores: Stores, key: string): Promise<void> {
  const path = join(tmpdir(), guid())
  await writeFile(path, 'content')
  await stores.blobs.put(key, path)
}

/** A successful job with its output. */
async function done(stores: Stores, accountId: string, expiresAt: number): Promise<string> {
  const job = await running(stores, accountId)
  await put(stores, jobBlobs.output(job))
  await stores.jobs.succeed(job, success(job, { expiresAt }))
  return job.id
}

test('outputs are deleted when they expire, subscribers are notified, and the job stays listed for 30 days', async () => {
  const { stores, accountId, retention } = await prepare()
  const id = await done(stores, accountId, Date.now() + HOUR_MS)
  const heard: ServiceEvent[] = []
  stores.events.subscribe(event => heard.push(event))
  await retention.sweep()
  expect(await stores.blobs.list('jobs')).toEqual([id])
  await retention.sweep(Date.now() + HOUR_MS)
  expect(await stores.blobs.list('jobs')).toEqual([])
  expect(heard).toEqual([{ type: 'job', accountId, jobId: id, batchId: null, attempts: 1, now: 'ended' }])
  await retention.sweep(Date.now() + 29 * DAY_MS)
  expect(await stores.jobs.get(id)).toMatchObject({ status: 'Succeeded', outputKey: null })
  await retention.sweep(Date.now() + 31 * DAY_MS)
  expect(await stores.jobs.get(id)).toBeUndefined()
  expect(heard.at(-1)).toEqual({ type: 'job-removed', accountId, jobId: id })
})

test('sessions are forgotten when they are over, and deliveries and what was set aside after 30 days', async () => {
  const { stores, accountId, retention } = await prepare()
  const webhook = { url: 'https://hooks.example/', secret: 'secret of the hook', events: ['failed'] as const }
  const job = await running(stores, accountId, { webhook })
  await stores.jobs.fail(job, { code: 'jobs.timeout', reason: message('jobs.timeout') }, [])
  const [delivery] = await stores.webhooks.claim(1, 1000)
  await stores.webhooks.settle(delivery!, { state: 'delivered', retryInMs: null, status: 200, problem: null })
  const session = { hash: new Uint8Array(32), kind: 'session', accountId, role: 'member' } as const
  await stores.accounts.addSession({ ...session, expiresAt: Date.now() + DAY_MS })
  await put(stores, `${asideBlobs.of(new Date().toISOString().slice(0, 10))}/jobs/1/input`)
  const left = async () => [
    (await stores.accounts.session(session.hash)) && 'session',
    ...(await stores.webhooks.list(accountId, 9)).map(({ state }) => state),
    ...(await stores.blobs.list(asideBlobs.all)).map(() => 'aside'),
  ]
  await retention.sweep()
  expect(await left()).toEqual(['session', 'delivered', 'aside'])
  await retention.sweep(Date.now() + 2 * DAY_MS)
  expect(await left()).toEqual([undefined, 'delivered', 'aside'])
  await retention.sweep(Date.now() + 32 * DAY_MS)
  expect(await left()).toEqual([undefined])
})

test('staged files are deleted an hour after they were last used', async () => {
  const { stores, accountId, retention } = await prepare()
  const { id } = await stores.files.add(newFile(accountId))
  await put(stores, fileBlobs.content(id))
  await retention.sweep(Date.now() + HOUR_MS / 2)
  expect(await stores.blobs.list('files')).toEqual([id])
  await retention.sweep(Date.now() + HOUR_MS + 1000)
  expect(await stores.blobs.list('files')).toEqual([])
})

test('a failed delete does not stop the others and is retried', async () => {
  const { stores, accountId, retention, errors } = await prepare()
  const [first, second] = [await done(stores, accountId, 1000), await done(stores, accountId, 1000)]
  const file = await stores.files.add(newFile(accountId))
  await put(stores, fileBlobs.content(file.id))
  const remove = stores.blobs.remove.bind(stores.blobs)
  const failing = vi.spyOn(stores.blobs, 'remove').mockImplementation(async prefix => {
    if (prefix === jobBlobs.all(first)) throw new Error('busy')
    await remove(prefix)
  })
  await retention.sweep(Date.now() + 2 * HOUR_MS)
  expect(await stores.blobs.list('jobs')).toEqual([first])
  expect(await stores.blobs.list('files')).toEqual([])
  expect(await stores.jobs.getMany([first, second])).toMatchObject([{ outputKey: null }, { outputKey: null }])
  expect(errors).toMatchObject([{ message: 'busy' }])
  failing.mockRestore()
  await retention.sweep(Date.now() + 2 * HOUR_MS)
  expect(await stores.blobs.list('jobs')).toEqual([])
})

test('a failing part of the store does not stop the other parts', async () => {
  const { stores, accountId, retention, errors } = await prepare()
  const file = await stores.files.add(newFile(accountId))
  vi.spyOn(stores.jobs, 'expire').mockRejectedValue(new Error('the store fails'))
  await retention.sweep(Date.now() + 2 * HOUR_MS)
  expect(errors).toMatchObject([{ message: 'the store fails' }])
  expect(await stores.files.existing([file.id])).toEqual(new Set())
})

test('at the start, blobs without a record are deleted at once; later only when they are old', async () => {
  const { stores, accountId, retention } = await prepare()
  const kept = await done(stores, accountId, Date.now() + HOUR_MS)
  await put(stores, jobBlobs.input(kept))
  // The output of an attempt that was killed before its success was recorded.
  await put(stores, jobBlobs.output({ id: kept, attempts: 0 }))
  const waiting = await submitted(stores, accountId)
  await put(stores, jobBlobs.input(waiting.id))
  const [stray, oldStray] = [guid(), guid(Date.now() - 2 * HOUR_MS)]
  // Created before the clock was set back.
  const early = guid(Date.now() + DAY_MS)
  await put(stores, jobBlobs.input(early))
  await put(stores, jobBlobs.input(stray))
  await put(stores, fileBlobs.content(oldStray))
  await put(stores, fileBlobs.content(stray))
  await retention.start({ alone: false })
  expect(new Set(await stores.blobs.list('jobs'))).toEqual(new Set([kept, waiting.id, stray, early]))
  if (stores.isShared) {
    // Another host may be about to record it, whose clock is behind: it has to stay without a record for as long.
    expect(await stores.blobs.list('files')).toEqual([oldStray, stray])
    const later = performance.now() + 2 * HOUR_MS
    vi.spyOn(performance, 'now').mockReturnValue(later)
    await retention.sweepStrays(Date.now() - HOUR_MS)
    vi.restoreAllMocks()
    expect(await stores.blobs.list('files')).toEqual([stray])
    return
  }
  expect(await stores.blobs.list('files')).toEqual([stray])
  await retention.stop()
  await retention.start({ alone: true })
  expect(new Set(await stores.blobs.list('jobs'))).toEqual(new Set([kept, waiting.id]))
  expect(await stores.blobs.list('files')).toEqual([])
  expect(await stores.blobs.list(`jobs/${kept}`)).toEqual(['output-1'])
  expect(await balanceOf(stores, accountId)).toBe(498)
})
