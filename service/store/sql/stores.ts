import type { QueueLimits } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import type { Encrypter } from '../sealer.ts'
import { SqlAccountStore } from './accounts.ts'
import { SqlBatchStore } from './batches.ts'
import { SqlFileStore } from './files.ts'
import { SqlHistoryStore } from './history.ts'
import { SqlJobStore } from './jobs.ts'
import { SqlPresetStore } from './presets.ts'
import { SqlSettingsStore } from './settings.ts'
import type { Sql } from './sql.ts'
import { SqlWebhookStore } from './webhooks.ts'

/** The stores in a database. */
export type DatabaseStores = Omit<Stores, 'blobs' | 'events' | 'isShared' | keyof AsyncDisposable>

/** All stores of one database, with secrets encrypted. */
export const databaseStores = (sql: Sql, limits: QueueLimits, encrypter: Encrypter): DatabaseStores => ({
  jobs: new SqlJobStore(sql, limits, encrypter),
  history: new SqlHistoryStore(sql, encrypter),
  accounts: new SqlAccountStore(sql),
  files: new SqlFileStore(sql),
  batches: new SqlBatchStore(sql, encrypter),
  presets: new SqlPresetStore(sql),
  webhooks: new SqlWebhookStore(sql, encrypter),
  settings: new SqlSettingsStore(sql),
  secrets: encrypter,
  check: () => sql.check(),
})
