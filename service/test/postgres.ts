import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { DiskBlobs } from '../storage/disk/blobs.ts'
import { openPostgresStores, type PostgresSettings } from '../storage/postgres/stores.ts'
import type { Stores } from '../stores/stores.ts'

const run = promisify(execFile)

/** Debian's folder of the newest PostgreSQL; undefined where there is none. */
const programs = (() => {
  const root = '/usr/lib/postgresql'
  try {
    const [newest] = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))
    return newest && join(root, newest, 'bin')
  } catch {
    return undefined
  }
})()

export const hasPostgres = programs !== undefined

export interface PostgresServer extends AsyncDisposable {
  /** Makes an empty database and returns its address. */
  createDatabase(): Promise<string>
  /** Empties all tables of a database. */
  empty(url: string): Promise<void>
  /** Cuts all connections to a database, and lets nobody in until it is opened again. */
  shut(url: string): Promise<void>
  reopen(url: string): Promise<void>
}

/** How programs of the server are started: not as root, which they refuse, and so that they end with this process. */
async function asUser() {
  const dying = ['--pdeathsig', 'KILL']
  if (userInfo().uid !== 0) return { ids: undefined, flags: dying }
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  const [uid, gid] = [await id('-u'), await id('-g')]
  const flags = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...dying]
  return { ids: [uid, gid] as const, flags }
}

/** Starts a server of its own in a temporary folder, which answers on a socket there alone. */
export async function startPostgres(): Promise<PostgresServer> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.adopt(await mkdtemp(join(tmpdir(), 'refile-pg-')), path =>
    rm(path, { recursive: true, force: true }),
  )
  const { ids, flags } = await asUser()
  if (ids) await chown(folder, ...ids)
  const data = join(folder, 'data')
  const program = (name: string) => [...flags, join(programs ?? '', name), '-D', data]
  const options = ['--username=refile', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  await run('setpriv', [...program('initdb'), ...options], { cwd: folder })
  const settings = ['listen_addresses=', 'fsync=off', 'full_page_writes=off', 'max_connections=200']
  const server = spawn(
    'setpriv',
    [...program('postgres'), '-k', folder, ...settings.flatMap(setting => ['-c', setting])],
    { stdio: 'ignore', cwd: folder },
  )
  starting.defer(() => ended(server))
  const urlOf = (database: string) => `postgres://refile@${encodeURIComponent(folder)}/${database}`
  const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
  const admin = starting.adopt(await connected(urlOf('postgres')), client => client.end())
  const clients = new Map<string, pg.Client>()
  let count = 0
  const started = starting.move()
  return {
    createDatabase: async () => {
      const name = `test_${++count}`
      await admin.query(`CREATE DATABASE ${name}`)
      return urlOf(name)
    },
    empty: async url => {
      let client = clients.get(url)
      if (!client) {
        client = started.adopt(await connected(url), each => each.end())
        clients.set(url, client)
        // As the replica that it pretends to be, the connection passes by the triggers that forbid it.
        await client.query('SET session_replication_role = replica')
      }
      const { rows } = await client.query<{ statement: string }>(
        `SELECT format('DELETE FROM %I', tablename) AS statement FROM pg_tables
         WHERE schemaname = 'public' AND tablename <> 'refile_schema'`,
      )
      await client.query(rows.map(({ statement }) => statement).join(';'))
    },
    shut: async url => {
      await admin.query(`ALTER DATABASE ${nameOf(url)} ALLOW_CONNECTIONS false`)
      const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1'
      await admin.query(others, [nameOf(url)])
    },
    reopen: async url => {
      await admin.query(`ALTER DATABASE ${nameOf(url)} ALLOW_CONNECTIONS true`)
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

async function connected(url: string): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return client
    } catch {
      await delay(20)
    }
  }
}

async function ended(server: ChildProcess): Promise<void> {
  const exited = new Promise(resolve => server.once('exit', resolve))
  // Stops at once, without writing anything back.
  if (server.exitCode === null && server.kill('SIGQUIT')) await exited
}

/** Opens stores of a database with a data folder of their own, which goes with them. */
export async function postgresStores(
  settings: Pick<PostgresSettings, 'url' | 'limits'> & Partial<PostgresSettings>,
): Promise<Stores> {
  const home = await mkdtemp(join(tmpdir(), 'refile-stores-'))
  const stores = await openPostgresStores({
    home,
    blobs: new DiskBlobs(join(home, 'blobs')),
    onError: () => {},
    ...settings,
  })
  return {
    ...stores,
    [Symbol.asyncDispose]: async () => {
      await stores[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}
