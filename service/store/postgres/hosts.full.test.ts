import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
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
import { misbehaving } from '../../../testing/misbehaving.ts'
import { networkBefore } from '../../../testing/network.ts'
import {
  hasPostgres,
  type PostgresServer,
  postgresStores,
  startPostgres,
} from '../../../testing/servers/postgres.ts'
import { json, type TestService, testService } from '../../../testing/service.ts'
import { Retention } from '../../work/retention/retention.ts'
import { newBatch } from '../contract/batch-fixtures.ts'
import { LIMITS, newJob, submitted, success } from '../contract/fixtures.ts'
import { diskBlobs } from '../disk/blobs.ts'
import { Cleanup } from '../interfaces/cleanup.ts'
import { OutcomeUnknown, StoreUnavailable } from '../interfaces/errors.ts'
import { jobEvent, type ServiceEvent } from '../interfaces/events.ts'
import { guid } from '../interfaces/ids.ts'
import type { Job } from '../interfaces/jobs.ts'
import { jobBlobs } from '../interfaces/keys.ts'
import type { Stores } from '../interfaces/stores.ts'
import { DatabaseInUse } from '../sqlite/database.ts'
import { connectionTo, migrations, PostgresSql } from './database.ts'
import { postgresEvents } from './events.ts'
import { openPostgresStores } from './stores.ts'

const HOUR_MS = 3600_000
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

  const network = async () => {
    const between = await networkBefore(url)
    onTestFinished(() => between[Symbol.asyncDispose]())
    return between
  }

  test('create its schema and its owner once', async () => {
    const stores = await hosts(4)
    const owners = await Promise.all(
      stores.map(({ accounts }) => accounts.owner({ name: 'Owner', credits: 500 })),
    )
    expect(new Set(owners.map(({ id }) => id)).size).toBe(1)
    const accountId = owners[0]!.id
    await submitted(stores[0]!, accountId)
    expect(await stores[3]!.accounts.get(accountId)).toMatchObject({ balance: 499 })
  })

  test('limit an account to 6 jobs, pass over what a host has enough of, and let accounts take turns', async () => {
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
    const passedOver: Job[] = []
    const claim = async (number: number) => {
      const saturated = number % 3 === 0 ? [] : ['rare']
      const job = await stores[number % 3]!.jobs.claim({ owner: `${number % 3}`, leaseMs: 60_000, saturated })
      if (job && saturated.includes(job.job)) passedOver.push(job)
      return job
    }
    // One after another, since only their answers tell the order of claims.
    const first: (Job | undefined)[] = []
    for (let number = 0; number < 6; number++) first.push(await claim(number))
    const others = await Promise.all(Array.from({ length: 24 }, (_, number) => claim(number)))
    const claimed = [...first, ...others].filter((job): job is Job => job !== undefined)
    const of = (accountId: string) => claimed.filter(job => job.accountId === accountId)
    expect([of(owner.id).length, of(other.id).length]).toEqual([6, 6])
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(12)
    expect(passedOver).toEqual([])
    const firstOfOwner = first.filter(job => job?.accountId === owner.id)
    expect(firstOfOwner.length).toBeGreaterThanOrEqual(2)
    expect(firstOfOwner.length).toBeLessThanOrEqual(4)
  })

  test('run 6 jobs each of three accounts at once, and fill all places for one with a higher limit', async () => {
    const stores = await hosts(3)
    const { accounts, jobs } = stores[0]!
    const runs = async () => {
      let running = 0
      for (;;) {
        const claim = { leaseMs: 60_000, saturated: [] }
        const claimed = await Promise.all(
          stores.map(({ jobs }, n) => jobs.claim({ ...claim, owner: `${n}` })),
        )
        if (!claimed.some(Boolean)) return running
        running += claimed.filter(Boolean).length
      }
    }
    const three = await Promise.all(['a', 'b', 'c'].map(name => accounts.create({ name, credits: 100 })))
    for (const { id } of three) for (let n = 0; n < 9; n++) await submitted(stores[n % 3]!, id)
    expect(await runs()).toBe(18)
    for (const { id } of three) expect(await jobs.counts(id)).toMatchObject({ running: 6, queued: 3 })
    const one = await accounts.create({ name: 'd', credits: 100 })
    await accounts.setLimits(one.id, { running: 18, open: 30 })
    for (let n = 0; n < 25; n++) await submitted(stores[n % 3]!, one.id)
    expect(await runs()).toBe(18)
    expect(await jobs.counts(one.id)).toMatchObject({ running: 18, queued: 7 })
  })

  test('store a batch in a few statements, however many files it has', async () => {
    const [stores] = await hosts(1)
    const owner = await stores!.accounts.owner({ name: 'Owner', credits: 500 })
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const asked = async (count: number) => {
      const { batch, items } = await newBatch(stores!, owner.id, count)
      query.mockClear()
      await stores!.batches.append(
        batch.id,
        items.map(item => ({ ...item, id: guid() })),
      )
      return query.mock.calls.length
    }
    expect(await asked(30)).toBe(await asked(3))
    query.mockRestore()
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

  test('are not held up by a host that is suspended inside a transaction', async () => {
    const [here] = await hosts(1)
    const owner = await here!.accounts.owner({ name: 'Owner', credits: 500 })
    const other = await here!.accounts.create({ name: 'Other', credits: 500 })
    await submitted(here!, other.id)
    const suspended = new pg.Client(connectionTo(url))
    // The database ends its session.
    suspended.on('error', () => {})
    await suspended.connect()
    onTestFinished(() => suspended.end())
    const { rows } = await suspended.query(
      `SELECT name, setting::INT FROM pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout')
       ORDER BY name`,
    )
    const [idle, lock, statement] = rows.map(({ setting }) => setting)
    // Whoever waits outlasts whoever is idle, and the next in line as well, within half a minute.
    expect(idle).toBeGreaterThan(0)
    expect(lock).toBeGreaterThan(idle)
    expect(statement).toBeGreaterThan(lock)
    expect(statement).toBeLessThan(15_000)
    await suspended.query('SET idle_in_transaction_session_timeout = 300')
    await suspended.query('BEGIN')
    await suspended.query(`SELECT pg_advisory_xact_lock(hashtextextended('account ${owner.id}', 0))`)
    await suspended.query(`SELECT pg_advisory_xact_lock(hashtextextended('queue', 0))`)
    await suspended.query('UPDATE accounts SET queued = queued')
    const [submission, claimed, recovered] = await Promise.all([
      here!.jobs.submit(newJob(owner.id)),
      here!.jobs.claim({ owner: 'a', leaseMs: 60_000, saturated: [] }),
      here!.jobs.recover(),
    ])
    expect(submission.kind).toBe('queued')
    expect(claimed?.accountId).toBe(other.id)
    expect(recovered).toEqual({ requeued: [], interrupted: [] })
  }, 10_000)

  test('find that nothing waits without waiting for a claim of another', async () => {
    const [here] = await hosts(1)
    const owner = await here!.accounts.owner({ name: 'Owner', credits: 500 })
    const other = new pg.Client(connectionTo(url))
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('BEGIN')
    await other.query(`SELECT pg_advisory_xact_lock(hashtextextended('queue', 0))`)
    const claim = () => here!.jobs.claim({ owner: 'a', leaseMs: 60_000, saturated: [] })
    expect(await claim()).toBeUndefined()
    const { id } = await submitted(here!, owner.id)
    const claimed = claim()
    await delay(50)
    await other.query('COMMIT')
    expect(await claimed).toMatchObject({ id })
  }, 3_000)

  test('leave nothing half done, and hold up nobody, if they vanish while they submit', async () => {
    const { url: behind, lose, cut, heal } = await network()
    const [there] = await hosts(1)
    const owner = await there!.accounts.owner({ name: 'Owner', credits: 500 })
    await using here = await postgresStores({ url: behind, limits: LIMITS, secretsKey })
    await here.accounts.get(owner.id)
    lose('answers')
    const lost = here.jobs.submit(newJob(owner.id)).catch(error => error)
    await expect.poll(() => there!.jobs.counts(owner.id)).toMatchObject({ queued: 1 })
    await submitted(there!, owner.id)
    expect(await there!.accounts.get(owner.id)).toMatchObject({ balance: 498 })
    cut()
    expect(await lost).toBeInstanceOf(OutcomeUnknown)
    // Closing waits for connections that are being made.
    heal()
  })

  test('hear of what they missed on a connection that was dropped silently', async () => {
    const [here] = await hosts(1)
    const owner = await here!.accounts.owner({ name: 'Owner', credits: 500 })
    const { url: behind, lose } = await network()
    const sql = await PostgresSql.open(url)
    const events = await postgresEvents(behind, sql, () => {}, 200)
    onTestFinished(async () => {
      await events.close()
      await sql.close()
    })
    const heard: ServiceEvent[] = []
    events.subscribeElsewhere(event => heard.push(event))
    const old = await submitted(here!, owner.id)
    await sql.run('UPDATE jobs SET created_at = created_at - 60000')
    await here!.jobs.claim({ owner: 'a', leaseMs: 60_000, saturated: [] })
    lose('notifications')
    await here!.jobs.requeue('a')
    const { id } = await submitted(here!, owner.id)
    await here!.jobs.cancel(id)
    const canceled: ServiceEvent = jobEvent({ id, accountId: owner.id, batchId: null, attempts: 0 }, 'ended')
    await expect.poll(() => heard).toContainEqual(canceled)
    expect(heard).toContainEqual(jobEvent({ ...old, attempts: 1 }, 'queued'))
    expect(heard).toContainEqual({ type: 'balance', accountId: owner.id })
    const next: ServiceEvent = { type: 'batch', accountId: owner.id, batchId: '1' }
    here!.events.publish(next)
    await expect.poll(() => heard.at(-1)).toEqual(next)
  })

  test('hear others again after a connection that was lost while they read what they had missed', async () => {
    const { url: behind, cut } = await network()
    const [here] = await hosts(1)
    const owner = await here!.accounts.owner({ name: 'Owner', credits: 500 })
    const sql = await PostgresSql.open(url)
    let reads = 0
    const reading: Pick<PostgresSql, 'now' | 'run' | 'all'> = {
      now: () => sql.now(),
      run: (...words) => sql.run(...words),
      all: async (...words) => {
        if (reads++ === 0) {
          cut()
          await delay(100)
        }
        return sql.all(...words)
      },
    }
    const events = await postgresEvents(behind, reading, () => {})
    const heard: ServiceEvent[] = []
    events.subscribeElsewhere(event => heard.push(event))
    cut()
    const next: ServiceEvent = { type: 'batch', accountId: owner.id, batchId: '1' }
    await expect
      .poll(() => {
        here!.events.publish(next)
        return heard.at(-1)
      })
      .toEqual(next)
    await events.close()
    await sql.close()
  })

  test('work beside hosts of a newer version, until it needs what they do not know', async () => {
    const [running] = await hosts(1)
    const owner = await running!.accounts.owner({ name: 'Owner', credits: 500 })
    const lives = async (stores: Stores) => {
      const { id } = await submitted(stores, owner.id)
      const job = await stores.jobs.claim({ owner: 'a', leaseMs: 60_000, saturated: [] })
      expect(job?.id).toBe(id)
      expect(await stores.jobs.succeed(job!, success(job!))).toBe(true)
    }
    await lives(running!)
    const newer = new pg.Client({ connectionString: url })
    await newer.connect()
    onTestFinished(() => newer.end())
    migrations.push('ALTER TABLE jobs ADD COLUMN later TEXT')
    try {
      await (await PostgresSql.open(url)).close()
    } finally {
      migrations.pop()
    }
    await lives(running!)
    const [started] = await hosts(1)
    await lives(started!)
    await running!.check()
    // Its data folder is as another version left it.
    const home = await newFolder()
    const embedded = new DatabaseSync(join(home, 'refile.sqlite'))
    embedded.exec('PRAGMA user_version = 999')
    embedded.close()
    await using back = await openPostgresStores({
      ...{ url, home, limits: LIMITS, secretsKey },
      blobs: diskBlobs(home),
      onError: () => {},
    })
    await lives(back)
    await newer.query('UPDATE refile_schema SET usable_from = version')
    await expect(running!.check()).rejects.toThrow('newer version')
    await expect(hosts(1)).rejects.toThrow('newer version')
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
        here!.events.publish({ type: 'batch', accountId: owner.id, batchId: '1' })
        return heard.at(-1)
      })
      .toEqual({ type: 'batch', accountId: owner.id, batchId: '1' })
  })

  test('are refused with another key than the others have, and a data folder belongs to one host', async () => {
    await hosts(1)
    const home = await newFolder()
    const settings = { url, home, limits: LIMITS, blobs: diskBlobs(home), onError: () => {} }
    await expect(openPostgresStores(settings)).rejects.toThrow('another secrets.key')
    await using stores = await openPostgresStores({ ...settings, secretsKey })
    await expect(openPostgresStores({ ...settings, secretsKey })).rejects.toThrow(DatabaseInUse)
    expect(stores.isShared).toBe(true)
  })

  test('delete nothing early and let nothing be born expired, although their clock is wrong', async () => {
    const folder = await newFolder()
    const blobs = diskBlobs(folder)
    const service = await testService({
      ...misbehaving,
      openStores: (home, limits, onError) =>
        openPostgresStores({ url, home, limits, blobs, onError, secretsKey }),
    })
    const { stores } = service.services
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const cleanup = new Cleanup(blobs, onError)
    const retention = new Retention({ stores, cleanup, retentionMs: HOUR_MS, onError })
    const convert = async () => {
      const { id } = await json<{ id: string }>(service.submit('a.jpg', 'fine', 'webp'))
      expect(await service.finished(id)).toMatchObject({ status: 'Succeeded', output: { fileCount: 1 } })
      return id
    }
    const right = await convert()
    for (const hours of [31 * 24, -2]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR_MS })
      // Its id has the wrong time, and its job is still to come.
      const early = guid()
      const path = join(folder, 'content')
      await writeFile(path, 'content')
      await blobs.put(jobBlobs.input(early), path)
      await retention.sweep()
      await retention.sweepStrays(stores.jobs.now() - HOUR_MS)
      const wrong = await convert()
      vi.useRealTimers()
      await retention.sweep()
      for (const id of [right, wrong])
        expect((await service.call(`/convert/job/${id}/download`, { key: service.key })).status).toBe(200)
      expect(await blobs.list('jobs')).toContain(early)
    }
    expect(errors).toEqual([])
  })

  test('act as one service', async () => {
    const blobs = diskBlobs(await newFolder())
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
    const readiness = async () => (await here.call('/health/ready')).status
    expect(await readiness()).toBe(503)
    await server.reopen(url)
    await expect.poll(readiness, { timeout: 5_000 }).toBe(200)
    // 8 before, 4 canceled, 4 after.
    expect(await here.balance()).toBe(488)

    // The connection is lost while the submission is committed, so nobody learns of it.
    const { query } = pg.Client.prototype
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
      this: pg.Client,
      config: pg.QueryConfig,
    ) {
      const result: unknown = await Reflect.apply(query, this, [config])
      if (config.text?.includes('in_one_go')) throw new Error('Connection terminated')
      return result
    } as never)
    const lost = await here.submit('a.jpg', 'fine', 'webp')
    spy.mockRestore()
    expect(lost.status).toBe(503)
    expect((await json<{ detail: string }>(lost)).detail).toContain(
      'may be in the list of jobs, charged once',
    )
    await expect.poll(() => here.balance()).toBe(487)
  })

  test('are not ready while the database can only be read, or gives nothing', async () => {
    const blobs = diskBlobs(await newFolder())
    const here = await testService({
      ...misbehaving,
      openStores: (home, limits, onError) =>
        openPostgresStores({ url, home, limits, blobs, onError, secretsKey }),
    })
    const readiness = async () => (await here.call('/health/ready')).status
    const admin = new pg.Client({ connectionString: url })
    admin.on('error', () => {})
    await admin.connect()
    // As a standby does, the database answers, and nothing is taken.
    const readOnly = async (value: string) => {
      await admin.query(
        `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
      )
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'refile%'`,
      )
    }
    await readOnly('on')
    await expect.poll(readiness).toBe(503)
    await admin.query('SET default_transaction_read_only = off')
    await readOnly('off')
    await expect.poll(readiness).toBe(200)
    // Nothing can be claimed.
    await admin.query('ALTER FUNCTION claim_job RENAME TO claim_job_gone')
    const { id } = await json<{ id: string }>(here.submit('a.jpg', 'fine', 'webp'))
    await expect.poll(readiness).toBe(503)
    await admin.query('ALTER FUNCTION claim_job_gone RENAME TO claim_job')
    await expect.poll(readiness, { timeout: 5_000 }).toBe(200)
    await admin.end()
    expect(await here.finished(id)).toMatchObject({ status: 'Succeeded' })
  })
})
