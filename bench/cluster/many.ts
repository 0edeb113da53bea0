import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Catalogue } from '../../service/convert/catalogue/catalogue.ts'
import { converters } from '../../service/convert/converters/index.ts'
import type { WorkerPool } from '../../service/sandbox/workers/pool.ts'
import type { BlobStore } from '../../service/store/interfaces/blobs.ts'
import { Cleanup } from '../../service/store/interfaces/cleanup.ts'
import { jobEvent } from '../../service/store/interfaces/events.ts'
import type { Stores } from '../../service/store/interfaces/stores.ts'
import { JobRunner } from '../../service/work/jobs/runner.ts'
import { postgresStores, startPostgres } from '../../testing/servers/postgres.ts'
import { report } from '../harness.ts'
import { benchJob, LIMITS, newSecretsKey } from './jobs.ts'

const HOSTS = 200
/** Enough for the limits of accounts not to matter. */
const ACCOUNTS = 60
const JOB_MS = 20_000
/** Half of the hosts are busy then, and half are free to search. */
const JOBS_A_SECOND = (HOSTS / 2 / JOB_MS) * 1000
const SECONDS = 40
const IDLE_SECONDS = 60
/** Hosts know by then that there is nothing to do. */
const QUIET_MS = 75_000
/** Idle connections report their statistics after 10 seconds. */
const STATISTICS_MS = 11_000

/** Contents are not what is measured. */
const noBlobs = {
  checkout: async () => ({ path: '/dev/null', [Symbol.asyncDispose]: async () => {} }),
  put: async () => {},
  list: async () => [],
  remove: async () => {},
  [Symbol.asyncDispose]: async () => {},
} as unknown as BlobStore

const config = { slots: 1, cores: 1, retentionSeconds: 3600, jobTimeoutSeconds: 60, maxOutputBytes: 2 ** 30 }

/** Many hosts that sleep instead of converting, against one database: what they ask of it, and how fast it answers. */
export async function manyHosts(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const scratch = stack.adopt(await mkdtemp(join(tmpdir(), 'refile-bench-')), path =>
    rm(path, { recursive: true, force: true, maxRetries: 3 }),
  )
  const postgres = stack.use(await startPostgres({ isDurable: true, connections: 11 * HOSTS + 20 }))
  const url = await postgres.createDatabase()
  const secretsKey = newSecretsKey()
  const catalogue = new Catalogue(converters)
  const times: number[] = []
  let ended = 0
  const pool = {
    run: async (_kind: string, _request: object, { signal }: { signal: AbortSignal }) => {
      await delay(JOB_MS, undefined, { signal })
      return { path: '/dev/null', fileName: 'a', contentType: 'text/plain', fileCount: 1, bytes: 1 }
    },
  } as unknown as WorkerPool
  const hosts: { stores: Stores; runner: JobRunner }[] = []
  const errors = new Map<string, number>()
  const onError = (error: unknown) => {
    const text = String(error)
    errors.set(text, (errors.get(text) ?? 0) + 1)
  }
  for (let number = 0; number < HOSTS; number++) {
    const stores = stack.use(
      await postgresStores({ url, limits: LIMITS, secretsKey, blobs: noBlobs, onError }),
    )
    const { jobs } = stores
    const [claim, succeed] = [jobs.claim.bind(jobs), jobs.succeed.bind(jobs)]
    jobs.claim = async wanted => {
      const begun = performance.now()
      const job = await claim(wanted)
      times.push(performance.now() - begun)
      return job
    }
    jobs.succeed = async (...words) => {
      ended++
      return succeed(...words)
    }
    const runner = new JobRunner({
      ...{ store: jobs, blobs: noBlobs, events: stores.events, pool, catalogue, config, scratch, onError },
      cleanup: new Cleanup(noBlobs, onError),
      owner: `host-${number}`,
    })
    await runner.start()
    stack.defer(() => runner.stop())
    hosts.push({ stores, runner })
  }
  const { accounts } = hosts[0]!.stores
  const ids: string[] = []
  for (let number = 0; number < ACCOUNTS; number++)
    ids.push((await accounts.create({ name: `${number}`, credits: 1e6 })).id)

  const client = stack.adopt(new pg.Client({ connectionString: url }), each => each.end())
  await client.connect()
  const transactions = async (): Promise<number> => {
    await delay(STATISTICS_MS)
    const { rows } = await client.query(
      'SELECT xact_commit::INT AS count FROM pg_stat_database WHERE datname = current_database()',
    )
    return rows[0].count
  }

  times.length = 0
  const count = JOBS_A_SECOND * SECONDS
  const pickedUp: number[] = []
  const begun = performance.now()
  for (let number = 0; number < count; number++) {
    await delay(Math.max(0, begun + (number * 1000) / JOBS_A_SECOND - performance.now()))
    const { stores, runner } = hosts[Math.floor(Math.random() * HOSTS)]!
    const job = benchJob(ids[number % ACCOUNTS]!)
    void stores.jobs.submit(job).then(() => {
      stores.events.publish(jobEvent({ ...job, batchId: null, attempts: 0 }, 'queued'))
      runner.wake()
    }, onError)
  }
  while (ended < count) await delay(100)
  const { rows: waits } = await client.query<{ wait: number }>(
    'SELECT (started_at - created_at)::FLOAT8 AS wait FROM jobs ORDER BY 1',
  )
  pickedUp.push(...waits.map(({ wait }) => wait))
  const sorted = times.toSorted((a, b) => a - b)
  const at = (list: readonly number[], share: number) => list[Math.floor(list.length * share)] ?? Number.NaN
  const what = `${HOSTS} hosts, ${JOBS_A_SECOND} jobs/s of ${JOB_MS / 1000} s`
  const p99 = at(sorted, 0.99)
  report(
    `${what}: claim, p99 (median ${at(sorted, 0.5).toFixed(1)} ms)`,
    `${p99.toFixed(1)} ms`,
    '< 50 ms',
    p99 < 50,
  )
  const each = times.length / count
  report(`${what}: claims a job`, each.toFixed(1), '≤ 2', each <= 2)
  report(
    `${what}: wait in the queue, p99 (median ${at(pickedUp, 0.5).toFixed(0)} ms)`,
    `${at(pickedUp, 0.99).toFixed(0)} ms`,
    '< 1000 ms',
    at(pickedUp, 0.99) < 1000,
  )
  await delay(QUIET_MS)
  const before = await transactions()
  await delay(IDLE_SECONDS * 1000)
  const idle = ((await transactions()) - before) / (IDLE_SECONDS + STATISTICS_MS / 1000) / HOSTS
  report(
    `${HOSTS} hosts without work: transactions a second and host`,
    idle.toFixed(2),
    '≤ 0.20',
    idle <= 0.2,
  )
  for (const [text, times] of errors) console.log(`       ${times} × ${text}`)
}
