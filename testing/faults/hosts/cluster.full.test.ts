/**
 * Three hosts of one service lose nothing and do nothing twice while hosts and workers are killed at random moments, hosts are
 * suspended, cut off and hear nothing of each other, the database is killed twice, the storage fails and hangs, and all clocks are
 * wrong. `REFILE_HOSTS_SEED` sets the moments, `REFILE_HOSTS_JOBS` the number of jobs.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ApiKeys } from '../../../service/accounts/keys.ts'
import { LIMITS } from '../../../service/store/contract/fixtures.ts'
import { Cleanup } from '../../../service/store/interfaces/cleanup.ts'
import { s3Blobs } from '../../../service/store/s3/blobs.ts'
import { Retention } from '../../../service/work/retention/retention.ts'
import { randomFrom } from '../../fixtures/random.ts'
import { networkBefore } from '../../network.ts'
import { s3Server } from '../../s3.ts'
import { type Line, readAll } from '../../servers/hosts/fence.ts'
import { HostProcess } from '../../servers/hosts/processes.ts'
import { hasPostgres, postgresStores, startPostgres } from '../../servers/postgres.ts'
import { startBalancer } from './balancer.ts'
import { judge } from './judge.ts'
import { Load } from './load.ts'
import { Troubles } from './troubles.ts'

const SEED = Number(process.env.REFILE_HOSTS_SEED || 1)
const JOBS = Number(process.env.REFILE_HOSTS_JOBS || 600)
const HOSTS = 3
const CREDITS = 100_000
/** Short, so that a takeover happens within seconds. */
const LEASE_MS = 2_000
const HOUR_MS = 3600_000
/** How wrong the clock of each host is. */
const CLOCK_OFFSETS_MS = [2 * HOUR_MS, -2 * HOUR_MS, 31 * 24 * HOUR_MS]
/** Longest time between the acceptance of a job and its end: several troubles at once, and its queue. */
const LONGEST_MS = 30_000

const storage = s3Server()

test.skipIf(!hasPostgres || process.platform !== 'linux')(
  `${JOBS} jobs on ${HOSTS} hosts end once, in one right state each, whatever is killed`,
  async () => {
    const random = randomFrom(SEED)
    const folder = await mkdtemp(join(tmpdir(), 'refile-hosts-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
    const fence = join(folder, 'fence')
    await mkdir(fence)
    const postgres = await startPostgres()
    onTestFinished(() => postgres[Symbol.asyncDispose]())
    const url = await postgres.createDatabase()
    const place = storage().place()
    const secretsKey = randomBytes(32).toString('base64')
    const stores = await postgresStores({ url, limits: LIMITS, secretsKey })
    onTestFinished(() => stores[Symbol.asyncDispose]())
    const accounts = [
      await stores.accounts.owner({ name: 'Owner', credits: CREDITS }),
      await stores.accounts.create({ name: 'Other', credits: CREDITS }),
    ].map(({ id }) => ({ id, credits: CREDITS }))
    const keys = await Promise.all(
      accounts.map(
        async ({ id }) => (await new ApiKeys(stores.accounts).create(id, { name: 'test' })).secret,
      ),
    )

    const balancer = await startBalancer(0)
    onTestFinished(() => balancer[Symbol.asyncDispose]())
    const direct = () => balancer.direct(hosts.flatMap(host => host.url ?? []))
    const networks = await Promise.all(Array.from({ length: HOSTS }, () => networkBefore(url)))
    onTestFinished(async () => void (await Promise.all(networks.map(each => each[Symbol.asyncDispose]()))))
    const hosts = networks.map((network, number) => {
      const settings = {
        ...{ fence, slots: 6, leaseMs: LEASE_MS },
        shared: { url: network.url, place, secretsKey },
        home: join(folder, `host-${number}`),
        allowedHosts: [new URL(balancer.url).host],
        clockOffsetMs: CLOCK_OFFSETS_MS[number] ?? 0,
      }
      return new HostProcess(settings, direct)
    })
    onTestFinished(async () => void (await Promise.all(hosts.map(host => host.end('SIGKILL')))))
    await Promise.all(hosts.map(host => host.start()))
    await balancer.ready(HOSTS)

    const load = new Load({ url: balancer.url, keys, jobs: stores.jobs, count: JOBS, random })
    const troubles = new Troubles({ hosts, networks, postgres, storage: storage(), load, fence, random })
    await Promise.all([load.run(), troubles.run()])
    await load.settled()
    await Promise.all(hosts.map(host => host.end('SIGTERM')))

    const blobs = s3Blobs(place, join(folder, 'checkouts'))
    const onError = (error: unknown) => {
      throw error
    }
    const cleanup = new Cleanup(blobs, onError)
    const retention = new Retention({
      stores: { ...stores, blobs, isShared: false },
      cleanup,
      retentionMs: HOUR_MS,
      onError,
    })
    // Ids have the time of hosts whose clocks are ahead.
    await retention.sweepStrays(Number.POSITIVE_INFINITY)
    const confirmed = { accounts, ...load.confirmed, killed: troubles.killedWorkers }
    const log = readAll(fence)
    const { wrongs, ends, overlaps } = await judge(url, blobs, confirmed, log)
    const { id, accepted, ended } = load.slowest
    const slowestMs = ended - accepted
    console.log({ ...Object.fromEntries(ends), overlaps, ...troubles.counts, slowestMs })
    const toEvent = ({ act, attempt, pid, at }: Line) => ({ what: `${act} ${attempt} ${pid}`, at })
    // How fast others ended tells a job that was held from one whose queue was slow.
    const others = [...log].filter(([job]) => job !== id).flatMap(([, lines]) => lines)
    const history = [
      ...(log.get(id) ?? []).map(toEvent),
      ...others.filter(({ act }) => act === 'end').map(({ at }) => ({ what: 'another ended', at })),
      ...troubles.log,
    ].filter(({ at }) => at > accepted - 10_000 && at < ended)
    for (const { what, at } of history.toSorted((a, b) => a.at - b.at))
      console.log(`${((at - accepted) / 1000).toFixed(1)} s: ${what}`)
    const crashes = hosts.flatMap(host => host.crashes)
    expect({ seed: SEED, wrongs, crashes }).toEqual({ seed: SEED, wrongs: [], crashes: [] })
    expect(load.confirmed.accepted.size).toBeGreaterThanOrEqual(JOBS)
    expect(slowestMs).toBeLessThan(LONGEST_MS)
    expect(troubles.counts).toMatchObject({ databaseRestarts: 2, absences: 8 })
    expect(troubles.counts.kills).toBeGreaterThanOrEqual(60)
  },
  600_000,
)
