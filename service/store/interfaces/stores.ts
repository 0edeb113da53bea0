import type { AccountStore } from './accounts.ts'
import type { BatchStore } from './batches.ts'
import type { BlobStore } from './blobs.ts'
import type { Damage } from './damage.ts'
import type { Events } from './events.ts'
import type { FileStore } from './files.ts'
import type { HistoryStore } from './history.ts'
import type { JobStore } from './jobs.ts'
import type { PresetStore } from './presets.ts'
import type { Secrets } from './secrets.ts'
import type { SettingsStore } from './settings.ts'
import type { WebhookStore } from './webhooks.ts'

/** All persistent data of the service. Only the host knows the implementations. */
export interface Stores extends AsyncDisposable {
  jobs: JobStore
  history: HistoryStore
  accounts: AccountStore
  files: FileStore
  batches: BatchStore
  blobs: BlobStore
  webhooks: WebhookStore
  settings: SettingsStore
  presets: PresetStore
  events: Events
  secrets: Secrets
  /** @throws StoreUnavailable if the database does not answer, or can only be read */
  check(): Promise<void>
  /** Whether other hosts may use the same stores. */
  readonly isShared: boolean
  /** What is still to be done or reported after a damaged database was replaced. */
  readonly damage?: Damage | undefined
}
