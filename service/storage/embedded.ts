import { join } from 'node:path'
import type { QueueLimits } from '../stores/jobs.ts'
import type { Stores } from '../stores/stores.ts'
import { DiskBlobs } from './disk/blobs.ts'
import { LocalEvents } from './events.ts'
import { openSealer } from './sealer.ts'
import { SqliteAccountStore } from './sqlite/accounts.ts'
import { Backups } from './sqlite/backups.ts'
import { SqliteBatchStore } from './sqlite/batches.ts'
import { openSound } from './sqlite/damage.ts'
import { SqliteFileStore } from './sqlite/files.ts'
import { SqliteHistoryStore } from './sqlite/history.ts'
import { SqliteJobStore } from './sqlite/jobs.ts'
import { SqlitePresetStore } from './sqlite/presets.ts'
import { SqliteSettingsStore } from './sqlite/settings.ts'
import { SqliteWebhookStore } from './sqlite/webhooks.ts'

/**
 * Opens the stores of one machine: SQLite and files below a data folder, which is locked meanwhile.
 * @param onError is told of what fails by the way, and of a database that was damaged and replaced
 * @throws DatabaseInUse when another service has the folder
 */
export async function openEmbeddedStores(
  home: string,
  limits: QueueLimits,
  onError: (error: unknown) => void,
): Promise<Stores> {
  const path = join(home, 'refile.sqlite')
  const database = await openSound(path, onError)
  const sealer = await openSealer(home).catch(error => {
    database.close()
    throw error
  })
  const backups = new Backups(database, path, onError)
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
    [Symbol.asyncDispose]: async () => {
      await backups.stop()
      await database.durable()
      database.close()
    },
  }
}
