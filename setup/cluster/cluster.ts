import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../testing/servers/postgres.ts'
import { anyCredentials, startS3 } from '../../testing/servers/s3.ts'
import { startBalancer } from './balancer.ts'
import { Host, type HostLine } from './host.ts'

/** Share of the machine's memory that the conversions of all hosts together may use. */
const MEMORY_SHARE = 0.7

export interface ClusterSettings {
  /** Number of hosts. */
  count: number
  /** Port of the balancer, or the next free one if it is taken; 0 means any. */
  port: number
  /** Script of the service. */
  main: string
  /** Aborts the start. */
  signal: AbortSignal
}

export interface Cluster extends AsyncDisposable {
  /** Address of the balancer. */
  url: string
  /** Opens the app once, within five minutes. */
  pageUrl: string
  apiKey: string
  /** Hosts that are up, by their number, from 0. */
  hosts: ReadonlyMap<number, HostLine>
  database: string
  storage: string
}

/** Starts PostgreSQL, an S3-compatible storage, hosts and a balancer, all in temporary folders that are deleted at the end. */
export async function startCluster({ count, port, main, signal }: ClusterSettings): Promise<Cluster> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.adopt(await mkdtemp(join(tmpdir(), 'refile-cluster-')), path =>
    rm(path, { recursive: true, force: true, maxRetries: 3 }),
  )
  const storage = starting.use(await startS3(join(folder, 's3')))
  const { bucket, endpoint = '' } = storage.place()
  const postgres = starting.use(await startPostgres())
  signal.throwIfAborted()
  const database = await postgres.createDatabase()
  const balancer = starting.use(await startBalancer(port))
  signal.throwIfAborted()

  const { host: address } = new URL(balancer.url)
  const environment = {
    ...anyCredentials,
    REFILE_DATABASE_URL: database,
    REFILE_BLOBS: `s3://${bucket}?endpoint=${endpoint}&style=path`,
    REFILE_SECRETS_KEY: randomBytes(32).toString('base64'),
    REFILE_HOST: '127.0.0.1',
    REFILE_ALLOWED_HOSTS: [address, address.replace('127.0.0.1', 'localhost')].join(','),
    REFILE_PUBLIC_URL: balancer.url,
    // All hosts share the cores and the memory of this machine.
    REFILE_CORES: String(Math.max(1, Math.floor(availableParallelism() / count))),
    REFILE_MEMORY_BUDGET_MB: String(Math.floor((MEMORY_SHARE * totalmem()) / count / 2 ** 20)),
    // All requests come from the balancer's address.
    REFILE_RATE_LIMIT: '0',
    REFILE_AUTO_TOP_UP: process.env.REFILE_AUTO_TOP_UP || '1',
    REFILE_LOG_LEVEL: process.env.REFILE_LOG_LEVEL || 'warn',
  }
  const hosts = new Map<number, HostLine>()
  const { promise: first, resolve: isFirst } = Promise.withResolvers<HostLine>()
  for (let number = 0; number < count; number++) {
    const home = join(folder, `host-${number + 1}`)
    const host = new Host({
      name: `Host ${number + 1}`,
      main,
      args: ['--port', '0', '--home', home],
      // One host prints the key and the link, which work for all hosts.
      firstArgs: number === 0 ? ['--print-key', '--open'] : [],
      environment,
      onChange: line => {
        if (line) hosts.set(number, line)
        else hosts.delete(number)
        if (line && number === 0) isFirst(line)
        balancer.direct([...hosts.values()].map(({ url }) => url))
      },
    })
    starting.use(host)
  }
  await balancer.ready(count, signal)
  const { apiKey = '', pageUrl = '' } = await first
  const started = starting.move()
  return {
    url: balancer.url,
    pageUrl: new URL(new URL(pageUrl).search, `${balancer.url}/open`).href,
    apiKey,
    hosts,
    database,
    storage: endpoint,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
