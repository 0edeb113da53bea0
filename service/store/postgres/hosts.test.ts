import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { misbehaving } from '../../test/misbehaving.ts'
import { hasPostgres, type PostgresServer, postgresStores, startPostgres } from '../../test/postgres.ts'
import { json, type TestService, testService } from '../../test/service.ts'
import { LIMITS, newJob, submitted } from '../contract/fixtures.ts'
import { DiskBlobs } from '../disk/blobs.ts'
import { StoreUnavailable } from '../interfaces/errors.ts'
import type { ServiceEvent } from '../interfaces/events.ts'
import type { Job } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import { DatabaseInUse } from '../sqlite/database.ts'
import { openPostgresStores } from './stores.ts'

const secretsKey = randomBytes(32).toString('base64')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-hosts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe.skipIf(!hasPostgres)('hosts that share a database', () => {
  let server: PostgresServer
  let url: string
  beforeAll(async () => {
    server = await startPostgres()
  })
  beforeEach(async () => {
    url = await server.createDatabase()
  })
  afterEach(() => void vi.useRealTimers())
  afterAll(() => server[Symbol.asyncDispose]())

  /** Opens the stores of several hosts, all at once. */
  const hosts = async (count: number): Promise<Stores[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const stores = await postgresStores({ url, limits: LIMITS, secretsKey })
        onTestFinished(() => stores[Symbol.asyncDispose]())
        return stores
      }),
    )

  test('create its schema and its owner once, and cannot change the ledger', async () => {
    const stores = await hosts(4)
    const owners = await Promise.all(
      stores.map(({ accounts }) => accounts.owner({ name: 'Owner', credits: 500 })),
    )
    expect(new Set(owners.map(({ id }) => id)).size).toBe(1)
    const accountId = owners[0]!.id
    const job = await submitted(stores[0]!, accountId)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    for (const statement of ['UPDATE ledger SET amount = 9999', 'DELETE FROM ledger', 'TRUNCATE ledger'])
      await expect(client.query(statement)).rejects.toThrow('append-only')
    const twice = `INSERT INTO ledger (account_id, kind, amount, reason, job_id, created_at) VALUES ($1, 'charge', -1, 'a', $2, 0)`
    await expect(client.query(twice, [accountId, job.id])).rejects.toThrow('ledger_once_per_job')
    const stray = `INSERT INTO ledger (account_id, kind, amount, reason, created_at) VALUES ('nobody', 'grant', 1, 'a', 0)`
    await expect(client.query(stray)).rejects.toThrow('foreign key')
    expect(await stores[3]!.accounts.get(accountId)).toMatchObject({ balance: 499 })
  })

  test('limit an account to 6 jobs and a job type to its own number, and let accounts take turns', async () => {
    const stores = await hosts(3)
    const { accounts } = stores[0]!
    const owner = await accounts.owner({ name: 'Owner', credits: 500 })
    const other = await accounts.create({ name: 'Other', credits: 500 })
    const submissions = Array.from({ length: 40 }, (_, number) =>
      stores[number % 3]!.jobs.submit(
        newJob(number % 2 ? owner.id : other.id, { job: number % 4 < 2 ? 'rare' : 'common' }),
      ),
    )
    const answers = (await Promise.all(submissions)).map(({ kind }) => kind)
    expect(answers.filter(kind => kind === 'queued')).toHaveLength(36)
    const concurrent = new Map([['rare', 2]])
    const claim = (number: number) =>
      stores[number % 3]!.jobs.claim({ owner: `${number % 3}`, leaseMs: 60_000, saturated: [], concurrent })
    // One after another, since only their answers tell the order of claims.
    const first: (Job | undefined)[] = []
    for (let number = 0; number < 6; number++) first.push(await claim(number))
    const others = await Promise.all(Array.from({ length: 24 }, (_, number) => claim(number)))
    const claimed = [...first, ...others].filter((job): job is Job => job !== undefined)
    const of = (accountId: string) => claimed.filter(job => job.accountId === accountId)
    expect([of(owner.id).length, of(other.id).length]).toEqual([6, 6])
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(12)
    expect(claimed.filter(({ job }) => job === 'rare')).toHaveLength(2)
    const firstOfOwner = first.filter(job => job?.accountId === owner.id)
    expect(firstOfOwner.length).toBeGreaterThanOrEqual(2)
    expect(firstOfOwner.length).toBeLessThanOrEqual(4)
  })

  test('use the clock of the database, whatever their own time is', async () => {
    const [stores] = await hosts(1)
    const owner = await stores!.accounts.owner({ name: 'Owner', credits: 500 })
    await submitted(stores!, owner.id)
    const job = await stores!.jobs.claim({ owner: 'a', leaseMs: 60_000, saturated: [] })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    const [late] = await hosts(1)
    expect(await late!.jobs.recover('b')).toEqual({ requeued: [], interrupted: [] })
    await submitted(late!, owner.id)
    const second = await late!.jobs.claim({ owner: 'b', leaseMs: 60_000, saturated: [] })
    expect(Math.abs(second!.startedAt! - job!.startedAt!)).toBeLessThan(300_000)
  })

  test('can lose the database for a while, and recover by themselves', async () => {
    const [here, there] = await hosts(2)
    const owner = await here!.accounts.owner({ name: 'Owner', credits: 500 })
    const heard: ServiceEvent[] = []
    there!.events.subscribeElsewhere(event => heard.push(event))
    await server.shut(url)
    await expect(here!.jobs.submit(newJob(owner.id))).rejects.toThrow(StoreUnavailable)
    await expect(here!.accounts.get(owner.id)).rejects.toThrow(StoreUnavailable)
    here!.events.publish({ type: 'balance', accountId: owner.id })
    await server.reopen(url)
    await submitted(here!, owner.id)
    expect(await there!.accounts.get(owner.id)).toMatchObject({ balance: 499 })
    await expect
      .poll(() => {
        here!.events.publish({ type: 'job', accountId: owner.id, jobId: '1' })
        return heard.at(-1)
      })
      .toEqual({ type: 'job', accountId: owner.id, jobId: '1' })
  })

  test('are refused with another key than the others have, and a data folder belongs to one host', async () => {
    await hosts(1)
    const home = await newFolder()
    const settings = { url, home, limits: LIMITS, blobs: new DiskBlobs(home), onError: () => {} }
    await expect(openPostgresStores(settings)).rejects.toThrow('another secrets.key')
    await using stores = await openPostgresStores({ ...settings, secretsKey })
    await expect(openPostgresStores({ ...settings, secretsKey })).rejects.toThrow(DatabaseInUse)
    expect(stores.isShared).toBe(true)
  })

  test('act as one service', async () => {
    const blobs = new DiskBlobs(await newFolder())
    const start = () =>
      testService({
        ...misbehaving,
        slots: 2,
        openStores: (home, limits, onError) =>
          openPostgresStores({ url, home, limits, blobs, onError, secretsKey }),
      })
    const both = [await start(), await start()] as const
    const [here, there] = both

    const submit = async (service: TestService, behaviour: string) =>
      (await json<{ id: string }>(service.submit('a.jpg', behaviour, 'webp', {}, here.key))).id
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, number) => submit(both[number % 2]!, 'fine 50')),
    )
    // Each is watched on both hosts, one of which does not run it.
    const streams = ids.flatMap(id =>
      both.map(async service => {
        const text = await (await service.call(`/convert/job/${id}/events`, { key: here.key })).text()
        const last = text.split('\n\n').findLast(block => block.startsWith('event: job'))
        return JSON.parse(last?.split('\n')[1]?.slice('data: '.length) ?? '')
      }),
    )
    for (const event of await Promise.all(streams)) expect(event).toMatchObject({ status: 'Succeeded' })
    const jobs = await here.services.stores.jobs.getMany(ids)
    expect(jobs.map(({ attempts }) => attempts)).toEqual(ids.map(() => 1))
    const outputs = await Promise.all(
      ids.map(async id => (await there.call(`/convert/job/${id}/download`, { key: here.key })).text()),
    )
    const workers = new Set(outputs.map(text => /^fine done by (\d+)/.exec(text)?.[1]))
    expect(workers.size).toBeGreaterThan(1)

    // Four slots: two of the hanging jobs run on each host, and are canceled from the other as well.
    const hanging = await Promise.all(Array.from({ length: 4 }, () => submit(here, 'sleep')))
    const stores = here.services.stores
    const counts = async () => (await stores.jobs.counts(jobs[0]!.accountId)).running
    await expect.poll(counts).toBe(4)
    for (const id of hanging) {
      const { status } = await there.call(`/convert/job/${id}/cancel`, { method: 'POST', key: here.key })
      expect(status).toBe(202)
    }
    const after = await Promise.all(Array.from({ length: 4 }, () => submit(there, 'fine')))
    for (const id of after) expect(await here.finished(id)).toMatchObject({ status: 'Succeeded' })

    await server.shut(url)
    const refused = await here.submit('a.jpg', 'fine', 'webp')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await json(refused)).toMatchObject({ error: 'server.unavailable' })
    await server.reopen(url)
    const again = await submit(here, 'fine')
    expect(await there.finished(again)).toMatchObject({ status: 'Succeeded' })
    // 8 before, 4 canceled, 4 and 1 after.
    expect(await here.balance()).toBe(487)

    // The connection is lost while the submission is committed, so nobody learns of it.
    const { query } = pg.Client.prototype
    const submitting = new WeakSet<pg.Client>()
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
      this: pg.Client,
      config: pg.QueryConfig,
    ) {
      if (config.text?.includes('INSERT INTO jobs')) submitting.add(this)
      const result: unknown = await Reflect.apply(query, this, [config])
      if (config.text === 'COMMIT' && submitting.has(this)) throw new Error('Connection terminated')
      return result
    } as never)
    const lost = await here.submit('a.jpg', 'fine', 'webp')
    spy.mockRestore()
    expect(lost.status).toBe(503)
    expect((await json<{ detail: string }>(lost)).detail).toContain(
      'may be in the list of jobs, charged once',
    )
    await expect.poll(() => here.balance()).toBe(486)
  })
})
