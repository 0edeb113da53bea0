import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { spawnForTests } from '../../../testing/servers/hosts/spawn.ts'
import { testStores } from '../../../testing/stores.ts'
import { Catalogue } from '../../convert/catalogue/catalogue.ts'
import { converters } from '../../convert/converters/index.ts'
import { WorkerPool } from '../../sandbox/workers/pool.ts'
import { newJob, setUp } from '../../store/contract/fixtures.ts'
import { Cleanup } from '../../store/interfaces/cleanup.ts'
import { StoreUnavailable } from '../../store/interfaces/errors.ts'
import { jobEvent, type ServiceEvent } from '../../store/interfaces/events.ts'
import type { Attempt, Claim, JobStore, Success } from '../../store/interfaces/jobs.ts'
import { jobBlobs } from '../../store/interfaces/keys.ts'
import type { Stores } from '../../store/interfaces/stores.ts'
import { JobRunner } from './runner.ts'

afterEach(() => void vi.useRealTimers())

/** Short enough for a test to see it end. */
const LEASE_MS = 600

/** Longer than a test waits. */
const LONG_LEASE_MS = 40_000

/** Leases and processes are slow on a busy machine. */
const LONG_WAIT = { timeout: 40_000 }

const config = {
  slots: 1,
  cores: 1,
  retentionSeconds: 3600,
  appRetentionSeconds: 86_400,
  jobTimeoutSeconds: 60,
  maxOutputBytes: 2 ** 30,
}

const queued = (id: string, accountId: string) =>
  jobEvent({ id, accountId, batchId: null, attempts: 0 }, 'queued')

/** A host that runs jobs of the stores, possibly shared with others. */
async function startHost(
  stores: Stores,
  owner: string,
  store: JobStore = stores.jobs,
  events = stores.events,
  leaseMs = LEASE_MS,
) {
  const scratch = await mkdtemp(join(tmpdir(), 'refile-scratch-'))
  const pool = new WorkerPool(spawnForTests, {
    entry: misbehaving.workerEntry,
    env: {},
    places: { convert: config.slots, measure: 1 },
    memoryBudgetBytes: 2 ** 33,
  })
  const runner = new JobRunner({
    store,
    blobs: stores.blobs,
    events,
    cleanup: new Cleanup(stores.blobs, () => {}),
    pool,
    catalogue: new Catalogue(converters),
    config,
    owner,
    scratch,
    leaseMs,
    onError: () => {},
  })
  const stop = async () => {
    await runner.stop()
    await pool.close()
    await rm(scratch, { recursive: true, force: true })
  }
  onTestFinished(stop)
  await runner.start()
  return { runner, stop, foldersInUse: () => readdir(scratch) }
}

/** Stores an input that makes the job's worker do what the word says. */
async function put(stores: Stores, id: string, behaviour: string): Promise<void> {
  const path = join(tmpdir(), id)
  await writeFile(path, behaviour)
  await stores.blobs.put(jobBlobs.input(id), path)
}

/** Queues a job whose worker does what the word says. */
async function submit(stores: Stores, accountId: string, behaviour: string): Promise<string> {
  const job = newJob(accountId)
  await put(stores, job.id, behaviour)
  expect((await stores.jobs.submit(job)).kind).toBe('queued')
  return job.id
}

/** A store as seen by a sleeping host: it renews nothing, and reports the end of its job late. */
const asleep = (store: JobStore): JobStore =>
  Object.create(store, {
    renew: { value: () => Promise.reject(new Error('out of reach')) },
    recover: { value: async () => ({ requeued: [], interrupted: [] }) },
    requeue: { value: () => Promise.reject(new Error('out of reach')) },
    claim: { value: (claim: Claim) => store.claim(claim) },
    get: { value: (id: string) => store.get(id) },
    succeed: {
      value: async (attempt: Attempt, success: Success) => {
        await expect.poll(async () => (await store.get(attempt.id))?.attempts, LONG_WAIT).toBe(2)
        return store.succeed(attempt, success)
      },
    },
  })

testFull('a job that runs for longer than a lease stays with its host', async () => {
  const { stores, account } = await setUp(testStores)
  const host = await startHost(stores, 'first')
  const id = await submit(stores, account.id, `fine ${2.5 * LEASE_MS}`)
  host.runner.wake()
  await expect.poll(async () => (await stores.jobs.get(id))?.status, LONG_WAIT).toBe('Succeeded')
  // Had the lease ended, the host itself would have requeued the job.
  expect(await stores.jobs.get(id)).toMatchObject({ attempts: 1 })
})

test('jobs of a host that has gone are run by another once their leases end', async () => {
  const { stores, account } = await setUp(testStores)
  // Nobody gives back the jobs of a host that has crashed.
  const requeue = () => Promise.reject(new Error('out of reach'))
  const store: JobStore = new Proxy(stores.jobs, {
    get: (target, name: keyof JobStore) => (name === 'requeue' ? requeue : target[name].bind(target)),
  })
  const first = await startHost(stores, 'first', store)
  const id = await submit(stores, account.id, `fine ${LEASE_MS / 2}`)
  first.runner.wake()
  await expect.poll(async () => (await stores.jobs.get(id))?.status, LONG_WAIT).toBe('Running')
  await first.stop()
  expect(await stores.jobs.get(id)).toMatchObject({ status: 'Running' })
  await startHost(stores, 'second')
  await expect.poll(async () => (await stores.jobs.get(id))?.status, LONG_WAIT).toBe('Succeeded')
  expect(await stores.jobs.get(id)).toMatchObject({ attempts: 2 })
})

testFull('while no job is open, a host asks for nothing but that, until it hears of one', async () => {
  const { stores, account } = await setUp(testStores)
  const asked: string[] = []
  const store: JobStore = new Proxy(stores.jobs, {
    get: (target, name: keyof JobStore) => {
      const method = target[name].bind(target) as (...given: unknown[]) => unknown
      return (...given: unknown[]) => {
        asked.push(name)
        return method(...given)
      }
    },
  })
  const elsewhere: ((event: ServiceEvent) => void)[] = []
  const events = Object.create(stores.events, {
    hosts: { value: 1 },
    publish: { value: () => {} },
    subscribe: { value: () => () => {} },
    subscribeElsewhere: {
      value: (listener: (event: ServiceEvent) => void) => {
        elsewhere.push(listener)
        return () => {}
      },
    },
  })
  await startHost(stores, 'idle', store, events)
  await expect.poll(() => asked.at(-1), LONG_WAIT).toBe('open')
  asked.length = 0
  await delay(3 * LEASE_MS)
  // In every second third of a lease, where a host with jobs asks in each, and for more.
  expect(new Set(asked)).toEqual(new Set(['open']))
  expect(asked.length).toBeLessThanOrEqual(6)

  const id = await submit(stores, account.id, 'fine')
  for (const listener of elsewhere) listener(queued(id, account.id))
  await expect.poll(async () => (await stores.jobs.get(id))?.status, LONG_WAIT).toBe('Succeeded')

  // An event that never arrived is made up for.
  await expect.poll(() => asked.at(-1), LONG_WAIT).toBe('open')
  const unheard = await submit(stores, account.id, 'fine')
  await expect.poll(async () => (await stores.jobs.get(unheard))?.status, LONG_WAIT).toBe('Succeeded')
})

testFull(
  'a host that starts among others takes everything that waits, although nobody tells of it',
  async () => {
    const { stores, account } = await setUp(testStores)
    const silent = {
      hosts: { value: 3 },
      publish: { value: () => {} },
      subscribe: { value: () => () => {} },
      subscribeElsewhere: { value: () => () => {} },
    }
    const waiting: string[] = []
    for (let number = 0; number < 6; number++) waiting.push(await submit(stores, account.id, 'fine'))
    const events = Object.create(stores.events, silent)
    await startHost(stores, 'late', stores.jobs, events, LONG_LEASE_MS)
    const ended = async () => (await stores.jobs.getMany(waiting)).map(({ status }) => status)
    await expect.poll(ended, { timeout: LONG_LEASE_MS / 2 }).toEqual(waiting.map(() => 'Succeeded'))
  },
)

test('a host that stops gives its jobs back at once', async () => {
  const { stores, account } = await setUp(testStores)
  const first = await startHost(stores, 'first')
  const id = await submit(stores, account.id, 'sleep')
  first.runner.wake()
  await expect.poll(async () => (await stores.jobs.get(id))?.status, LONG_WAIT).toBe('Running')
  await first.stop()
  expect(await stores.jobs.get(id)).toMatchObject({ status: 'Queued', startedAt: null })
})

test('a job canceled by another host is killed here', async () => {
  const { stores, account } = await setUp(testStores)
  const host = await startHost(stores, 'first')
  const id = await submit(stores, account.id, 'sleep')
  host.runner.wake()
  await expect.poll(host.foldersInUse, LONG_WAIT).toEqual([id])
  await stores.jobs.cancel(id)
  await expect.poll(host.foldersInUse, LONG_WAIT).toEqual([])
  expect(await stores.accounts.get(account.id)).toMatchObject({ balance: 500 })
})

test('a host that cannot reach the store ends its jobs once their leases end', async () => {
  const { stores, account } = await setUp(testStores)
  const renew = () => Promise.reject(new StoreUnavailable('out of reach'))
  const store: JobStore = new Proxy(stores.jobs, {
    get: (target, name: keyof JobStore) => (name === 'renew' ? renew : target[name].bind(target)),
  })
  const host = await startHost(stores, 'first', store)
  const id = await submit(stores, account.id, 'sleep')
  host.runner.wake()
  await expect.poll(host.foldersInUse, LONG_WAIT).toEqual([id])
  await expect.poll(host.foldersInUse, LONG_WAIT).toEqual([])
  // This host must not decide how the job ends.
  expect(await stores.jobs.get(id)).toMatchObject({ status: 'Running', attempts: 1 })
})

testFull('a host that has lost a job and gets it again ends the earlier attempt first', async () => {
  const { stores, account } = await setUp(testStores)
  let isReachable = false
  const renew: JobStore['renew'] = (...claim) =>
    isReachable ? stores.jobs.renew(...claim) : Promise.reject(new Error('out of reach'))
  const store: JobStore = new Proxy(stores.jobs, {
    get: (target, name: keyof JobStore) => (name === 'renew' ? renew : target[name].bind(target)),
  })
  const host = await startHost(stores, 'first', store)
  const id = await submit(stores, account.id, 'sleep')
  host.runner.wake()
  await expect.poll(async () => (await stores.jobs.recover()).requeued, LONG_WAIT).toHaveLength(1)
  await put(stores, id, 'fine')
  isReachable = true
  const status = async () => (await stores.jobs.get(id))?.status ?? ''
  await expect.poll(status, LONG_WAIT).toMatch(/Succeeded|Failed/)
  expect(await stores.jobs.get(id)).toMatchObject({ status: 'Succeeded', attempts: 2 })
})

testFull('a host that has lost a job cannot interfere with its new owner', async () => {
  const { stores, account } = await setUp(testStores)
  // Long enough for the job to end before, and for its new owner to renew it on a busy machine.
  const leaseMs = 4 * LEASE_MS
  const first = await startHost(stores, 'first', asleep(stores.jobs), stores.events, leaseMs)
  const id = await submit(stores, account.id, 'fine 100')
  first.runner.wake()
  await expect.poll(first.foldersInUse, LONG_WAIT).toEqual([id])
  await startHost(stores, 'second', stores.jobs, stores.events, leaseMs)
  await expect.poll(first.foldersInUse, LONG_WAIT).toEqual([])
  await expect.poll(async () => (await stores.jobs.get(id))?.status, LONG_WAIT).toBe('Succeeded')
  expect(await stores.jobs.get(id)).toMatchObject({ attempts: 2 })
  await expect.poll(() => stores.blobs.list(jobBlobs.all(id)), LONG_WAIT).toEqual(['output-2'])
  const { stream } = await stores.blobs.open(`${jobBlobs.all(id)}/output-2`)
  expect(await text(stream)).toMatch(/^fine done/)
  expect(await stores.accounts.get(account.id)).toMatchObject({ balance: 499 })
})

if (isFull)
  test('an end whose answer was lost counts, and its result stays', LONG_WAIT, async () => {
    const { stores, account } = await setUp(testStores)
    let isLost = false
    const losing: JobStore = Object.create(stores.jobs, {
      claim: { value: (claim: Claim) => stores.jobs.claim(claim) },
      get: { value: (id: string) => stores.jobs.get(id) },
      renew: { value: (...renewal: Parameters<JobStore['renew']>) => stores.jobs.renew(...renewal) },
      recover: { value: (owner?: string) => stores.jobs.recover(owner) },
      requeue: { value: (owner: string) => stores.jobs.requeue(owner) },
      succeed: {
        value: async (attempt: Attempt, success: Success) => {
          const isRecorded = await stores.jobs.succeed(attempt, success)
          if (isLost) return isRecorded
          isLost = true
          throw new StoreUnavailable('The answer was lost.')
        },
      },
    })
    const id = await submit(stores, account.id, 'fine')
    const { runner, foldersInUse } = await startHost(stores, 'here', losing)
    await expect.poll(async () => (await stores.jobs.get(id))?.status, LONG_WAIT).toBe('Succeeded')
    await runner.drain(600_000, new AbortController().signal)
    expect(await foldersInUse()).toEqual([])
    const { outputKey } = (await stores.jobs.get(id))!
    const { stream } = await stores.blobs.open(outputKey ?? '')
    expect(await text(stream)).toMatch(/^fine/)
  })

test('events of other hosts that come close together lead to one search for work', async () => {
  const { stores, account } = await setUp(testStores)
  let hear = (_event: ServiceEvent) => {}
  const events = { ...stores.events, publish: () => {}, subscribe: () => () => {} }
  const subscribeElsewhere = (listener: typeof hear) => {
    hear = listener
    return () => {}
  }
  const claim = vi.spyOn(stores.jobs, 'claim')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await startHost(stores, 'a', stores.jobs, { ...events, subscribeElsewhere })
  const searches = async () => {
    await Promise.all(claim.mock.results.map(({ value }) => value))
    return claim.mock.calls.length
  }
  const before = await searches()
  for (let n = 0; n < 5; n++) {
    hear(queued(String(n), account.id))
    expect(await searches()).toBe(before)
  }
  // Longer than the window in which a host searches.
  vi.advanceTimersByTime(1000)
  expect(await searches()).toBe(before + 1)
})
