import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { isFull } from '../../samples/full.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../../servers/postgres.ts'
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
import { DiskBlobs } from '../disk/blobs.ts'
import type { QueueLimits } from '../interfaces/jobs.ts'
import { openPostgresStores } from './stores.ts'

/** Fewer than for SQLite, which takes a fifth of the time. */
const MODEL_RUNS = isFull ? 8 : 4

describe.skipIf(!hasPostgres)('PostgreSQL fulfils the contract of', () => {
  let server: PostgresServer
  let url: string
  let home: string
  beforeAll(async () => {
    server = await startPostgres()
    url = await server.createDatabase()
    home = await mkdtemp(join(tmpdir(), 'refile-stores-'))
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  })

  // The tests set this process's clock.
  const open = async (limits: QueueLimits) => {
    await server.empty(url)
    return openPostgresStores({
      url,
      home,
      limits,
      blobs: new DiskBlobs(home),
      onError: () => {},
      now: () => Date.now(),
    })
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
