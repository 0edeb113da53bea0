import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { DiskBlobs } from '../storage/disk/blobs.ts'
import { openPostgresStores, type PostgresSettings } from '../storage/postgres/stores.ts'
import type { Stores } from '../stores/stores.ts'

const run = promisify(execFile)

/** Where the server's programs are: Debian's folder of the newest one, or one that PATH names; undefined where there is none. */
const programs = (() => {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map(version => join(root, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find(folder => existsSync(join(folder, 'initdb')))
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
  /** Stops the server at once, as a crash would, and starts it again. */
  restart(): Promise<void>
}

/**
 * How programs of the server are started: not as root, which they refuse, and on Linux so that they end with this process.
 * @returns who they run as, where that is not who this process is, and the words before each command
 */
async function asUser(): Promise<{ ids?: [number, number]; before: string[] }> {
  if (process.platform !== 'linux') return { before: [] }
  const dying = ['setpriv', '--pdeathsig', 'KILL']
  if (userInfo().uid !== 0) return { before: dying }
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  const [uid, gid] = [await id('-u'), await id('-g')]
  return { ids: [uid, gid], before: [...dying, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] }
}

/** Starts a server of its own in a temporary folder, which answers on a socket there alone. */
export async function startPostgres(): Promise<PostgresServer> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.adopt(await mkdtemp(join(tmpdir(), 'refile-pg-')), path =>
    rm(path, { recursive: true, force: true }),
  )
  const { ids, before } = await asUser()
  if (ids) await chown(folder, ...ids)
  const data = join(folder, 'data')
  const command = (name: string, ...words: string[]): [string, string[]] => {
    const [first = '', ...rest] = [...before, join(programs ?? '', name), '-D', data, ...words]
    return [first, rest]
  }
  const options = ['--username=refile', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  await run(...command('initdb', ...options), { cwd: folder })
  const settings = ['listen_addresses=', 'fsync=off', 'full_page_writes=off', 'max_connections=200']
  const words = ['-k', folder, ...settings.flatMap(setting => ['-c', setting])]
  const start = () =>
    // Ctrl-C is for this process, which stops the server when nobody needs it any more.
    spawn(...command('postgres', ...words), { stdio: 'ignore', cwd: folder, detached: true })
  let server = start()
  starting.defer(() => ended(server))
  const urlOf = (database: string) => `postgres://refile@${encodeURIComponent(folder)}/${database}`
  const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
  let admin = await connected(urlOf('postgres'))
  starting.defer(() => admin.end())
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
    restart: async () => {
      await admin.end()
      await ended(server)
      server = start()
      admin = await connected(urlOf('postgres'))
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
