import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Accounts } from '../accounts/accounts.ts'
import { Catalogue } from '../convert/catalogue/catalogue.ts'
import { converters } from '../convert/converters/index.ts'
import { speechModels } from '../convert/models/list.ts'
import { Models } from '../convert/models/models.ts'
import { packs } from '../convert/models/packs.ts'
import { packsOnNeed } from '../convert/models/packs-on-need.ts'
import { workerEnvironment } from '../sandbox/workers/environment.ts'
import { WorkerPool } from '../sandbox/workers/pool.ts'
import { type Spawn, spawnNode } from '../sandbox/workers/spawn.ts'
import { type Config, modelsFolder, SettingError } from '../shared/config.ts'
import { makeFolder } from '../shared/make-folder.ts'
import { createOutbound, type Outbound } from '../shared/net/outbound.ts'
import { verifyBlobOwnership } from '../store/blob-ownership.ts'
import type { openEmbeddedStores } from '../store/embedded.ts'
import { hostId } from '../store/host-id.ts'
import type { Account } from '../store/interfaces/accounts.ts'
import { Cleanup } from '../store/interfaces/cleanup.ts'
import type { QueueLimits } from '../store/interfaces/jobs.ts'
import { asideBlobs } from '../store/interfaces/keys.ts'
import type { Stores } from '../store/interfaces/stores.ts'
import { openStores } from '../store/open.ts'
import { makePrivate } from '../store/private-folder.ts'
import type { Services } from '../web/services.ts'
import { JobRunner, placesFor } from '../work/jobs/runner.ts'
import { JobStatistics } from '../work/jobs/statistics.ts'
import { emptyFolders } from './empty-folders.ts'
import { measured } from './measures.ts'
import { OtlpExporter } from './otlp.ts'
import { traced } from './traces.ts'

/**
 * Share of the machine's memory that conversions may use; the rest is left to the service, the window and other programs.
 */
const MEMORY_SHARE = 0.7

/** Bytes that all worker processes together may use on this machine, or in its container. */
function memoryBudgetBytes(): number {
  // 0, or more than the machine has, if the process is not constrained.
  const constrained = process.constrainedMemory()
  return MEMORY_SHARE * (constrained > 0 ? Math.min(constrained, totalmem()) : totalmem())
}

/** Replaceable parts of the service. */
export interface Parts {
  /** How worker processes are started; plain Node processes by default. */
  spawn?: Spawn | undefined
  /** The worker script. */
  workerEntry: string
  /** Folder of the fonts and profiles that ship with the code. */
  resourcesFolder?: string | undefined
  /** Whether this is the app, whose owner's account tops itself up unless the owner chooses otherwise. */
  isApp?: boolean | undefined
  /** Moves a file to the recycle bin of this system; the usual means of each system by default. */
  recycle?: ((path: string) => Promise<void>) | undefined
  /** How the internet is reached; the guarded client by default. */
  outbound?: Outbound | undefined
  /** Opens the stores; those in the settings by default. */
  openStores?: typeof openEmbeddedStores | undefined
  /** How long the lease of a job lasts without renewal, in milliseconds; the runner's own by default. */
  leaseMs?: number | undefined
  /** Time between two scans of a watched folder, in milliseconds; the watcher's own by default. */
  lookMs?: number | undefined
}

/** What a host of any role has: the stores, worker processes, and the job runner. */
export interface Core extends AsyncDisposable {
  stores: Stores
  catalogue: Catalogue
  pool: WorkerPool
  cleanup: Cleanup
  /** What can be downloaded to this host. */
  models: Services['models']
  outbound: Outbound
  runner: JobRunner
  /** What became of the jobs that this host ran. */
  statistics: JobStatistics
  accounts: Accounts
  /** Id of this host, in its leases and batches. */
  host: string
  /** Recovers the jobs of an earlier life, and accepts jobs if the role does; returns the owner's account. */
  begin(): Promise<Account>
  onError: (error: unknown, jobId?: string) => void
}

/** The contract's limits of an account in the queue; batches leave some places to other submissions. */
export const QUEUE_LIMITS: QueueLimits = { openPerAccount: 18, openFromBatches: 12, runningPerAccount: 6 }
/** Number of files measured at once at intake. */
const MEASURED_AT_ONCE = 2
/** Time between two starts of worker processes. */
const START_INTERVAL_MS = 50

/**
 * Opens the stores and prepares the data folder and the worker processes. What was started is undone if a later step fails, and
 * in reverse order on disposal.
 */
export async function assembleCore(
  config: Config,
  log: Logger,
  { spawn = spawnNode, outbound = createOutbound(config), workerEntry, resourcesFolder, ...chosen }: Parts,
): Promise<Core> {
  const folder = (name: string) => join(config.home, name)
  const onError: Core['onError'] = (error, jobId) => log.error({ err: error, jobId }, 'something failed')
  await makePrivate(config.home, error => log.warn({ err: error }, 'the data folder is not private')).catch(
    (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EEXIST' ? `${error.path} is a file` : error.code
      throw new SettingError(`The data folder ${config.home} cannot be written to (${reason}).`, {
        cause: error,
      })
    },
  )

  await using starting = new AsyncDisposableStack()
  const opening = chosen.openStores
    ? chosen.openStores(config.home, QUEUE_LIMITS, onError)
    : openStores(config, QUEUE_LIMITS, onError)
  const opened = starting.use(await opening)
  const host = await hostId(config.home)
  // Logs of several hosts are read together.
  if (opened.isShared) log.setBindings({ host })
  await emptyFolders(config.home, ['incoming', 'scratch', 'workers', 'checkouts'], onError)
  // Workers may read only folders that there are when they start.
  await makeFolder(modelsFolder(config), 0o700)
  const places = { folder: modelsFolder(config), others: config.models ? [config.models] : [], outbound }
  const models = {
    speech: new Models({ ...places, list: speechModels }),
    // Of what ships, nothing can be downloaded.
    packs: new Models({
      ...places,
      list: packs.filter(({ isShipped }) => !isShipped?.()),
    }),
  }
  starting.defer(async () => void (await Promise.all([models.speech.close(), models.packs.close()])))
  const catalogue = new Catalogue(converters)
  const workers = new WorkerPool(spawn, {
    entry: workerEntry,
    env: workerEnvironment(config, resourcesFolder, folder('scratch')),
    // Windows cannot confine a process to a folder without native code of our own.
    ...(process.platform === 'win32' ? {} : { folders: folder('workers') }),
    places: { convert: placesFor(config.slots), measure: MEASURED_AT_ONCE },
    cores: config.cores,
    memoryBudgetBytes: config.memoryBudgetMegabytes * 2 ** 20 || memoryBudgetBytes(),
    memoryLimitBytes: config.memoryLimitMegabytes * 2 ** 20,
    idleMs: config.workerIdleSeconds * 1000,
    startIntervalMs: START_INTERVAL_MS,
    log,
  })
  starting.defer(() => workers.close())

  const statistics = new JobStatistics()
  // A span of a store includes what counting takes.
  const counted = config.metrics ? measured(opened, statistics) : opened
  const exporter =
    config.traces === null || config.offline
      ? undefined
      : starting.use(new OtlpExporter(config.traces, host, onError))
  const { stores, pool } = exporter
    ? traced(counted, workers, span => exporter.add(span))
    : { stores: counted, pool: workers }

  const { damage } = stores
  const aside = damage && !damage.isSorted ? asideBlobs.of(damage.date) : undefined
  const cleanup = new Cleanup(stores.blobs, onError, aside)
  const runner = new JobRunner({
    store: stores.jobs,
    blobs: stores.blobs,
    events: stores.events,
    cleanup,
    pool,
    catalogue,
    config,
    owner: host,
    statistics,
    takesJobs: config.role !== 'api',
    scratch: folder('scratch'),
    packsOnNeed: config.fetchPacks ? packsOnNeed(models.packs) : undefined,
    ...(chosen.leaseMs === undefined ? {} : { leaseMs: chosen.leaseMs }),
    onError,
  })
  starting.defer(() => runner.stop())
  const accounts = new Accounts(stores.accounts, config)
  const begin = async () => {
    const owner = await accounts.owner()
    if (config.blobs) await verifyBlobOwnership(stores, config.blobs, owner.id)
    const { requeued, interrupted } = await runner.start()
    if (requeued.length + interrupted.length > 0) {
      const ids = { requeued: requeued.map(({ id }) => id), interrupted: interrupted.map(({ id }) => id) }
      log.info(ids, 'recovered interrupted jobs')
    }
    return owner
  }

  const started = starting.move()
  return {
    ...{ stores, catalogue, pool, cleanup, models, outbound, runner },
    ...{ statistics, accounts, host, begin, onError },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
