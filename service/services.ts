import type { Logger } from 'pino'
import type { Batches } from './batches/batches.ts'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { Config } from './config.ts'
import type { Accounts } from './credits/accounts.ts'
import type { Funds } from './credits/funds.ts'
import type { ApiKeys } from './credits/keys.ts'
import type { Ledger } from './credits/ledger.ts'
import type { Readiness } from './http/readiness.ts'
import type { UrlFetcher } from './intake/fetch/fetcher.ts'
import type { StagedFiles } from './intake/staged.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { SpeechModel } from './models/list.ts'
import type { Models } from './models/models.ts'
import type { OcrLanguage } from './models/ocr-languages.ts'
import type { Presets } from './presets/presets.ts'
import type { Previews } from './preview/previews.ts'
import type { Cleanup } from './stores/cleanup.ts'
import type { Stores } from './stores/stores.ts'
import type { WebhookDeliverer } from './webhooks/deliverer.ts'
import type { EngineReports } from './workers/engine-reports.ts'
import type { WorkerPool } from './workers/pool.ts'

/** The app's own sessions, for the routes. */
export interface Sessions {
  /** Exchanges a link's token for a session's; undefined if it is unknown, used or too old. */
  redeem(token: string): Promise<string | undefined>
  /** The account of a session's token. */
  accountOf(token: string): Promise<string | undefined>
}

/** The assembled parts of the service, for the routes. */
export interface Services {
  config: Config
  log: Logger
  catalogue: Catalogue
  stores: Stores
  accounts: Accounts
  keys: ApiKeys
  funds: Funds
  ledger: Ledger
  sessions: Sessions
  jobs: Jobs
  files: StagedFiles
  /** Fetches files that are submitted by URL. */
  fetcher: UrlFetcher
  batches: Batches
  webhooks: WebhookDeliverer
  models: { speech: Models<SpeechModel>; ocr: Models<OcrLanguage> }
  presets: Presets
  /** Thumbnails and quick conversions. */
  previews: Previews
  /** Workers that measure files at intake and convert them. */
  pool: WorkerPool
  /** Deletes contents of files, and retries failures. */
  cleanup: Cleanup
  /** Folder for incoming uploads. */
  incoming: string
  /** Whether this host should get requests. */
  readiness: Readiness
  /** The engines' reports on themselves. */
  engines: EngineReports
  /** The service's address, known once it listens. */
  url(): string
}
