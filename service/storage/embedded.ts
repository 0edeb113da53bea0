import { join } from 'node:path'
import type { QueueLimits } from '../stores/jobs.ts'
import type { Stores } from '../stores/stores.ts'
import { DiskBlobs } from './disk/blobs.ts'
import { LocalEvents } from './events.ts'
import { openSealer } from './sealer.ts'
import { SqliteAccountStore } from './sqlite/accounts.ts'
import { SqliteBatchStore } from './sqlite/batches.ts'
import { Database } from './sqlite/database.ts'
import { SqliteFileStore } from './sqlite/files.ts'
import { SqliteHistoryStore } from './sqlite/history.ts'
import { SqliteJobStore } from './sqlite/jobs.ts'
import { SqlitePresetStore } from './sqlite/presets.ts'
import { SqliteSettingsStore } from './sqlite/settings.ts'
import { SqliteWebhookStore } from './sqlite/webhooks.ts'

/**
 * Opens the stores of one machine: SQLite and files below a data folder, which is locked meanwhile.
 * @throws DatabaseInUse when another service has the folder
 */
export async function openEmbeddedStores(
  home: string,
  limits: QueueLimits,
  onError: (error: unknown) => void,
): Promise<Stores> {
  const database = new Database(join(home, 'refile.sqlite'))
  const sealer = await openSealer(home).catch(error => {
    database.close()
    throw error
  })
  return {
    jobs: new SqliteJobStore(database, limits, sealer),
    history: new SqliteHistoryStore(database, sealer),
    accounts: new SqliteAccountStore(database),
    files: new SqliteFileStore(database),
    batches: new SqliteBatchStore(database, sealer),
    blobs: new DiskBlobs(join(home, 'blobs')),
    presets: new SqlitePresetStore(database),
    webhooks: new SqliteWebhookStore(database, sealer),
    settings: new SqliteSettingsStore(database),
    events: new LocalEvents(onError),
    secrets: sealer,
    [Symbol.asyncDispose]: async () => database.close(),
  }
}
