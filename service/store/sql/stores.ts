import type { QueueLimits } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import type { Encrypter } from '../sealer.ts'
import { accountStore } from './accounts.ts'
import { batchStore } from './batches.ts'
import { fileStore } from './files.ts'
import { historyStore } from './history.ts'
import { jobStore } from './jobs.ts'
import { presetStore } from './presets.ts'
import { settingsStore } from './settings.ts'
import type { Sql } from './sql.ts'
import { webhookStore } from './webhooks.ts'

/** The stores in a database. */
export type DatabaseStores = Omit<Stores, 'blobs' | 'events' | 'isShared' | keyof AsyncDisposable>

/** All stores of one database, with secrets encrypted. */
export const databaseStores = (sql: Sql, limits: QueueLimits, encrypter: Encrypter): DatabaseStores => ({
  jobs: jobStore(sql, limits, encrypter),
  history: historyStore(sql, encrypter),
  accounts: accountStore(sql),
  files: fileStore(sql),
  batches: batchStore(sql, encrypter),
  presets: presetStore(sql),
  webhooks: webhookStore(sql, encrypter),
  settings: settingsStore(sql),
  secrets: encrypter,
  check: () => sql.check(),
})
