import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeFull } from '../../../testing/describe-full.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../../testing/servers/postgres.ts'
import { accountStoreContract } from '../contract/accounts.ts'
import { batchStoreContract } from '../contract/batches.ts'
import { budgetContract } from '../contract/budgets.ts'
import { eventsContract } from '../contract/events.ts'
import { fileStoreContract } from '../contract/files.ts'
import { LIMITS, submitted } from '../contract/fixtures.ts'
import { historyStoreContract } from '../contract/history.ts'
import { jobModelContract } from '../contract/job-model.ts'
import { jobStoreContract } from '../contract/jobs.ts'
import { presetStoreContract } from '../contract/presets.ts'
import { settingsStoreContract } from '../contract/settings.ts'
import { webhookStoreContract } from '../contract/webhooks.ts'
import { diskBlobs } from '../disk/blobs.ts'
import type { QueueLimits } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import { openPostgresStores } from './stores.ts'

/** Fewer than for SQLite, which takes a fifth of the time. */
const MODEL_RUNS = isFull ? 8 : 1

describe.skipIf(!hasPostgres)('PostgreSQL fulfils the contract of', () => {
  let server: PostgresServer
  let url: string
  let home: string
  /** By their limits: once for all tests, since the database compiles its functions again for each connection. */
  const opened = new Map<string, Stores>()
  beforeAll(async () => {
    server = await startPostgres()
    url = await server.createDatabase()
    home = await mkdtemp(join(tmpdir(), 'refile-stores-'))
  })
  afterAll(async () => {
    for (const stores of opened.values()) await stores[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  })

  const open = async (limits: QueueLimits) => {
    await server.empty(url)
    const key = JSON.stringify(limits)
    const folder = join(home, String(opened.size))
    const stores =
      opened.get(key) ??
      (await openPostgresStores({
        url,
        home: folder,
        limits,
        blobs: diskBlobs(folder),
        onError: () => {},
        // The tests set this process's clock.
        now: () => Date.now(),
      }))
    opened.set(key, stores)
    return { ...stores, [Symbol.asyncDispose]: async () => {} }
  }

  describe('accounts', () => accountStoreContract(open))
  describe('budgets', () => budgetContract(open))
  describe('events', () => eventsContract(open))
  describe('jobs', () => jobStoreContract(open))
  describe('the job model', () => jobModelContract(open, MODEL_RUNS))
  // The statements of these are those that SQLite's suite tries, but for the dialect (service/store/sql).
  describeFull('batches', true, () => batchStoreContract(open))
  describeFull('files', true, () => fileStoreContract(open))
  describeFull('history', true, () => historyStoreContract(open))
  describeFull('presets', true, () => presetStoreContract(open))
  describeFull('settings', true, () => settingsStoreContract(open))
  describeFull('webhooks', true, () => webhookStoreContract(open))

  test('a ledger that nobody can change', async () => {
    await using stores = await open(LIMITS)
    const { id: accountId } = await stores.accounts.owner({ name: 'Owner', credits: 500 })
    const job = await submitted(stores, accountId)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    for (const statement of ['UPDATE ledger SET amount = 9999', 'DELETE FROM ledger', 'TRUNCATE ledger'])
      await expect(client.query(statement)).rejects.toThrow('append-only')
    const twice = `INSERT INTO ledger (account_id, kind, amount, reason, job_id, created_at) VALUES ($1, 'charge', -1, 'a', $2, 0)`
    await expect(client.query(twice, [accountId, job.id])).rejects.toThrow('ledger_once_per_job')
    const stray = `INSERT INTO ledger (account_id, kind, amount, reason, created_at) VALUES ('nobody', 'grant', 1, 'a', 0)`
    await expect(client.query(stray)).rejects.toThrow('foreign key')
  })
})
