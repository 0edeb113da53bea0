import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Sessions } from './app/sessions.ts'
import { Batches } from './batches/batches.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import { measuring } from './catalogue/engines.ts'
import { type Config, modelsFolder, SettingError } from './config.ts'
import { converters } from './converters/index.ts'
import { Accounts } from './credits/accounts.ts'
import { Funds } from './credits/funds.ts'
import { ApiKeys } from './credits/keys.ts'
import { Ledger } from './credits/ledger.ts'
import { Readiness } from './http/readiness.ts'
import { UrlFetcher } from './intake/fetch/fetcher.ts'
import { StagedFiles } from './intake/staged.ts'
import { Jobs } from './jobs/jobs.ts'
import { JobRunner, placesFor } from './jobs/runner.ts'
import { speechModels } from './models/list.ts'
import { Models } from './models/models.ts'
import { ocrLanguages } from './models/ocr-languages.ts'
import { createOutbound, type Outbound } from './net/outbound.ts'
import { Presets } from './presets/presets.ts'
import { PreviewCache } from './preview/cache.ts'
import { Previews } from './preview/previews.ts'
import { Retention } from './retention/retention.ts'
import type { Services } from './services.ts'
import { holdTogether } from './storage/belonging.ts'
import type { openEmbeddedStores } from './storage/embedded.ts'
import { hostId } from './storage/host-id.ts'
import { openStores } from './storage/open.ts'
import { makePrivate } from './storage/private-folder.ts'
import type { Account } from './stores/accounts.ts'
import { Cleanup } from './stores/cleanup.ts'
import { WebhookDeliverer } from './webhooks/deliverer.ts'
import { EngineReports } from './workers/engine-reports.ts'
import { workerEnvironment } from './workers/environment.ts'
import { memoryBudgetBytes } from './workers/memory-budget.ts'
import { WorkerPool } from './workers/pool.ts'
import { type Spawn, spawnNode } from './workers/spawn.ts'

/** What the host chooses for the rooms it assembles. */
export interface Parts {
  /** How worker processes are started; plain Node processes by default. */
  spawn?: Spawn | undefined
  /** The worker script. */
  workerEntry: string
  /** Folder of fonts and profiles that ship beside the code. */
  resourcesFolder?: string | undefined
  /** Whether a person has started the app, so that the owner's account tops itself up unless they choose otherwise. */
  isApp?: boolean | undefined
  /** How the internet is reached; the guarded client by default. */
  outbound?: Outbound | undefined
  /** What remembers everything; what the settings name by default. */
  openStores?: typeof openEmbeddedStores | undefined
}

export interface Assembly extends AsyncDisposable {
  services: Services
  sessions: Sessions
  owner: Account
  retention: Retention
  /** Takes no more requests or jobs, and waits for those that run: at most `graceMs`, or until the signal aborts. */
  drain(graceMs: number, signal: AbortSignal): Promise<void>
}

/** The contract's places of an account in the queue; batches leave some of them to other submissions. */
const QUEUE_LIMITS = { openPerAccount: 18, openFromBatches: 12, runningPerAccount: 6 }
/** What is kept of thumbnails and quick conversions. */
const PREVIEW_BYTES = 256 * 2 ** 20
/** Files measured at once at intake. */
const MEASURED_AT_ONCE = 2
/** Time between two starts of worker processes. */
const START_INTERVAL_MS = 50
const ENGINES_TIMEOUT_MS = 30_000
/** Time that looking for the width and height of a result may take. */
const SIZE_TIMEOUT_MS = 8_000

/**
 * Puts the rooms of the service together, all but HTTP, recovers what an earlier life left, and begins to work. Webhooks wait
 * until whoever serves them says where. What was begun is undone when a later step fails, and in reverse on disposal.
 * @param url address the service answers at
 */
export async function assemble(
  config: Config,
  log: Logger,
  url: () => string,
  { spawn = spawnNode, workerEntry, resourcesFolder, isApp = false, ...chosen }: Parts,
): Promise<Assembly> {
  const { outbound = createOutbound(config) } = chosen
  const folder = (name: string) => join(config.home, name)
  const onError = (error: unknown, jobId?: string) => log.error({ err: error, jobId }, 'something failed')
  await makePrivate(config.home, error => log.warn({ err: error }, 'the data folder is not private')).catch(
    (error: NodeJS.ErrnoException) => {
      throw new SettingError(`The data folder ${config.home} cannot be written to (${error.code}).`, {
        cause: error,
      })
    },
  )

  await using starting = new AsyncDisposableStack()
  const opening = chosen.openStores
    ? chosen.openStores(config.home, QUEUE_LIMITS, onError)
    : openStores(config, QUEUE_LIMITS, onError)
  const stores = starting.use(await opening)
  await Promise.all(
    [folder('incoming'), folder('scratch'), folder('workers'), folder('checkouts')].map(async path => {
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { mode: 0o700 })
    }),
  )
  const catalogue = new Catalogue(converters)
  const pool = new WorkerPool(spawn, {
    entry: workerEntry,
    env: workerEnvironment(config, resourcesFolder, folder('scratch')),
    // Windows has no way to confine a process to a folder without native code of our own.
    ...(process.platform === 'win32' ? {} : { folders: folder('workers') }),
    places: { convert: placesFor(config.slots), measure: MEASURED_AT_ONCE },
    cores: config.cores,
    memoryBudgetBytes: config.memoryBudgetMegabytes * 2 ** 20 || memoryBudgetBytes(),
    memoryLimitBytes: config.memoryLimitMegabytes * 2 ** 20,
    idleMs: config.workerIdleSeconds * 1000,
    startIntervalMs: START_INTERVAL_MS,
    log,
  })
  starting.defer(() => pool.close())

  const cleanup = new Cleanup(stores.blobs, onError)
  const runner = new JobRunner({
    store: stores.jobs,
    blobs: stores.blobs,
    events: stores.events,
    cleanup,
    pool,
    catalogue,
    config,
    owner: await hostId(config.home),
    scratch: folder('scratch'),
    onError,
  })
  starting.defer(() => runner.stop())
  const cache = new PreviewCache(folder('previews'), PREVIEW_BYTES, onError)
  await cache.start()
  const previews = new Previews({ pool, cache, cleanup, scratch: folder('scratch') })
  const retention = new Retention({
    stores,
    cleanup,
    previews,
    retentionMs: config.retentionSeconds * 1000,
    onError,
  })
  starting.defer(() => retention.stop())
  const places = {
    folder: modelsFolder(config),
    others: config.models ? [config.models] : [],
    outbound,
  }
  const models = {
    speech: new Models({ ...places, list: speechModels }),
    ocr: new Models({ ...places, list: ocrLanguages }),
  }
  starting.defer(async () => void (await Promise.all([models.speech.close(), models.ocr.close()])))
  const accounts = new Accounts(stores.accounts, config)
  const funds = new Funds({ store: stores.accounts, owner: () => accounts.owner(), config, isApp })
  const keys = new ApiKeys(stores.accounts)
  const sessions = new Sessions(stores.accounts)
  const engines = new EngineReports(() =>
    pool.run('engines', null, { engine: measuring, lane: 'report', timeoutMs: ENGINES_TIMEOUT_MS }),
  )
  const jobs = new Jobs({
    store: stores.jobs,
    blobs: stores.blobs,
    events: stores.events,
    runner,
    funds,
    cleanup,
  })
  const files = new StagedFiles(stores.files, stores.blobs)
  const batches = new Batches({
    stores,
    jobs,
    files,
    funds,
    conversions: { catalogue, config },
    config,
    limits: QUEUE_LIMITS,
    // A name without the size is better than no result.
    sizeOf: (path, signal) =>
      pool
        .run('size', { path }, { engine: measuring, lane: 'measure', timeoutMs: SIZE_TIMEOUT_MS, signal })
        .catch(() => null),
    onError,
  })
  starting.defer(() => batches.stop())
  const webhooks = new WebhookDeliverer({
    stores,
    outbound,
    publicUrl: () => config.publicUrl ?? url(),
    onError,
  })
  starting.defer(() => webhooks.stop())
  const services: Services = {
    config,
    log,
    catalogue,
    stores,
    accounts,
    keys,
    funds,
    ledger: new Ledger(stores.accounts),
    sessions,
    jobs,
    files,
    fetcher: new UrlFetcher({ outbound, folder: folder('incoming') }),
    batches,
    webhooks,
    models,
    presets: new Presets(stores.presets, catalogue),
    previews,
    pool,
    cleanup,
    readiness: new Readiness(stores),
    incoming: folder('incoming'),
    engines,
    url,
  }

  const owner = await accounts.owner()
  if (config.blobs) await holdTogether(stores, config.blobs, owner.id)
  const { requeued, interrupted } = await runner.start()
  if (requeued.length + interrupted.length > 0) {
    const ids = { requeued: requeued.map(({ id }) => id), interrupted: interrupted.map(({ id }) => id) }
    log.info(ids, 'recovered interrupted jobs')
  }
  // Another host may be writing to a store outside of the data folder.
  await retention.start({ alone: !stores.isShared && config.blobs === null })
  await batches.start()

  const started = starting.move()
  const drain: Assembly['drain'] = async (graceMs, signal) => {
    services.readiness.drain()
    await runner.drain(graceMs, signal)
  }
  return { services, sessions, owner, retention, drain, [Symbol.asyncDispose]: () => started.disposeAsync() }
}
