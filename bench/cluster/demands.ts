import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { HostProcess } from '../../testing/servers/hosts/processes.ts'
import { childrenOf, processorSeconds } from '../harness.ts'
import { newSecretsKey } from './jobs.ts'
import { startShared } from './shared.ts'
import { turn } from './single.ts'

const JOBS = 100
const IDLE_MS = 30_000
/** Idle connections report their statistics after 10 seconds. */
const STATISTICS_MS = 11_000

const isServer = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'

/** Processor time of the database server and the processes of its connections, in seconds. */
function databaseSeconds(): number {
  const server = childrenOf(process.pid).find(isServer) ?? 0
  return [server, ...childrenOf(server)].reduce((sum, pid) => sum + processorSeconds(pid), 0)
}

const line = (what: string, figure: string) => console.log(`       ${what.padEnd(58)} ${figure.padStart(16)}`)

/** The load that a host puts on the database and the storage: for each job, and while it is idle. */
export async function demands(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { folder, storage, postgres } = await startShared(stack)
  const url = await postgres.createDatabase()
  const shared = { url, place: storage.place(), secretsKey: newSecretsKey() }
  const host = new HostProcess({ home: join(folder, 'host'), slots: 6, shared })
  stack.defer(() => host.end('SIGTERM'))
  await host.start()
  const client = stack.adopt(new pg.Client({ connectionString: url }), each => each.end())
  await client.connect()
  let events = 0
  client.on('notification', () => events++)
  await client.query('LISTEN refile_events')

  const now = async () => {
    await delay(STATISTICS_MS)
    const { rows } = await client.query<{ transactions: number; bytes: number; connections: number }>(
      `SELECT xact_commit::INT AS transactions, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::FLOAT8 AS bytes,
              (SELECT COUNT(*)::INT FROM pg_stat_activity WHERE application_name LIKE 'refile%') AS connections
       FROM pg_stat_database WHERE datname = current_database()`,
    )
    const requests = new Map<string, number>()
    for (const { line: request } of storage.requests) {
      const method = request.split(' ')[0] ?? ''
      requests.set(method, (requests.get(method) ?? 0) + 1)
    }
    return { ...rows[0]!, seconds: databaseSeconds(), requests, events }
  }
  for (let job = 0; job < 10; job++) await turn(host)
  const before = await now()
  for (let job = 0; job < JOBS; job++) await turn(host)
  const after = await now()
  // Webhooks and cleaning have finished by then.
  const rested = await now()
  await delay(IDLE_MS)
  const idle = await now()

  const each = (from: number, to: number) => ((to - from) / JOBS).toFixed(1)
  line('a job: transactions of the database', each(before.transactions, after.transactions))
  line('a job: write-ahead log', `${(Number(each(before.bytes, after.bytes)) / 1024).toFixed(1)} KB`)
  line('a job: processor time of the database', `${each(before.seconds * 1000, after.seconds * 1000)} ms`)
  line('a job: notifications', each(before.events, after.events))
  for (const [method, count] of after.requests)
    line(`a job: ${method} requests to the storage`, each(before.requests.get(method) ?? 0, count))
  line('connections of a host to the database', `${after.connections}`)
  const seconds = (IDLE_MS + STATISTICS_MS) / 1000
  line(
    'a host without work: transactions a second',
    ((idle.transactions - rested.transactions) / seconds).toFixed(2),
  )
}
