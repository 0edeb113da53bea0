import { statSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { render } from '../../shared/messages/render.ts'
import { errorInWords, hasOutput } from '../../work/jobs/job.ts'
import { LIMITS, newJob } from '../contract/fixtures.ts'
import { OutcomeUnknown } from '../interfaces/errors.ts'
import { Sealer } from '../sealer.ts'
import { SqlAccountStore } from '../sql/accounts.ts'
import { SqlBatchStore } from '../sql/batches.ts'
import { SqlFileStore } from '../sql/files.ts'
import { SqlJobStore } from '../sql/jobs.ts'
import { writeEntry } from '../sql/ledger.ts'
import { Database, DatabaseInUse } from './database.ts'
import { migrations } from './migrations.ts'
import { SqliteSql } from './sql.ts'

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-database-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'refile.sqlite')
}

test('a database of the first version keeps its jobs, their outputs and their messages', async () => {
  const path = await newPath()
  const old = new DatabaseSync(path)
  const now = Date.now()
  old.exec(`
    ${migrations[0]}
    PRAGMA user_version = 1;
    INSERT INTO accounts (id, name, created_at) VALUES ('a', 'Owner', 1);
    INSERT INTO files (id, account_id, name, bytes, measures, used_at) VALUES
      ('used', 'a', 'a.jpg', 5, '{"pages":2}', 7), ('waiting', 'a', 'b.jpg', 5, '{}', 8);
    INSERT INTO jobs (id, account_id, origin, job, category, target_key, status, options, input_name, input_format,
                      input_bytes, measure, file_id, credit_cost, attempts, warnings, error_code, error_detail,
                      output_name, output_type, output_count, output_kept, created_at, expires_at) VALUES
      ('done', 'a', 'app', 'image.jpg-to-png', 'images', 'png', 'Succeeded', '{}', 'a.jpg', 'jpg', 5, '{}', 'used', 1, 1,
       '["One part is missing.","The {rest} isn''t."]', NULL, NULL, 'a.png', 'image/png', 1, 1, 1, ${now + 60_000}),
      ('failed', 'a', 'app', 'image.jpg-to-png', 'images', 'png', 'Failed', '{}', 'a.jpg', 'jpg', 5, '{}', NULL, 1, 1,
       '[]', 'jobs.timeout', 'It took too long.', NULL, NULL, NULL, 0, 1, NULL),
      ('running', 'a', 'app', 'image.jpg-to-png', 'images', 'png', 'Running', '{}', 'a.jpg', 'jpg', 5, '{}', NULL, 1, 1,
       '[]', NULL, NULL, NULL, NULL, NULL, 0, 1, NULL);`)
  old.close()
  const database = new Database(path)
  const sql = new SqliteSql(database)
  onTestFinished(() => database.close())
  const jobs = new SqlJobStore(sql, LIMITS, new Sealer())
  const done = (await jobs.get('done'))!
  expect(hasOutput(done, Date.now())).toBe(true)
  expect(done.outputKey).toBe('jobs/done/output')
  expect(done.warnings.map(warning => render(warning))).toEqual(['One part is missing.', "The {rest} isn't."])
  const failed = (await jobs.get('failed'))!
  expect(errorInWords(failed)).toEqual({ code: 'jobs.timeout', detail: 'It took too long.' })
  expect(await jobs.recover('host')).toMatchObject({
    requeued: [{ id: 'running', inputSource: { kind: 'blob' } }],
  })
  const files = new SqlFileStore(sql)
  expect(await files.unsubmitted('a')).toMatchObject([{ id: 'waiting', createdAt: 8, relativePath: null }])
  expect(await files.get('used', 'a')).toMatchObject({ submitted: true, measure: { pages: 2 } })
})

test('a database of a newer version is left alone', async () => {
  const path = await newPath()
  const newer = new DatabaseSync(path)
  newer.exec(`PRAGMA user_version = ${migrations.length + 1}`)
  newer.close()
  expect(() => new Database(path)).toThrow('newer version')
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
  const sql = new SqliteSql(database)
  onTestFinished(() => database.close())
  const accounts = new SqlAccountStore(sql)
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

test('a transaction that throws changes nothing, even if it is nested', () => {
  const database = new Database(':memory:')
  onTestFinished(() => database.close())
  const insert = (id: string) =>
    database.run('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, 0)', id, id)
  expect(() =>
    database.transaction(() => {
      insert('a')
      database.transaction(() => insert('b'))
      throw new Error('on purpose')
    }),
  ).toThrow('on purpose')
  expect(database.all('SELECT * FROM accounts')).toEqual([])
})

test('no operation that runs for each job scans all jobs, files or items', async () => {
  const database = new Database(':memory:')
  const sql = new SqliteSql(database)
  onTestFinished(() => database.close())
  const jobs = new SqlJobStore(sql, LIMITS, new Sealer())
  const files = new SqlFileStore(sql)
  const batches = new SqlBatchStore(sql, new Sealer())
  const { id: accountId } = await new SqlAccountStore(sql).owner({ name: 'Owner', credits: 500 })
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
  await jobs.forget(0)
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
  const statements = new Set(asked.flatMap(spy => spy.mock.calls.map(([sql]) => sql)))
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
