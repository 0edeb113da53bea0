import pg from 'pg'
import { jobBlobs } from '../../service/store/interfaces/keys.ts'
import type { Stores } from '../../service/store/interfaces/stores.ts'
import { postgresStores, startPostgres } from '../../testing/servers/postgres.ts'
import { median, report } from '../harness.ts'
import { benchJob, LIMITS, newSecretsKey } from './jobs.ts'

const QUEUED = 100_000
const PER_ACCOUNT = 18
const HOSTS = 3
const CLAIMS_PER_HOST = 1_000
const LEASE_MS = 60_000

/** Queues jobs of many accounts, as copies of one job. */
async function fill(url: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const accounts = Math.ceil(QUEUED / PER_ACCOUNT)
  await client.query(
    `INSERT INTO accounts (id, name, created_at) SELECT 'bench ' || number, 'Bench', 0 FROM generate_series(1, ${accounts}) AS number`,
  )
  await client.query(
    `INSERT INTO jobs (id, account_id, origin, first_id, job, category, target_key, status, options, input_name, input_format,
                       input_bytes, input_source, measure, credit_cost, created_at)
     SELECT 'bench ' || account || ' ' || number, 'bench ' || account, origin, 'bench', job, category, target_key, 'Queued',
            options, input_name, input_format, input_bytes, input_source, measure, credit_cost, created_at
     FROM jobs, generate_series(1, ${PER_ACCOUNT}) AS number, generate_series(1, ${accounts}) AS account WHERE id = $1`,
    [template],
  )
  await client.query('VACUUM ANALYZE')
  await client.end()
}

/** Claims one job after another, as a host does, and ends each. @returns milliseconds of each claim */
async function claims({ jobs }: Stores, owner: string): Promise<number[]> {
  const times: number[] = []
  while (times.length < CLAIMS_PER_HOST) {
    const begun = performance.now()
    const job = await jobs.claim({ owner, leaseMs: LEASE_MS, saturated: [] })
    times.push(performance.now() - begun)
    if (!job) throw new Error('the queue is empty')
    const output = { fileName: 'a', contentType: 'text/plain', fileCount: 1, bytes: 1, warnings: [] }
    await jobs.succeed(job, { ...output, key: jobBlobs.output(job), expiresAt: Date.now() + 3600_000 })
  }
  return times
}

/** How long a claim takes when many jobs are queued. */
export async function claimLatency(): Promise<void> {
  await using postgres = await startPostgres({ isDurable: true })
  const url = await postgres.createDatabase()
  const secretsKey = newSecretsKey()
  await using stack = new AsyncDisposableStack()
  const hosts: Stores[] = []
  for (let number = 0; number < HOSTS; number++)
    hosts.push(stack.use(await postgresStores({ url, limits: LIMITS, secretsKey })))
  const [first] = hosts
  const owner = await first!.accounts.owner({ name: 'Owner', credits: 10 })
  const template = benchJob(owner.id)
  await first!.jobs.submit(template)
  await fill(url, template.id)
  for (const count of [1, HOSTS]) {
    const begun = performance.now()
    const times = (
      await Promise.all(hosts.slice(0, count).map((stores, index) => claims(stores, `${index}`)))
    ).flat()
    const perSecond = times.length / ((performance.now() - begun) / 1000)
    const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
    report(
      `${QUEUED.toLocaleString('en')} queued, ${count} host${count > 1 ? 's' : ''} (${perSecond.toFixed(0)} jobs/s, median ${median(times).toFixed(1)} ms): claim, p99`,
      `${p99.toFixed(1)} ms`,
      '< 50 ms',
      p99 < 50,
    )
  }
}
