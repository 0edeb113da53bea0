import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { s3Server } from '../../../testing/s3.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../../testing/servers/postgres.ts'
import { json, testService } from '../../../testing/service.ts'
import { ApiKeys } from '../../accounts/keys.ts'
import { message } from '../../shared/messages/message.ts'
import { claim, LIMITS, newJob, running, submitted, success } from '../contract/fixtures.ts'
import { openEmbeddedStores } from '../embedded.ts'
import { guid } from '../interfaces/ids.ts'
import { fileBlobs, jobBlobs } from '../interfaces/keys.ts'
import { PostgresSql } from '../postgres/database.ts'
import { SecretsKeyError } from '../sealer.ts'
import { DatabaseInUse } from '../sqlite/database.ts'
import { runMigrate } from './command.ts'

const main = join(import.meta.dirname, '../../main.ts')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-migrate-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A data folder with some of everything, as left by a kill: the write-ahead log is not in the database yet. */
async function usedHome() {
  const home = await newFolder()
  const made = await newFolder()
  const stores = await openEmbeddedStores(made, LIMITS, () => {})
  const { accounts, jobs, files, batches, blobs, presets, settings } = stores
  const { id: accountId } = await accounts.owner({ name: 'Owner', credits: 500 })
  const { id: guestId } = await accounts.create({ name: 'Gäste 🎈', credits: 7 })
  const keys = new ApiKeys(accounts)
  const { secret, record } = await keys.create(accountId, { name: 'program', monthlyBudget: 100 })
  const put = async (key: string, text: string) => {
    const path = join(made, 'content')
    await writeFile(path, text)
    await blobs.put(key, path)
  }
  const webhook = { url: 'https://hooks.example/done', secret: 'of receivers', events: ['failed' as const] }
  const done = await running(stores, accountId, {
    keyId: record.id,
    creditCost: 3,
    options: { password: 'Ω' },
  })
  await put(jobBlobs.output(done), 'the result')
  await jobs.succeed(done, { ...success(done), bytes: 10 })
  const failed = await running(stores, accountId, { webhook, keyId: record.id, inputName: 'a\0b.jpg' })
  await jobs.fail(failed, { code: 'jobs.corrupt_input', reason: message('jobs.corrupt_input') }, [])
  const removed = await submitted(stores, guestId)
  await jobs.cancel(removed.id)
  await jobs.remove(removed.id)
  const file = {
    ...{ id: guid(), accountId, name: 'b.png', relativePath: null, bytes: 4, format: 'png', measure: {} },
    ...{ problem: null, source: { kind: 'blob' as const }, originalPath: null },
    ...{ addedAt: 1_790_000_000_000.25, modifiedAt: 1_790_000_000_000.5 },
  }
  await files.add(file)
  await put(fileBlobs.content(file.id), 'file')
  const batch = {
    id: guid(),
    accountId,
    host: 'first',
    source: 'png',
    targetKey: 'webp',
    options: {},
    destination: { kind: 'keep' as const },
  }
  await batches.create(batch, [{ ...file, id: guid(), fileId: file.id }])
  await batches.pause(batch.id, { code: 'credits', reason: message('jobs.timeout') })
  await presets.add(accountId, [
    { id: guid(), name: 'small', choices: { png: { target: 'webp', options: {} } } },
  ])
  await presets.touch(accountId, 'built-in', 5)
  await presets.remember(accountId, [{ source: 'png', target: 'webp', options: { quality: 1 }, usedAt: 6 }])
  await settings.put(accountId, 'page.theme', { dark: true })
  await accounts.addSession({
    hash: randomBytes(32),
    kind: 'session',
    accountId,
    role: 'member',
    expiresAt: 4e12,
  })
  // The kill interrupts two jobs, one of them for the second time; a third one waits.
  const twice = await running(stores, accountId, { creditCost: 5 }, { leaseMs: 1e12 })
  await jobs.recover('host')
  await claim(stores, { leaseMs: 1e12 })
  const once = await running(stores, accountId, {}, { leaseMs: 1e12 })
  const queued = await submitted(stores, guestId, { webhook, creditCost: 2 })
  await put(jobBlobs.input(queued.id), 'the input')
  const balance = (await accounts.get(accountId))!.balance
  // Copied before the stores close, so that the copy lacks what a clean shutdown writes.
  await cp(made, home, { recursive: true })
  await stores[Symbol.asyncDispose]()
  return { home, accountId, guestId, secret, balance, jobs: { done, failed, twice, once, queued } }
}

/** All files below a folder, with times, except those that a killed reader of the database may leave and that hold no data. */
async function everything(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const found: Record<string, string> = {}
  for (const path of files) {
    const { size, mtimeMs } = await stat(path)
    if (path.endsWith('-shm') || (path.endsWith('-wal') && size === 0)) continue
    found[path] = `${mtimeMs} ${createHash('sha1')
      .update(await readFile(path))
      .digest('hex')}`
  }
  return found
}

/** All rows of a home by table, read over a separate connection; values that PostgreSQL cannot hold are replaced. */
function rowsOfHome(home: string): Map<string, object[]> {
  const database = new DatabaseSync(join(home, 'refile.sqlite'), { readOnly: true })
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
    const names = tables.map(({ name }) => String(name)).filter(name => !name.startsWith('sqlite_'))
    return new Map(
      names.map(name => [
        name,
        database
          .prepare(`SELECT * FROM ${name}`)
          .all()
          .map(row => comparable(row)),
      ]),
    )
  } finally {
    database.close()
  }
}

const comparable = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value instanceof Uint8Array
        ? Buffer.from(value).toString('hex')
        : typeof value === 'string'
          ? value.replaceAll('\0', '\ufffd')
          : value,
    ]),
  )

describe.skipIf(!hasPostgres)('a data folder is taken over', () => {
  const s3 = s3Server()
  let server: PostgresServer
  let to: string
  beforeAll(async () => {
    server = await startPostgres()
  })
  beforeEach(async () => {
    to = await server.createDatabase()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const ask = async (statement: string) => {
    const types = {
      getTypeParser: (type: number) =>
        type === 20 ? Number : type === 114 ? String : pg.types.getTypeParser(type),
    }
    const client = new pg.Client({ connectionString: to, types: types as pg.CustomTypesConfig })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows
    } finally {
      await client.end()
    }
  }

  const expectAllRows = async (home: string) => {
    for (const [table, rows] of rowsOfHome(home)) {
      const there = (await ask(`SELECT * FROM ${table}`)).map(comparable)
      const columns = Object.keys(rows[0] ?? {})
      const inOrder = (all: Record<string, unknown>[]) =>
        all
          .filter(({ name }) => name !== 'migrated')
          .map(row =>
            JSON.stringify(columns.map(column => (column === 'lease_expires_at' ? 0 : row[column]))),
          )
          .toSorted()
      expect(inOrder(there), table).toEqual(inOrder(rows as Record<string, unknown>[]))
    }
  }

  const migrateInto = async (
    home: string,
    settings: Partial<Parameters<typeof runMigrate>[0]> = {},
    secretsKey: string | null = null,
  ) => {
    const lines: string[] = []
    await runMigrate({ to, home, ...settings }, { home, blobs: null, secretsKey }, line => lines.push(line))
    return lines.join('\n')
  }

  const runChild = (args: string[]) => {
    const child = spawn(process.execPath, [main, 'migrate', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  test('completely, with its results, and its jobs continue in the new place', async () => {
    const { home, accountId, guestId, secret, balance, jobs } = await usedHome()
    const place = s3().place()
    const before = await everything(home)
    const blobs = `s3://${place.bucket}/${place.prefix}?endpoint=${place.endpoint}&style=path`
    const shown = await migrateInto(home, { blobs })
    expect(shown).toContain('3 contents of files (23 bytes)')
    expect(shown).toContain(`Every host needs REFILE_BLOBS='${blobs}'.`)
    expect(shown).toContain(`Every host needs the same key: ${home}/secrets.key`)
    expect(await everything(home)).toEqual(before)
    expect((await readdir(home)).filter(name => name.endsWith('-shm'))).toEqual([])
    await expectAllRows(home)

    const again = await migrateInto(home, { blobs })
    expect(again).toContain('Nothing was changed.')
    expect(again).not.toContain('used since')

    const secretsKey = (await readFile(join(home, 'secrets.key'))).toString('base64')
    const { url, services } = await testService({ databaseUrl: to, blobs: place, secretsKey, slots: 1 })
    const headers = { 'x-service-api-key': secret }
    const answer = await fetch(`${url}/convert/job/${jobs.done.id}/download`, { headers })
    expect(await answer.text()).toBe('the result')
    const job = async (id: string) => (await services.stores.jobs.get(id))!
    expect(await job(jobs.done.id)).toMatchObject({ options: { password: 'Ω' } })
    // Hosts start a job three times. The inputs are no pictures, so the next start of each fails.
    for (const [id, attempts] of [
      [jobs.twice.id, 3],
      [jobs.once.id, 2],
    ] as const) {
      await expect.poll(async () => (await job(id)).status).toBe('Failed')
      expect(await job(id)).toMatchObject({ attempts })
    }
    await expect.poll(async () => (await job(jobs.queued.id)).status).toBe('Failed')
    const { totalCredits } = await json<{ totalCredits: number }>(
      fetch(`${url}/convert/entitlements/me`, { headers }),
    )
    // The rest of the key's budget.
    expect(totalCredits).toBe(97)
    expect(await services.stores.accounts.get(accountId)).toMatchObject({ balance: balance + 5 + 1 })
    expect(await services.stores.accounts.get(guestId)).toMatchObject({ name: 'Gäste 🎈', balance: 7 })
    const { jobs: store } = services.stores
    const next = await store.submit(newJob(accountId))
    expect(next).toMatchObject({ kind: 'queued', job: { seq: jobs.queued.seq + 1 } })
    expect(await ask(`SELECT * FROM webhooks WHERE state = 'pending'`)).toHaveLength(2)
  })

  test('without duplicates, although it is killed at any point and started again', async () => {
    const { home } = await usedHome()
    const database = new DatabaseSync(join(home, 'refile.sqlite'))
    // More than are copied at once.
    database.exec(`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 600)
      INSERT INTO ledger (account_id, kind, amount, reason, created_at)
      SELECT (SELECT id FROM accounts), 'top-up', n, 'Bought', n FROM numbers`)
    database.close()
    await (await PostgresSql.open(to)).close()
    // Its last statement waits, so that no kill comes too late.
    await ask(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
      CREATE TRIGGER wait BEFORE INSERT ON settings
        FOR EACH ROW WHEN (NEW.name = 'migrated') EXECUTE FUNCTION wait()`)
    const folder = await newFolder()
    const before = await everything(home)
    const args = ['--to', to, '--home', home, '--blobs', folder]
    for (const sign of ['contents of files', 'ledger: ', 'webhooks: ']) {
      const child = runChild(args)
      await killedAfter(child, sign)
      expect(await ask('SELECT * FROM accounts')).toEqual([])
      // The server notices that its client has gone when the statement ends.
      await ask(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`)
    }
    await ask('DROP FUNCTION wait() CASCADE')
    const last = runChild(args)
    expect(await once(last, 'exit')).toEqual([0, null])
    expect(await everything(home)).toEqual(before)
    await expectAllRows(home)
    expect(await ask('SELECT SUM(amount)::INT AS sum FROM ledger')).toEqual(
      await ask('SELECT SUM(balance)::INT AS sum FROM accounts'),
    )
    expect((await readdir(join(folder, 'jobs'))).toSorted()).toEqual(
      (await readdir(join(home, 'blobs', 'jobs'))).toSorted(),
    )
  })

  test('unless it is in use, sealed with another key, or the database is not empty', async () => {
    const { home } = await usedHome()
    const stores = await openEmbeddedStores(home, LIMITS, () => {})
    await expect(migrateInto(home)).rejects.toThrow(DatabaseInUse)
    await stores[Symbol.asyncDispose]()
    const key = await readFile(join(home, 'secrets.key'))
    await expect(migrateInto(home, {}, randomBytes(32).toString('base64'))).rejects.toThrow(
      'REFILE_SECRETS_KEY',
    )
    await writeFile(join(home, 'secrets.key'), randomBytes(32))
    await expect(migrateInto(home)).rejects.toThrow(SecretsKeyError)
    await rm(join(home, 'secrets.key'))
    await expect(migrateInto(home)).rejects.toThrow(SecretsKeyError)
    await writeFile(join(home, 'secrets.key'), key)
    expect(await ask('SELECT * FROM accounts').catch(() => [])).toEqual([])

    const other = await usedHome()
    await migrateInto(other.home)
    await expect(migrateInto(home)).rejects.toThrow('holds other data of Refile')
    // The old data folder has been used since.
    const left = await openEmbeddedStores(other.home, LIMITS, () => {})
    await left.accounts.topUp(other.accountId, 1, 'Bought')
    await left[Symbol.asyncDispose]()
    expect(await migrateInto(other.home)).toContain('The data folder has been used since.')

    to = await server.createDatabase()
    await ask('CREATE TABLE of_somebody_else (a INT)')
    await expect(migrateInto(home)).rejects.toThrow('holds something else')
    await mkdir(join(home, 'empty'))
    await expect(migrateInto(join(home, 'empty'))).rejects.toThrow('There are no data of Refile')
  })
})

/** Kills a child process once it has printed `sign`. */
async function killedAfter(child: ChildProcess, sign: string): Promise<void> {
  let shown = ''
  for await (const chunk of child.stdout!) {
    shown += chunk
    if (shown.includes(sign)) child.kill('SIGKILL')
  }
  expect(shown).toContain(sign)
  expect(shown).not.toContain('All ')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
}
