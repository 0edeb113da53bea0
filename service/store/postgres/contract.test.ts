import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { isFull } from '../../../testing/samples/full.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../../testing/servers/postgres.ts'
import { accountStoreContract } from '../contract/accounts.ts'
import { batchStoreContract } from '../contract/batches.ts'
import { budgetContract } from '../contract/budgets.ts'
import { eventsContract } from '../contract/events.ts'
import { fileStoreContract } from '../contract/files.ts'
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
const MODEL_RUNS = isFull ? 8 : 4

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
  describe('batches', () => batchStoreContract(open))
  describe('budgets', () => budgetContract(open))
  describe('events', () => eventsContract(open))
  describe('files', () => fileStoreContract(open))
  describe('history', () => historyStoreContract(open))
  describe('jobs', () => jobStoreContract(open))
  describe('the job model', () => jobModelContract(open, MODEL_RUNS))
  describe('presets', () => presetStoreContract(open))
  describe('settings', () => settingsStoreContract(open))
  describe('webhooks', () => webhookStoreContract(open))
})
