import { statSync } from 'node:fs'
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LIMITS, newJob } from '../contract/fixtures.ts'
import { OutcomeUnknown } from '../interfaces/errors.ts'
import { schemaOf } from '../schema.ts'
import { Encrypter } from '../sealer.ts'
import { accountStore } from '../sql/accounts.ts'
import { batchStore } from '../sql/batches.ts'
import { fileStore } from '../sql/files.ts'
import { jobStore } from '../sql/jobs.ts'
import { writeEntry } from '../sql/ledger.ts'
import { fragment } from '../sql/sql.ts'
import { Database, DatabaseInUse } from './database.ts'
import { migrations } from './intact.ts'
import { sqliteSql } from './sql.ts'

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-database-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'refile.sqlite')
}

test('a later file of the schema changes a database that is there, which is then left alone by the version before', async () => {
  const path = await newPath()
  const first = new Database(path)
  first.run(`INSERT INTO accounts (id, name, created_at) VALUES ('a', 'Owner', 1)`)
  first.close()
  migrations.push(
    `ALTER TABLE accounts ADD COLUMN later TEXT NOT NULL DEFAULT 'new'; CREATE TABLE others (id TEXT) STRICT;`,
  )
  const later = (() => {
    try {
      return new Database(path)
    } finally {
      migrations.pop()
    }
  })()
  expect(later.all('SELECT id, name, later FROM accounts')).toEqual([
    { id: 'a', name: 'Owner', later: 'new' },
  ])
  expect(later.all('SELECT * FROM others')).toEqual([])
  later.close()
  expect(() => new Database(path)).toThrow('newer version')
})

test('later files follow the schema in the order of their numbers', async () => {
  const folder = dirname(await newPath())
  for (const name of ['sqlite', 'sql']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'sql', 'tables.sql'), 'tables')
  for (const name of ['010_c.sql', 'schema.sql', 'claim.sql', '002_b.sql', 'note.md'])
    await writeFile(join(folder, 'sqlite', name), name)
  expect(schemaOf('sqlite', text => text.toUpperCase(), folder)).toEqual({
    migrations: ['TABLES\nschema.sql', '002_b.sql', '010_c.sql'],
    functions: ['claim.sql'],
  })
})

test('an open database cannot be opened again, but can be once it is closed', async () => {
  const path = await newPath()
  const first = new Database(path)
  expect(() => new Database(path)).toThrow(DatabaseInUse)
  first.close()
  new Database(path).close()
})

test('the ledger is append-only, and has at most one entry of each kind for a job', async () => {
  const database = new Database(':memory:')
  const sql = sqliteSql(database)
  onTestFinished(() => database.close())
  const accounts = accountStore(sql)
  const { id: accountId } = await accounts.owner({ name: 'Owner', credits: 500 })
  expect(() => database.run('UPDATE ledger SET amount = 9999')).toThrow('append-only')
  expect(() => database.run('DELETE FROM ledger')).toThrow('append-only')
  for (const [kind, amount] of [['charge', -5] as const, ['refund', 5] as const]) {
    const entry = { accountId, kind, amount, reason: 'a', jobId: 'j', category: 'images' }
    const write = () => sql.transaction(tx => writeEntry(tx, Date.now(), entry))
    await write()
    await expect(write()).rejects.toThrow('UNIQUE')
  }
  expect(await accounts.get(accountId)).toMatchObject({ balance: 500 })
})

test('a transaction that throws changes nothing', async () => {
  const database = new Database(':memory:')
  onTestFinished(() => database.close())
  const insert = (id: string) =>
    database.run('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, 0)', id, id)
  const failing = database.alone(async () => {
    insert('a')
    insert('b')
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(database.all('SELECT * FROM accounts')).toEqual([])
})

test('no operation that runs for each job scans all jobs, files or items', async () => {
  const database = new Database(':memory:')
  const sql = sqliteSql(database)
  onTestFinished(() => database.close())
  const jobs = jobStore(sql, LIMITS, new Encrypter())
  const files = fileStore(sql)
  const batches = batchStore(sql, new Encrypter())
  const { id: accountId } = await accountStore(sql).owner({ name: 'Owner', credits: 500 })
  const asked = ['get', 'all', 'run'].map(method => vi.spyOn(database, method as 'get'))
  const job = newJob(accountId, { fileId: 'f' })
  await jobs.submit(job)
  await jobs.claim({ owner: 'host', leaseMs: 1000, saturated: ['a'] })
  await jobs.renew('host', [{ id: job.id, attempts: 1 }], 1000)
  await jobs.recover()
  await jobs.fail({ id: job.id, attempts: 1 }, { code: 'jobs.timeout', reason: { key: 'jobs.timeout' } }, [])
  await jobs.list(accountId, null, 50)
  await jobs.getMany([job.id])
  await jobs.blobsNeeded([job.id])
  await jobs.expire(0)
  await jobs.purge(0)
  await jobs.remove(job.id)
  await files.use(['f'], accountId)
  await files.unsubmitted(accountId)
  await files.existing(['f'])
  await files.removeUnused(0)
  await batches.nextItem(accountId)
  await batches.itemOfJob(job.id)
  await batches.counts(['b'])
  await batches.items('b', null, 50)
  await batches.openJobs('b')
  await batches.undelivered('host', 10, [])
  await batches.placing('i', '/out')
  await batches.saved('i', '/out')
  await batches.itemsOf('/in')
  await batches.finish('b')
  const statements = new Set(asked.flatMap(spy => spy.mock.calls.map(words => fragment(...words).text)))
  vi.restoreAllMocks()
  expect(statements.size).toBeGreaterThan(20)
  for (const sql of statements) {
    const plan = database.all(`EXPLAIN QUERY PLAN ${sql}`).map(row => String(row.detail))
    // Items that are still to be saved are few, and have their own index; what a submission has looked up is one row.
    const few = /^SCAN (json_each|CONSTANT ROW|facts$|items USING INDEX batch_items_unsaved)/
    const scans = plan.filter(step => step.startsWith('SCAN') && !few.test(step))
    expect({ sql, scans }).toEqual({ sql, scans: [] })
  }
})

test('whoever waits for a sync learns that it failed, and the next one writes everything again', async () => {
  const path = await newPath()
  const database = new Database(path)
  onTestFinished(() => database.close())
  await using file = await open(path)
  const syncing = vi.spyOn(Object.getPrototypeOf(file), 'sync')
  onTestFinished(() => syncing.mockRestore())
  const failing = (code: string) => syncing.mockRejectedValueOnce(Object.assign(new Error(code), { code }))
  failing('EIO')
  await expect(Promise.all([database.durable(), database.durable()])).rejects.toThrow(OutcomeUnknown)
  // The system may have dropped what it could not write, so syncing the same log again would prove nothing.
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  await database.durable()
  expect(statSync(`${path}-wal`).size).toBe(0)
  expect(syncing).toHaveBeenCalledTimes(1)
  await database.durable()
  // A disk that cannot sync at all keeps what was written there as well as it can.
  failing('EINVAL')
  await database.durable()
  expect(syncing).toHaveBeenCalledTimes(3)
})
