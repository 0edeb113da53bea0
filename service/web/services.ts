import type { Logger } from 'pino'
import type { Accounts } from '../accounts/accounts.ts'
import type { Administration } from '../accounts/administration.ts'
import type { Funds } from '../accounts/funds.ts'
import type { IdentityProvider } from '../accounts/identity/provider.ts'
import type { ApiKeys } from '../accounts/keys.ts'
import type { Presets } from '../accounts/presets/presets.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Catalogue } from '../convert/catalogue/catalogue.ts'
import type { SpeechModel } from '../convert/models/list.ts'
import type { Pack } from '../convert/models/model.ts'
import type { Models } from '../convert/models/models.ts'
import type { EngineReports } from '../sandbox/workers/engine-reports.ts'
import type { WorkerPool } from '../sandbox/workers/pool.ts'
import type { Config } from '../shared/config.ts'
import type { Outbound } from '../shared/net/outbound.ts'
import type { Cleanup } from '../store/interfaces/cleanup.ts'
import type { Stores } from '../store/interfaces/stores.ts'
import type { Watching } from '../watch/watching.ts'
import type { Batches } from '../work/batches/batches.ts'
import type { UrlFetcher } from '../work/intake/fetch/fetcher.ts'
import type { StagedFiles } from '../work/intake/staged.ts'
import type { Jobs } from '../work/jobs/jobs.ts'
import type { JobStatistics } from '../work/jobs/statistics.ts'
import type { Previews } from '../work/preview/previews.ts'
import type { WebhookDeliverer } from '../work/webhooks/deliverer.ts'
import type { Readiness } from './http/readiness.ts'

/** The assembled parts of the service, for the routes. */
export interface Services {
  config: Config
  log: Logger
  catalogue: Catalogue
  stores: Stores
  accounts: Accounts
  administration: Administration
  keys: ApiKeys
  funds: Funds
  sessions: Sessions
  /** Who vouches for members of accounts, if the owner has named somebody. */
  identity: IdentityProvider | undefined
  jobs: Jobs
  files: StagedFiles
  /** Fetches files that are submitted by URL. */
  fetcher: UrlFetcher
  batches: Batches
  webhooks: WebhookDeliverer
  /** The only client of requests to the internet. */
  outbound: Outbound
  /** Folders of this machine whose files are converted as they come. */
  watching: Watching
  models: { speech: Models<SpeechModel>; packs: Models<Pack> }
  presets: Presets
  /** Thumbnails and quick conversions. */
  previews: Previews
  /** Workers that measure files at intake and convert them. */
  pool: WorkerPool
  /** What became of the jobs that this host ran. */
  statistics: JobStatistics
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
