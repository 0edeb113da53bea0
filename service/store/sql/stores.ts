import type { QueueLimits } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import type { Sealer } from '../sealer.ts'
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
export const databaseStores = (sql: Sql, limits: QueueLimits, sealer: Sealer): DatabaseStores => ({
  jobs: new SqlJobStore(sql, limits, sealer),
  history: new SqlHistoryStore(sql, sealer),
  accounts: new SqlAccountStore(sql),
  files: new SqlFileStore(sql),
  batches: new SqlBatchStore(sql, sealer),
  presets: new SqlPresetStore(sql),
  webhooks: new SqlWebhookStore(sql, sealer),
  settings: new SqlSettingsStore(sql),
  secrets: sealer,
  check: () => sql.check(),
})
