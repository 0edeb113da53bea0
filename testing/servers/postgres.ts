import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { diskBlobs } from '../../service/store/disk/blobs.ts'
import type { Stores } from '../../service/store/interfaces/stores.ts'
import { openPostgresStores, type PostgresSettings } from '../../service/store/postgres/stores.ts'

const run = promisify(execFile)

/** Folder of the server's programs: Debian's folder of the newest version, or the one on PATH; undefined if there is none. */
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
  /** Creates an empty database and returns its address. */
  createDatabase(): Promise<string>
  /** Empties all tables of a database. */
  empty(url: string): Promise<void>
  /** Cuts all connections to a database, and refuses new ones until it is opened again. */
  shut(url: string): Promise<void>
  reopen(url: string): Promise<void>
  /** Stops the server abruptly, as a crash would, and starts it again. */
  restart(): Promise<void>
  /** The same, for good. */
  stop(): Promise<void>
  /** Starts another server that follows this one, which from then on commits nothing that the other does not have. */
  standby(): Promise<Standby>
}

/** A server that can only be read until it is promoted. */
export interface Standby extends AsyncDisposable {
  /** The address that a database of the other server has here. */
  urlOf(url: string): string
  /** Makes it a server of its own; resolves once it can be written to. */
  promote(): Promise<void>
}

/**
 * How the server's programs are started: not as root, which they refuse, and on Linux such that they end with this
 * process.
 * @returns the user they run as, if different from this process's, and the arguments before each command
 */
async function asUser(): Promise<{ ids?: [number, number]; before: string[] }> {
  if (process.platform !== 'linux') return { before: [] }
  const dying = ['setpriv', '--pdeathsig', 'KILL']
  if (userInfo().uid !== 0) return { before: dying }
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  const [uid, gid] = [await id('-u'), await id('-g')]
  return { ids: [uid, gid], before: [...dying, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] }
}

/**
 * Starts a server in a temporary folder, which only listens on a socket there.
 * @param isDurable whether what is committed outlasts a loss of power, which takes time
 * @param connections how many it takes at once
 */
export async function startPostgres({ isDurable = false, connections = 200 } = {}): Promise<PostgresServer> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.adopt(await mkdtemp(join(tmpdir(), 'refile-pg-')), path =>
    rm(path, { recursive: true, force: true }),
  )
  const { ids, before } = await asUser()
  if (ids) await chown(folder, ...ids)
  const data = join(folder, 'data')
  const command = (name: string, ...args: string[]): [string, string[]] => {
    const [first = '', ...rest] = [...before, join(programs ?? '', name), ...args]
    return [first, rest]
  }
  const options = ['--username=refile', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  await run(...command('initdb', '-D', data, ...options), { cwd: folder })
  const settings = ['listen_addresses=', `max_connections=${connections}`]
  if (!isDurable) settings.push('fsync=off', 'full_page_writes=off')
  const args = settings.flatMap(setting => ['-c', setting])
  const start = (folder: string) =>
    // Ctrl-C is for this process, which stops the server when it is no longer needed.
    spawn(...command('postgres', '-D', join(folder, 'data'), '-k', folder, ...args), {
      ...{ stdio: 'ignore', cwd: folder, detached: true },
    })
  let server = start(folder)
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
        // As a replica, which it pretends to be, the connection bypasses the triggers that forbid this.
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
      server = start(folder)
      admin = await connected(urlOf('postgres'))
    },
    stop: async () => {
      await admin.end()
      await ended(server)
    },
    standby: async () => {
      await using starting = new AsyncDisposableStack()
      const own = starting.adopt(await mkdtemp(join(tmpdir(), 'refile-pg-')), path =>
        rm(path, { recursive: true, force: true }),
      )
      if (ids) await chown(own, ...ids)
      const copying = ['-D', join(own, 'data'), '-h', folder, '-U', 'refile', '-R', '-c', 'fast', '--no-sync']
      await run(...command('pg_basebackup', ...copying), { cwd: own })
      const follower = start(own)
      starting.defer(() => ended(follower))
      const urlAt = (url: string) => url.replace(/@[^/]*/, `@${encodeURIComponent(own)}`)
      const client = await connected(urlAt(urlOf('postgres')))
      starting.defer(() => client.end())
      await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
      await admin.query('SELECT pg_reload_conf()')
      const started = starting.move()
      return {
        urlOf: urlAt,
        promote: async () => {
          // What it has copied would have it wait for a standby of its own.
          await client.query('SELECT pg_promote()')
          await client.query(`ALTER SYSTEM SET synchronous_standby_names = ''`)
          await client.query('SELECT pg_reload_conf()')
        },
        [Symbol.asyncDispose]: () => started.disposeAsync(),
      }
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
  // Stops at once, without a checkpoint.
  if (server.exitCode === null && server.kill('SIGQUIT')) await exited
}

/** Opens stores of a database with their own data folder, which is deleted with them. */
export async function postgresStores(
  settings: Pick<PostgresSettings, 'url' | 'limits'> & Partial<PostgresSettings>,
): Promise<Stores> {
  const home = await mkdtemp(join(tmpdir(), 'refile-stores-'))
  const stores = await openPostgresStores({
    home,
    blobs: diskBlobs(join(home, 'blobs')),
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
